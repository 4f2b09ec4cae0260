import { FileUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { shownName } from "@/components/shownName";
import { showToast } from "@/state/toasts";
import { type Dropped, droppedIn, walk } from "./folders";
import type { UploadOptions } from "./queue";
import { uploads } from "./uploads";

/** Accepts files and folders dropped anywhere in the window, and shows a hint while they hover. */
export function DropTarget({ options }: { options: UploadOptions }) {
  const [hovering, setHovering] = useState(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  }, [options]);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
      setHovering(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false);
    };
    const drop = (event: DragEvent) => {
      setHovering(false);
      if (!bringsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      void take(droppedIn(event.dataTransfer), latest.current);
    };
    window.addEventListener("dragenter", over);
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", over);
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  if (!hovering) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 bg-canvas/90 p-4 md:p-8">
      <div className="flex h-full flex-col items-center justify-center gap-3 rounded-3xl border-4 border-dashed border-accent bg-accent-soft/80 text-center">
        <FileUp aria-hidden className="size-12 text-accent" />
        <p className="text-2xl font-semibold">Drop files or folders to upload</p>
        <p className="text-muted">{destination(options)}</p>
      </div>
    </div>
  );
}

function bringsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true;
}

function destination({ project, schema, batch }: UploadOptions): string {
  if (batch !== null) return `They are added to the batch “${batch.name}”.`;
  const where = project === null ? "They are uploaded to your default project" : `They are uploaded to the project ${project}`;
  return schema === null ? `${where}.` : `${where}, and the fields of “${schema}” are extracted.`;
}

async function take(dropped: readonly Dropped[], options: UploadOptions): Promise<void> {
  const { files, unreadable } = await walk(dropped);
  uploads.add(files, options);
  if (unreadable.length > 0) {
    const names = unreadable.slice(0, 3).map(shownName).join(", ");
    showToast({ tone: "bad", text: `Your browser could not open ${names}${unreadable.length > 3 ? ` and ${unreadable.length - 3} more` : ""}.` });
  } else if (files.length === 0) {
    showToast({ tone: "info", text: "The folder contains no files." });
  }
}
