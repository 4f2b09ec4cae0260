import { CircleAlert, CloudCheck, LoaderCircle } from "lucide-react";
import { explain } from "@/components/explain";
import { outbox, useParcels, useSavedCount } from "@/review/walk/session";

/** Whether all decisions are saved. Failed ones are kept and retried. */
export function SaveState() {
  const parcels = useParcels();
  const saved = useSavedCount();
  const failed = parcels.filter((parcel) => parcel.state === "failed");
  const first = failed[0];
  return (
    <div role="status" className="flex min-h-6 items-center gap-1.5 text-sm text-muted">
      {first !== undefined ? (
        <>
          <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
          <span className="text-bad" title={explain(first.error)}>
            {failed.length === 1 ? "1 change is not saved yet" : `${failed.length} changes are not saved yet`}
          </span>
          <button type="button" className="min-h-6 rounded-sm px-1 font-medium text-accent underline underline-offset-2" onClick={outbox.retry}>
            Try again
          </button>
        </>
      ) : parcels.length > 0 ? (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin" />
          Saving
        </>
      ) : saved > 0 ? (
        <>
          <CloudCheck aria-hidden className="size-4 text-good" />
          Saved
        </>
      ) : null}
    </div>
  );
}
