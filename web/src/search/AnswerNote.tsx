import type { SearchAnswer } from "@/api/search";
import { correctedQuestion, onlyAlike } from "./snippet";

/** Says where the answer is to another question than the one that was typed. */
export function AnswerNote({ question, answer }: { question: string; answer: SearchAnswer }) {
  const typed = Object.keys(answer.corrections);
  if (typed.length > 0) {
    return (
      <p role="status" className="text-sm">
        Showing results for <strong>{correctedQuestion(question, answer.corrections)}</strong>.{" "}
        <span className="text-muted">No document has {typed.map((word) => `“${word}”`).join(" or ")}.</span>
      </p>
    );
  }
  if (!onlyAlike(answer.hits)) return null;
  return (
    <p role="status" className="text-sm">
      No document has these words. <span className="text-muted">These passages may be about the same:</span>
    </p>
  );
}
