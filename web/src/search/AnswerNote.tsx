import type { SearchAnswer } from "@/api/search";
import { correctedQuestion, onlyAlike } from "./snippet";

/** Shown if the results are for a corrected query or for similar meanings. */
export function AnswerNote({ question, answer }: { question: string; answer: SearchAnswer }) {
  const typed = Object.keys(answer.corrections);
  if (typed.length > 0) {
    return (
      <p role="status" className="text-sm">
        Showing results for <strong>{correctedQuestion(question, answer.corrections)}</strong>.{" "}
        <span className="text-muted">No document contains {typed.map((word) => `“${word}”`).join(" or ")}.</span>
      </p>
    );
  }
  if (!onlyAlike(answer.hits)) return null;
  return (
    <p role="status" className="text-sm">
      No document contains these words. <span className="text-muted">These passages may be related:</span>
    </p>
  );
}
