import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "@/api/projects";
import { sessionQuery } from "@/api/session";
import { useProject } from "@/state/project";

/** The selected project, unless it was selected with a different key or has been removed. */
export function useShownProject(): string | null {
  const chosen = useProject();
  const { data: session } = useQuery(sessionQuery);
  const { data: projects } = useQuery(projectsQuery);
  if (session?.project || chosen === null) return null;
  return projects && !projects.some((project) => project.name === chosen) ? null : chosen;
}
