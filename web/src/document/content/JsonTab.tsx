import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { extractionQuery } from "@/api/extractions";
import { Button } from "@/components/Button";
import { ErrorState } from "@/components/ErrorState";
import { SkeletonRows } from "@/components/Skeleton";
import { CopyButton } from "./CopyButton";
import { saveAs, withEnding } from "@/document/header/saving";

export function JsonTab({ extractionId, filename }: { extractionId: string; filename: string }) {
  const { data, error, refetch } = useQuery(extractionQuery(extractionId));
  const [whole, setWhole] = useState(false);
  const text = useMemo(() => (data ? JSON.stringify(whole ? data : (data.corrected_value ?? data.value), null, 2) : ""), [data, whole]);
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (data === undefined) return <div className="p-4"><SkeletonRows rows={10} className="h-5" /></div>;
  return (
    <div className="flex flex-col">
      <div className="sticky top-0 flex flex-wrap items-center gap-2 border-b border-line bg-surface p-2">
        <label className="inline-flex min-h-6 flex-1 items-center gap-2 px-1 text-sm">
          <input type="checkbox" className="size-4 accent-accent" checked={whole} onChange={(event) => setWhole(event.target.checked)} />
          With evidence and history
        </label>
        <CopyButton text={() => text} />
        <Button icon={<Download aria-hidden className="size-4" />} onClick={() => saveAs(new Blob([text], { type: "application/json" }), withEnding(filename, "json"))}>
          Download
        </Button>
      </div>
      <pre className="p-4 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap">{text}</pre>
    </div>
  );
}
