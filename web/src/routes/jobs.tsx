import { useSearch } from "@tanstack/react-router";
import { useMay } from "@/api/session";
import { useShownProject } from "@/documents/shownProject";
import { JobList } from "@/jobs/JobList";
import { QueueCards } from "@/jobs/QueueCards";
import { RunningJobs } from "@/jobs/RunningJobs";
import { statusOf } from "@/jobs/StatusTabs";

export function JobsPage() {
  const { status, queue, job_type: jobType } = useSearch({ from: "/signed-in/jobs" });
  const mayWrite = useMay("write");
  const project = useShownProject();
  return (
    <div className="flex flex-col gap-6 px-3 py-4 md:px-6">
      <h1 className="text-xl font-semibold">Jobs</h1>
      <QueueCards project={project} />
      <RunningJobs project={project} mayWrite={mayWrite} />
      <JobList
        key={`${status}/${jobType}/${queue}/${project}`}
        status={statusOf(status)}
        jobType={jobType}
        queue={queue}
        project={project}
        mayWrite={mayWrite}
      />
    </div>
  );
}
