import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FolderUp, X } from "lucide-react";
import type { Group, GroupPage } from "@/api/batches";
import { inProgress } from "@/api/documents";
import { Button, IconButton } from "@/components/Button";
import { EmptyState } from "@/components/EmptyState";
import { ErrorState } from "@/components/ErrorState";
import { shownName } from "@/components/shownName";
import { SkeletonRows } from "@/components/Skeleton";
import { StatusBadge } from "@/components/StatusBadge";
import { documentsInWords } from "@/documents/words";
import { groupsInWords } from "@/batches/words";

interface Props {
  groups: UseInfiniteQueryResult<InfiniteData<GroupPage>>;
  /** Documents that are still being read or unpacked. */
  waiting: number;
  /** Null if the key is read-only. */
  remove: ((documentId: string) => void) | null;
}

/** The groups that a start would make now. Each becomes one row of the table. */
export function GroupPreview({ groups, waiting, remove }: Props) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = groups;
  const shown = data?.pages.flatMap((page) => page.groups) ?? [];
  const first = data?.pages[0];
  const unknown = first?.waiting_for ?? 0;
  return (
    <section aria-labelledby="groups" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="groups" className="font-semibold">
          Preview of the groups
        </h2>
        <p role="status" className="text-sm text-muted tabular-nums">
          {first && first.total > 0 ? groupsInWords(first.total) : null}
        </p>
      </div>
      {unknown > 0 ? (
        <p className="rounded-lg bg-info-soft px-3 py-2 text-sm text-info">
          {documentsInWords(unknown)} must be read or unpacked before all groups are known. You can start already: the batch waits for that.
        </p>
      ) : waiting > 0 ? (
        <p className="rounded-lg bg-info-soft px-3 py-2 text-sm text-info">{documentsInWords(waiting)} being read. You can start already.</p>
      ) : null}
      <div className="overflow-hidden rounded-xl border border-line bg-surface">
        {error && data === undefined ? (
          <ErrorState error={error} retry={() => void refetch()} title="Could not preview the groups" />
        ) : data === undefined ? (
          <div className="p-3">
            <SkeletonRows rows={4} />
          </div>
        ) : shown.length === 0 ? (
          <EmptyState icon={<FolderUp aria-hidden className="size-8" />} title={unknown > 0 ? "No groups yet" : "No documents yet"}>
            {unknown > 0 ? "They appear here as soon as the archive is unpacked." : "Add files, folders or archives, or drop them anywhere on this page."}
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {shown.map((group) => (
              <GroupRow key={group.name} group={group} remove={remove} />
            ))}
          </ul>
        )}
      </div>
      {hasNextPage ? (
        <div className="flex justify-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  );
}

/** Names the document if the group has several. */
function problemInWords({ documents }: Group, { document_id: id, message }: Group["problems"][number]): string {
  const named = documents.length > 1 ? documents.find((document) => document.id === id) : undefined;
  return named ? `${shownName(named.filename)}: ${message}` : message;
}

function GroupRow({ group, remove }: { group: Group; remove: Props["remove"] }) {
  const only = group.documents.length === 1 ? group.documents[0] : undefined;
  const alone = only !== undefined && only.filename === group.name;
  return (
    <li className="px-4 py-2">
      {alone ? null : (
        <p className="flex flex-wrap items-baseline gap-x-3 py-1">
          <span className="font-medium wrap-anywhere">{shownName(group.name)}</span>
          <span className="text-xs text-muted">{documentsInWords(group.documents.length)}</span>
        </p>
      )}
      <ul className={alone ? undefined : "border-l-2 border-line pl-3"}>
        {group.documents.map((document) => (
          <li key={document.id} className="flex min-h-9 items-center gap-3 text-sm">
            <Link to="/documents/$documentId" params={{ documentId: document.id }} preload={false} className="min-w-0 flex-1 truncate rounded hover:text-accent hover:underline" title={shownName(document.filename)}>
              {shownName(document.filename)}
            </Link>
            {inProgress(document.status) || document.status === "failed" ? <StatusBadge status={document.status} /> : null}
            {remove ? (
              <IconButton label={`Remove ${shownName(document.filename)} from the batch`} onClick={() => remove(document.id)}>
                <X aria-hidden className="size-4" />
              </IconButton>
            ) : null}
          </li>
        ))}
      </ul>
      {group.problems.map((problem) => (
        <p key={`${problem.code} ${problem.document_id}`} className="pb-1 text-xs text-warn">
          {problemInWords(group, problem)}
        </p>
      ))}
    </li>
  );
}
