import type { ApiProblem } from "@/api/http";
import { explain } from "@/components/explain";

/** Why a file was not accepted, by the problem's stable code. */
const WORDS: Record<string, string> = {
  empty_document: "The file is empty.",
  too_large: "The file is larger than this service accepts.",
  unsupported_type: "Docsieve cannot read this kind of file.",
  unreachable: "The service could not be reached, or the file has been moved. Try again.",
  unavailable: "The service is busy. Try again in a moment.",
  unauthorized: "Your session has expired. Sign in, then try again.",
  session_expired: "Your session has expired. Sign in, then try again.",
  unknown_project: "The project no longer exists. Choose a different one.",
  unknown_schema: "The schema no longer exists. Choose a different one.",
  idempotency_conflict: "The file has changed since it was chosen. Try again.",
};

export function reasonFor(problem: ApiProblem): string {
  return WORDS[problem.code] ?? explain(problem);
}
