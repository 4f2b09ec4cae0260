import { ApiProblem } from "@/api/http";

/** Messages for users where the API's own are meant for engineers, by the problem's stable code. */
const WORDS: Record<string, string> = {
  forbidden: "Your key does not allow this. Ask your administrator for a key that does.",
  not_found: "Not found. It may have been deleted.",
  rate_limited: "Too many requests. Wait a moment and try again.",
  session_expired: "Your session has expired. Sign in again to continue.",
  csrf_failed: "This page is out of date. Reload it and try again.",
};

export function explain(error: unknown): string {
  if (error instanceof ApiProblem) return WORDS[error.code] ?? error.detail;
  return error instanceof Error ? error.message : String(error);
}
