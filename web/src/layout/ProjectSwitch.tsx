import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import { Select } from "@/components/Inputs";
import { chooseProject, useProject } from "@/state/project";

export function ProjectSwitch() {
  const { data: session } = useQuery(sessionQuery);
  const { data: projects } = useQuery(projectsQuery);
  const chosen = useProject();
  if (session?.project) {
    return <p className="truncate px-1 text-sm text-muted">Project {session.project}</p>;
  }
  const known = projects?.some((project) => project.name === chosen) ? (chosen ?? "") : "";
  return (
    <Select
      aria-label="Project"
      className="min-w-0 flex-1 md:w-full md:flex-none"
      value={known}
      onChange={(event) => chooseProject(event.target.value || null)}
    >
      <option value="">All projects</option>
      {projects?.map((project) => (
        <option key={project.name} value={project.name}>
          {project.name}
        </option>
      ))}
    </Select>
  );
}
