import { useEffect, useRef, useState } from "react";
import { imageAddress } from "@/api/pages";
import { classes } from "@/components/classes";
import { givenUpWhenGone, useRests } from "./passing";

const HEIGHT = 156;
const BEYOND = 3;

interface Props {
  documentId: string;
  pageCount: number;
  current: number;
  flying: boolean;
  goTo: (page: number) => void;
}

/** Thumbnails of all pages. Only visible ones are rendered. */
export function Thumbnails({ documentId, pageCount, current, flying, goTo }: Props) {
  const strip = useRef<HTMLElement>(null);
  const [rows, setRows] = useState({ first: 0, last: 8 });
  const look = () => {
    const element = strip.current;
    if (element === null) return;
    const first = Math.floor(element.scrollTop / HEIGHT);
    const last = Math.ceil((element.scrollTop + element.clientHeight) / HEIGHT);
    setRows((before) => (before.first === first && before.last === last ? before : { first, last }));
  };
  useEffect(() => {
    const element = strip.current;
    if (element === null) return;
    const top = (current - 1) * HEIGHT;
    if (top < element.scrollTop || top + HEIGHT > element.scrollTop + element.clientHeight) {
      element.scrollTop = top - (element.clientHeight - HEIGHT) / 2;
    }
  }, [current]);
  const from = Math.max(0, rows.first - BEYOND);
  const to = Math.min(pageCount, rows.last + BEYOND);
  return (
    <nav ref={strip} onScroll={look} aria-label="Page thumbnails" className="w-28 shrink-0 overflow-y-auto border-r border-line bg-surface">
      <ol className="relative" style={{ height: pageCount * HEIGHT }}>
        {Array.from({ length: to - from }, (_, index) => from + index + 1).map((number) => (
          <li key={number} className="absolute inset-x-0 px-2 py-1" style={{ top: (number - 1) * HEIGHT, height: HEIGHT }}>
            <button
              type="button"
              onClick={() => goTo(number)}
              aria-label={`Page ${number}`}
              aria-current={number === current ? "page" : undefined}
              className={classes(
                "flex size-full flex-col items-center justify-between rounded-lg border-2 p-1 hover:bg-sunken",
                number === current ? "border-accent bg-accent-soft" : "border-transparent",
              )}
            >
              <Picture source={imageAddress(documentId, number, 160)} flying={flying} />
              <span className="text-xs text-muted tabular-nums">{number}</span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Picture({ source, flying }: { source: string; flying: boolean }) {
  const rests = useRests(flying);
  return rests ? <img ref={givenUpWhenGone} src={source} alt="" decoding="async" className="h-29 w-full object-contain" /> : <span className="h-29" />;
}
