/** What to fetch again after an event. Only queries that are on screen are fetched. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { documentStatusQuery } from "@/api/documents";
import { rereadRow } from "@/documents/listCache";
import type { LiveEvent } from "./stream";

const PER_DOCUMENT = ["status", "extractions", "fields"];
const COUNTS: QueryKey[] = [["jobs"], ["queues"], ["fields", "left"]];
/** Many events arrive together when a batch is processed, and counts are the same for all of them. */
const COUNT_MS = 1_000;

export class Refresher {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly queries: QueryClient) {}

  happened({ data }: LiveEvent): void {
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
  }
}
