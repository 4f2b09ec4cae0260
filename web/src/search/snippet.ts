import type { SearchHit, SnippetPart } from "@/api/search";

const LONGEST = 320;
const BEFORE = 80;

/**
 * A snippet for display: whitespace is collapsed, adjacent hits are merged, and a long text starts shortly before the
 * first hit.
 */
export function shownParts(parts: readonly SnippetPart[]): SnippetPart[] {
  const joined: SnippetPart[] = [];
  for (const part of parts) {
    const text = part.text.replace(/\s+/g, " ");
    if (text === "") continue;
    const last = joined.at(-1);
    const before = joined.at(-2);
    if (last && last.hit === part.hit) last.text += text;
    else if (part.hit && last?.text === " " && before?.hit) {
      before.text += ` ${text}`;
      joined.pop();
    } else joined.push({ text, hit: part.hit });
  }
  return cut(joined);
}

function cut(parts: readonly SnippetPart[]): SnippetPart[] {
  const kept: SnippetPart[] = [];
  let room = LONGEST;
  for (const [index, part] of parts.entries()) {
    let text = part.text;
    if (index === 0 && !part.hit && text.length > BEFORE) text = `… ${text.slice(text.indexOf(" ", text.length - BEFORE) + 1)}`;
    if (text.length > room) {
      const short = text.slice(0, room);
      kept.push({ text: `${short.slice(0, Math.max(short.lastIndexOf(" "), 0)).trimEnd() || short} …`, hit: part.hit });
      return kept;
    }
    kept.push({ text, hit: part.hit });
    room -= text.length;
  }
  return kept;
}

/** The first matching line on the hit's page, as a search parameter of the document page. */
export function boxOf(hit: Pick<SearchHit, "page" | "boxes">): string | undefined {
  return hit.boxes.find((line) => line.page === hit.page)?.box.join(",");
}

/** The query with corrected words. */
export function correctedQuestion(question: string, corrections: Readonly<Record<string, string>>): string {
  const byWord = new Map(Object.entries(corrections).map(([word, taken]) => [word.toLocaleLowerCase(), taken]));
  return question.replace(/[\p{L}\p{N}]+/gu, (word) => byWord.get(word.toLocaleLowerCase()) ?? word);
}

/** Whether no passage contains any of the words, so that all hits are by meaning only. */
export function onlyAlike(hits: readonly Pick<SearchHit, "snippet">[]): boolean {
  return hits.length > 0 && hits.every((hit) => hit.snippet.every((part) => !part.hit));
}
