/** What to fetch again after an event. Only queries that are on screen are fetched. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { BATCHES, batchQuery } from "@/api/batches";
import { documentStatusQuery } from "@/api/documents";
import { rereadRow } from "@/documents/listCache";
import type { LiveEvent } from "./stream";

const PER_DOCUMENT = ["status", "extractions", "fields"];
const COUNTS: QueryKey[] = [["jobs"], ["queues"], ["fields", "left"]];
/** Many events arrive together when a batch is processed, and counts and progress are the same for all of them. */
const COUNT_MS = 1_000;

export class Refresher {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly batches = new Set<string>();

  constructor(private readonly queries: QueryClient) {}

  happened({ data }: LiveEvent): void {
    if (data.batch_id !== undefined) this.batches.add(data.batch_id);
    const id = data.document_id;
    if (id === undefined) {
      void this.queries.invalidateQueries({ predicate: ({ queryKey: [noun, , what] }) => noun === "documents" && PER_DOCUMENT.includes(String(what)) });
    } else {
      if (this.isShown(id)) void rereadRow(this.queries, id).catch(() => undefined);
      void this.queries.invalidateQueries({ queryKey: ["documents", id] });
    }
    this.timer ??= setTimeout(() => this.recount(), COUNT_MS);
  }

  missed(): void {
    void this.queries.invalidateQueries();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Rows in progress watch their status while they are on screen, and so does the page of a document. */
  private isShown(id: string): boolean {
    return this.queries.getQueryCache().find({ queryKey: documentStatusQuery(id).queryKey })?.isActive() ?? false;
  }

  private recount(): void {
    this.timer = undefined;
    for (const queryKey of COUNTS) void this.queries.invalidateQueries({ queryKey });
    if (this.batches.size === 0) return;
    // The results of a batch follow from its progress.
    for (const id of this.batches) void this.queries.invalidateQueries({ queryKey: batchQuery(id).queryKey, exact: true });
    void this.queries.invalidateQueries({ queryKey: [...BATCHES, "list"] });
    this.batches.clear();
  }
}
