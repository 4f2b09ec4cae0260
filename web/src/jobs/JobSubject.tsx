import { Link } from "@tanstack/react-router";
import type { Job } from "@/api/jobs";
import { kindWords } from "./words";

/** The document a job is about, the first of several, or what the job does where it is about none. */
export function JobSubject({ job }: { job: Job }) {
  if (job.document_id === null) {
    return (
      <span className="block truncate font-medium" title={job.filename ?? undefined}>
        {job.filename || kindWords(job.job_type)}
      </span>
    );
  }
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: job.document_id }}
      preload={false}
      className="block truncate rounded font-medium hover:text-accent hover:underline"
      title={job.filename ?? undefined}
    >
      {job.filename || "A document"}
    </Link>
  );
}
