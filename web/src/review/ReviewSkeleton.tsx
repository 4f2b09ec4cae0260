import { Skeleton } from "@/components/Skeleton";

/** Placeholder with the size of the review page. */
export function ReviewSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex h-full min-h-0 flex-col">
      <div className="border-b border-line bg-surface px-4 py-3">
        <Skeleton className="h-6 w-64" />
      </div>
      <div className="flex min-h-0 flex-1 flex-col lg:flex-row">
        <div className="flex h-[33dvh] shrink-0 justify-center bg-sunken p-4 lg:h-auto lg:flex-1">
          <span className="block h-full w-full max-w-3xl animate-pulse rounded-md bg-surface" />
        </div>
        <div className="flex flex-col gap-3 p-4 lg:w-[27rem]">
          <Skeleton className="h-7 w-48" />
          <Skeleton className="h-11" />
          <Skeleton className="h-16" />
          <Skeleton className="h-11" />
          <Skeleton className="h-40" />
        </div>
      </div>
    </div>
  );
}
