import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import { useProject } from "@/state/project";

/** The project to narrow to. One that was chosen under another key, or was removed since, counts as none. */
export function useShownProject(): string | null {
  const chosen = useProject();
  const { data: session } = useQuery(sessionQuery);
  const { data: projects } = useQuery(projectsQuery);
  if (session?.project || chosen === null) return null;
  return projects && !projects.some((project) => project.name === chosen) ? null : chosen;
}
