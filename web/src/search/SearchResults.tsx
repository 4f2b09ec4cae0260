import type { KeyboardEvent } from "react";
import type { SearchAnswer } from "@/api/search";
import { SearchHitRow } from "./SearchHitRow";
import { SEARCH_BOX } from "./useSearchShortcut";

/** The hits. Arrow keys move through them, and up from the first returns to the search box. */
export function SearchResults({ answer }: { answer: SearchAnswer }) {
  return (
    <ol aria-label="Search results" className="flex flex-col gap-2">
      {answer.hits.map((hit, index) => (
        <li key={`${hit.document_id} ${hit.page} ${index}`}>
          <SearchHitRow hit={hit} onKeyDown={moveFocus} />
        </li>
      ))}
    </ol>
  );
}

export function focusFirstHit(): void {
  document.querySelector<HTMLElement>("[data-hit]")?.focus();
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const hits = [...document.querySelectorAll<HTMLElement>("[data-hit]")];
  const next = hits.indexOf(event.currentTarget) + (event.key === "ArrowDown" ? 1 : -1);
  if (next < 0) document.getElementById(SEARCH_BOX)?.focus();
  else hits[next]?.focus();
}
