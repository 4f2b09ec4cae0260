import { memo } from "react";
import type { Page } from "@/api/pages";
import { type PlacedWord, wordsByLine } from "./words";

/** Invisible words at their positions, to be selected and copied. Laid out in points, so that zooming costs nothing. */
export const TextLayer = memo(function TextLayer({ page }: { page: Page }) {
  return (
    <svg viewBox={`0 0 ${page.width} ${page.height}`} preserveAspectRatio="none" className="absolute inset-0 size-full fill-transparent font-sans">
      {wordsByLine(page).map((words, line) => (
        <text key={line} className="cursor-text select-text" xmlSpace="preserve">
          {words.map((word, index) => (
            <Word key={index} word={word} />
          ))}
        </text>
      ))}
    </svg>
  );
});

function Word({ word: { text, box } }: { word: PlacedWord }) {
  const height = box[3] - box[1];
  const across = box[2] - box[0];
  return (
    <tspan x={box[0]} y={box[3] - height * 0.2} fontSize={height * 0.9} textLength={across} lengthAdjust="spacingAndGlyphs">
      {`${text} `}
    </tspan>
  );
}
