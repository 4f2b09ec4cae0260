import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { Button, IconButton } from "@/components/Button";
import { ProgressBar } from "./ProgressBar";
import { inOrder, type Totals, totals, type Upload } from "./queue";
import { UploadItem } from "./UploadItem";
import { uploads, useUploads } from "./uploads";

const ITEM_HEIGHT = 52;

/** The uploads and their results. It can be collapsed, and closed when all uploads have ended. */
export function UploadPanel() {
  const all = useUploads();
  const [open, setOpen] = useState(true);
  const sum = useMemo(() => totals(all), [all]);
  if (all.length === 0) return null;
  return (
    <section
      aria-label="Uploads"
      className="fixed right-2 bottom-16 left-2 z-30 flex max-h-[60dvh] flex-col overflow-hidden rounded-xl border border-line bg-surface shadow-xl sm:left-auto sm:w-96 md:right-4 md:bottom-4"
    >
      <div className="flex items-center gap-1 py-1 pr-1 pl-3">
        <h2 role="status" className="min-w-0 flex-1 truncate text-sm font-semibold">
          {summary(sum)}
        </h2>
        <IconButton label={open ? "Collapse uploads" : "Expand uploads"} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? <ChevronDown aria-hidden className="size-4" /> : <ChevronUp aria-hidden className="size-4" />}
        </IconButton>
        {sum.underWay === 0 ? (
          <IconButton label="Close uploads" onClick={() => uploads.clear()}>
            <X aria-hidden className="size-4" />
          </IconButton>
        ) : null}
      </div>
      <div className="px-3 pb-2">
        <ProgressBar part={sum.part} label="All uploads" tone={sum.underWay > 0 ? "accent" : sum.failed === 0 ? "good" : sum.stored > 0 ? "warn" : "bad"} />
      </div>
      {open ? <UploadList all={all} /> : null}
      {open && (sum.underWay > 0 || sum.failed > 0) ? (
        <div className="flex justify-end gap-2 border-t border-line p-2">
          {sum.failed > 0 ? (
            <Button onClick={() => uploads.retryFailed()}>Retry {sum.failed} failed</Button>
          ) : null}
          {sum.underWay > 0 ? (
            <Button look="quiet" onClick={() => uploads.cancelAll()}>
              Cancel all
            </Button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

function summary({ files, stored, failed, underWay }: Totals): string {
  const count = (number: number) => number.toLocaleString("en");
  if (underWay > 0) return `Uploading ${count(stored + failed + 1)} of ${count(files)}${failed > 0 ? `, ${count(failed)} failed` : ""}`;
  if (failed > 0) return `${count(failed)} of ${count(files)} could not be uploaded`;
  if (files === 0) return "Uploads cancelled";
  return `${count(stored)} ${stored === 1 ? "file" : "files"} uploaded`;
}

function UploadList({ all }: { all: readonly Upload[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const ordered = useMemo(() => inOrder(all), [all]);
  // eslint-disable-next-line react-hooks/incompatible-library -- no compiler memoizes this component
  const list = useVirtualizer({
    count: ordered.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ITEM_HEIGHT,
    overscan: 4,
  });
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable areas must be reachable by keyboard
    <div ref={scroller} tabIndex={0} role="group" aria-label="Files" className="min-h-0 overflow-y-auto border-t border-line">
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const upload = ordered[index];
          return upload ? (
            <li key={upload.id} className="absolute inset-x-0 top-0" style={{ height: ITEM_HEIGHT, transform: `translateY(${start}px)` }}>
              <UploadItem upload={upload} />
            </li>
          ) : null;
        })}
      </ul>
    </div>
  );
}
