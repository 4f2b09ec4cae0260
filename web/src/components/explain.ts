import { ApiProblem } from "@/api/http";

/** Words for people, where the service's own are for engineers. Keyed by the problem's stable code. */
const WORDS: Record<string, string> = {
  forbidden: "Your key does not allow this. Ask whoever runs Docsieve for one that does.",
  not_found: "It is not there (any more).",
  rate_limited: "Too much at once. Wait a moment and try again.",
  session_expired: "Your session has ended. Sign in again and go on where you were.",
  csrf_failed: "This page has become too old. Reload it and try again.",
};

export function explain(error: unknown): string {
  if (error instanceof ApiProblem) return WORDS[error.code] ?? error.detail;
  return error instanceof Error ? error.message : String(error);
}
