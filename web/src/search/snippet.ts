import type { SearchHit, SnippetPart } from "@/api/search";

const LONGEST = 320;
const BEFORE = 80;

/**
 * A snippet as it is shown: white space is one space, neighbouring hits with only a space between them are one mark,
 * and of a long text the part from shortly before the first hit.
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

/** The first line that matches on the hit's page, as the document page takes it. */
export function boxOf(hit: Pick<SearchHit, "page" | "boxes">): string | undefined {
  return hit.boxes.find((line) => line.page === hit.page)?.box.join(",");
}

/** What the words were taken for: the question as it was answered. */
export function correctedQuestion(question: string, corrections: Readonly<Record<string, string>>): string {
  const byWord = new Map(Object.entries(corrections).map(([word, taken]) => [word.toLocaleLowerCase(), taken]));
  return question.replace(/[\p{L}\p{N}]+/gu, (word) => byWord.get(word.toLocaleLowerCase()) ?? word);
}

/** Whether no passage holds any of the words: all are there only because they may be about the same. */
export function onlyAlike(hits: readonly Pick<SearchHit, "snippet">[]): boolean {
  return hits.length > 0 && hits.every((hit) => hit.snippet.every((part) => !part.hit));
}
