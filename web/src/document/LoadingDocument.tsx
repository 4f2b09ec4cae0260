import { Skeleton, SkeletonRows } from "@/components/Skeleton";

export function LoadingDocument() {
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-center gap-4 border-b border-line bg-surface px-4 py-3">
        <Skeleton className="h-9 w-64" />
      </div>
      <div className="flex min-h-0 flex-1 gap-4 p-4">
        <Skeleton className="hidden h-full flex-1 md:block" />
        <div className="flex-1">
          <SkeletonRows rows={8} />
        </div>
      </div>
    </div>
  );
}
