import type { ReactNode } from "react";
import type { DocumentState } from "@/api/documents";
import { stagePart, stageWords } from "@/documents/stages";
import { ProgressBar } from "@/upload/ProgressBar";

interface Props {
  progress: DocumentState["progress"] | undefined;
  shown: number;
  children: ReactNode;
}

/** The first pages of a document, while the rest is being read. */
export function EarlyPages({ progress, shown, children }: Props) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div role="status" aria-label="Progress of reading" className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-surface px-3 py-2 text-xs">
        <span>{shown === 1 ? "The first page is here." : `The first ${shown} pages are here.`}</span>
        <span className="text-muted">{progress ? stageWords(progress) : "The rest is being read."}</span>
        <div className="w-40 max-w-full">
          <ProgressBar part={progress ? stagePart(progress) : null} label="Progress" />
        </div>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
