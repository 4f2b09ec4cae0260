/** What results and groups of a batch depend on. They are fetched again when it is different. */

import type { Batch } from "@/api/batches";

export function resultsDependOn({ status, progress }: Batch): string {
  return JSON.stringify([status, { ...progress, estimated_seconds_left: null }]);
}

/** The service groups all documents for each preview, so a batch that runs asks only when documents were added. */
export function groupsDependOn({ status, starting, group_by, progress }: Batch): string {
  return JSON.stringify([status, starting, group_by, progress.documents, status === "pending_configuration" ? progress.documents_waiting : null]);
}
