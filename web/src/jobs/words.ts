import type { Job } from "@/api/jobs";
import { shownName } from "@/components/shownName";

/** What the queue calls a kind of job, in a person's words. */
const KINDS: Record<string, string> = {
  process_document: "Read a document",
  extract_fields: "Find fields",
  embed_chunks: "Make searchable",
  learn: "Learn from corrections",
  reindex: "Rebuild the search index",
  prune: "Clear out old jobs",
  sweep_blobs: "Clear out unused files",
};

export function kindWords(kind: string): string {
  const spaced = kind.replaceAll("_", " ");
  return KINDS[kind] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The document that a job is about, or what the job does where it is about none. */
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

/** How long something has waited or run, as coarse as people say it: “12 s”, “4 min”, “2 h”. */
export function since(seconds: number): string {
  if (seconds < 60) return `${Math.floor(Math.max(0, seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export function jobsInWords(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "job" : "jobs"}`;
}
