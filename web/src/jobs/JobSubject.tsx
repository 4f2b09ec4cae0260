import { Link } from "@tanstack/react-router";
import type { Job } from "@/api/jobs";
import { subjectWords } from "./words";

/** The document a job is about, the first of several, or what the job does where it is about none. */
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
