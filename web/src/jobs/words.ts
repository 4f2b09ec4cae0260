import type { Job } from "@/api/jobs";
import { shownName } from "@/components/shownName";

/** Labels for kinds of jobs. */
const KINDS: Record<string, string> = {
  process_document: "Process document",
  extract_fields: "Extract fields",
  embed_chunks: "Index for search",
  learn: "Learn from corrections",
  reindex: "Rebuild search index",
  unpack_archive: "Unpack archive",
  start_batch: "Start batch",
};

export function kindWords(kind: string): string {
  const spaced = kind.replaceAll("_", " ");
  return KINDS[kind] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The document of a job, or the job's kind if it has none. */
export function subjectWords(job: Job): string {
  return job.filename ? shownName(job.filename) : kindWords(job.job_type);
}

export const KIND_CHOICES = Object.entries(KINDS);

const QUEUES: Record<string, string> = {
  default: "Documents",
  archive: "Archives",
  webhook: "Webhooks",
  maintenance: "Housekeeping",
};

export function queueWords(queue: string): string {
  return QUEUES[queue] ?? queue;
}

/** A rounded duration: “12 s”, “4 min”, “2 h”. */
export function since(seconds: number): string {
  if (seconds < 60) return `${Math.floor(Math.max(0, seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export function jobsInWords(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "job" : "jobs"}`;
}
