import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type Engine, enginesQuery } from "@/api/engines";
import { schemasQuery } from "@/api/schemas";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Inputs";
import { documentsInWords } from "./words";

export interface ReadingChoice {
  schema: string | null;
  engine: string | null;
}

interface Props {
  open: boolean;
  count: number;
  busy: boolean;
  close: () => void;
  start: (choice: ReadingChoice) => void;
}

export function ReprocessDialog({ open, count, busy, close, start }: Props) {
  const [schema, setSchema] = useState("");
  const [engine, setEngine] = useState("");
  const schemaId = useId();
  const { data: schemas } = useQuery({ ...schemasQuery, enabled: open });
  const { data: engines } = useQuery({ ...enginesQuery, enabled: open });
  return (
    <Dialog
      open={open}
      close={close}
      title={`Read ${documentsInWords(count)} again`}
      actions={
        <>
          <Button onClick={close}>Not now</Button>
          <Button look="primary" busy={busy} onClick={() => start({ schema: schema || null, engine: engine || null })}>
            Read again
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted">What was found before stays; the new result stands beside it.</p>
        <div className="flex flex-col gap-1">
          <label htmlFor={schemaId} className="text-sm font-medium">
            Which fields to find
          </label>
          <Select id={schemaId} value={schema} onChange={(event) => setSchema(event.target.value)}>
            <option value="">The same as before</option>
            {schemas?.map((each) => (
              <option key={each.name} value={each.name}>
                {each.title ?? each.name}
              </option>
            ))}
          </Select>
        </div>
        <EngineChoice engines={engines} chosen={engine} choose={setEngine} />
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  engines: readonly Engine[] | undefined;
  chosen: string;
  choose: (name: string) => void;
}

/** Those that are not set up cannot be chosen, and say why. */
function EngineChoice({ engines = [], chosen, choose }: ChoiceProps) {
  const id = useId();
  const notesId = useId();
  const described = engines.find((each) => each.name === chosen);
  const reasons = new Set(engines.flatMap((each) => (each.why_not === null ? [] : [each.why_not])));
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        How to find them
      </label>
      <Select id={id} aria-describedby={notesId} value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">The same as before</option>
        {engines.map((each) => (
          <option key={each.name} value={each.name} disabled={!each.available}>
            {each.available ? each.title : `${each.title} (not set up)`}
          </option>
        ))}
      </Select>
      <div id={notesId} className="flex flex-col gap-1 text-xs text-muted">
        {described ? <p>{described.description}</p> : null}
        {[...reasons].map((reason) => (
          <p key={reason}>{reason}</p>
        ))}
      </div>
    </div>
  );
}
