import { Link } from "@tanstack/react-router";
import type { Job } from "@/api/jobs";
import { subjectWords } from "./words";

/** The document of a job (the first of several), or the job's kind if it has none. */
export function JobSubject({ job }: { job: Job }) {
  if (job.document_id === null) {
    return (
      <span className="block truncate font-medium" title={subjectWords(job)}>
        {subjectWords(job)}
      </span>
    );
  }
  return (
    <Link
      to="/documents/$documentId"
      params={{ documentId: job.document_id }}
      preload={false}
      className="block truncate rounded font-medium hover:text-accent hover:underline"
      title={subjectWords(job)}
    >
      {job.filename ? subjectWords(job) : "A document"}
    </Link>
  );
}
