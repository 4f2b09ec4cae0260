import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { schemasQuery } from "@/api/schemas";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { Select } from "@/components/Inputs";
import { documentsInWords } from "./words";

export interface ReadingChoice {
  schema: string | null;
  engine: string | null;
}

const ENGINES: readonly (readonly [value: string, label: string])[] = [
  ["local", "Built in, nothing leaves this machine"],
  ["cascade", "Built in first, the model where that is unsure"],
  ["llm", "Language model"],
  ["azure-document-intelligence", "Azure Document Intelligence"],
];

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
  const engineId = useId();
  const { data: schemas } = useQuery({ ...schemasQuery, enabled: open });
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
        <div className="flex flex-col gap-1">
          <label htmlFor={engineId} className="text-sm font-medium">
            How to find them
          </label>
          <Select id={engineId} value={engine} onChange={(event) => setEngine(event.target.value)}>
            <option value="">The same as before</option>
            {ENGINES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
      </div>
    </Dialog>
  );
}
