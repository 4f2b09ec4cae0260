import { Download, FileJson, FileSpreadsheet, FileText, Grid3x3 } from "lucide-react";
import { useState } from "react";
import { type ExportFormat, exportAddress } from "@/api/batches";
import { MENU_ITEM, Menu } from "@/components/Menu";

const FORMATS: readonly { format: ExportFormat; label: string; icon: typeof FileText }[] = [
  { format: "xlsx", label: "Excel", icon: FileSpreadsheet },
  { format: "csv", label: "CSV", icon: FileText },
  { format: "jsonl", label: "JSON lines", icon: FileJson },
  { format: "parquet", label: "Parquet", icon: Grid3x3 },
];

/** The results as a file, corrections applied. The service writes it while it is downloaded. */
export function ExportMenu({ batchId }: { batchId: string }) {
  const [evidence, setEvidence] = useState(false);
  return (
    <Menu label="Export" icon={<Download aria-hidden className="size-4" />}>
      {(close) => (
        <>
          {FORMATS.map(({ format, label, icon: Icon }) => (
            <a key={format} href={exportAddress(batchId, format, evidence)} download onClick={close} className={MENU_ITEM}>
              <Icon aria-hidden className="size-4" /> {label}
            </a>
          ))}
          <label className="mt-1 flex min-h-9 items-center gap-2 border-t border-line px-3 pt-1 text-sm whitespace-nowrap">
            <input type="checkbox" className="size-4 accent-accent" checked={evidence} onChange={(event) => setEvidence(event.target.checked)} />
            With confidence and location
          </label>
        </>
      )}
    </Menu>
  );
}
