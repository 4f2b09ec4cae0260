import { CircleAlert, CircleCheck, CircleSlash, Clock, RotateCcw, Upload as Arrow, X } from "lucide-react";
import { IconButton } from "@/components/Button";
import { classes } from "@/components/classes";
import { fileSize } from "@/components/format";
import { shownName } from "@/components/shownName";
import { ProgressBar } from "./ProgressBar";
import { isUnderWay, type Phase, type Upload } from "./queue";
import { reasonFor } from "./reasons";
import { uploads } from "./uploads";

const ICONS: Record<Phase, { icon: typeof Clock; ink: string; words: string }> = {
  waiting: { icon: Clock, ink: "text-muted", words: "Waiting" },
  sending: { icon: Arrow, ink: "text-accent", words: "Uploading" },
  stored: { icon: CircleCheck, ink: "text-good", words: "Uploaded" },
  failed: { icon: CircleAlert, ink: "text-bad", words: "Failed" },
  cancelled: { icon: CircleSlash, ink: "text-muted", words: "Cancelled" },
};

export function UploadItem({ upload }: { upload: Upload }) {
  const { icon: Icon, ink, words } = ICONS[upload.phase];
  const size = upload.file.size;
  const name = shownName(upload.file.name);
  return (
    <div className="flex h-full items-center gap-3 px-3">
      <Icon aria-hidden className={classes("size-4 shrink-0", ink)} />
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm" title={shownName(upload.path)}>
          {name}
        </p>
        {upload.phase === "sending" ? (
          <ProgressBar part={size > 0 ? Math.min(1, upload.sent / size) : null} label={`Upload of ${name}`} />
        ) : (
          <p className={classes("truncate text-xs", upload.phase === "failed" ? "text-bad" : "text-muted")} title={failure(upload)}>
            {upload.problem ? failure(upload) : `${words} · ${fileSize(size)}`}
          </p>
        )}
      </div>
      {isUnderWay(upload) ? (
        <IconButton label={`Cancel upload of ${name}`} onClick={() => uploads.cancel(upload.id)}>
          <X aria-hidden className="size-4" />
        </IconButton>
      ) : null}
      {upload.phase === "failed" || upload.phase === "cancelled" ? (
        <IconButton label={`Retry upload of ${name}`} onClick={() => uploads.retry(upload.id)}>
          <RotateCcw aria-hidden className="size-4" />
        </IconButton>
      ) : null}
    </div>
  );
}

function failure(upload: Upload): string | undefined {
  return upload.problem ? reasonFor(upload.problem) : undefined;
}
