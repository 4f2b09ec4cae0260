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
      title={`Reprocess ${documentsInWords(count)}`}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" busy={busy} onClick={() => start({ schema: schema || null, engine: engine || null })}>
            Reprocess
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted">Earlier results are kept. The new result is added next to them.</p>
        <div className="flex flex-col gap-1">
          <label htmlFor={schemaId} className="text-sm font-medium">
            Fields to extract
          </label>
          <Select id={schemaId} value={schema} onChange={(event) => setSchema(event.target.value)}>
            <option value="">Same as before</option>
            <option value="auto">By document class</option>
            <option value="none">None, read only</option>
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

/** Engines that are not configured are disabled and show the reason. */
function EngineChoice({ engines = [], chosen, choose }: ChoiceProps) {
  const id = useId();
  const notesId = useId();
  const described = engines.find((each) => each.name === chosen);
  const reasons = new Set(engines.flatMap((each) => (each.why_not === null ? [] : [each.why_not])));
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        Engine
      </label>
      <Select id={id} aria-describedby={notesId} value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">Same as before</option>
        {engines.map((each) => (
          <option key={each.name} value={each.name} disabled={!each.available}>
            {each.available ? each.title : `${each.title} (not configured)`}
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
