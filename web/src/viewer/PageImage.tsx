import { useState } from "react";
import { imageAddress, imageWidth } from "@/api/pages";
import { givenUpWhenGone } from "./passing";

interface Props {
  documentId: string;
  number: number;
  across: number;
  rests: boolean;
}

/** The page image at the resolution for the zoom. The previous one stays visible until it has loaded. */
export function PageImage({ documentId, number, across, rests }: Props) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const source = imageAddress(documentId, number, imageWidth(across * Math.min(window.devicePixelRatio, 2)));
  if (!rests && loaded === null) return null;
  if (failed === source) {
    return (
      <div className="absolute inset-0 flex flex-col items-center justify-center gap-2 p-4 text-center text-sm text-muted">
        <p>This page could not be loaded.</p>
        <button
          type="button"
          className="relative z-10 min-h-9 rounded-lg border border-line-strong px-3 text-ink"
          onClick={() => {
            setFailed(null);
            setTries(tries + 1);
          }}
        >
          Try again
        </button>
      </div>
    );
  }
  const look = "absolute inset-0 size-full select-none";
  return (
    <>
      {loaded !== null && loaded !== source ? <img src={loaded} alt="" draggable={false} className={look} /> : null}
      {loaded === null ? <span aria-hidden className="absolute inset-0 animate-pulse bg-sunken" /> : null}
      <img
        key={`${source} ${tries}`}
        ref={givenUpWhenGone}
        src={source}
        alt={`Page ${number}`}
        draggable={false}
        decoding="async"
        onLoad={() => setLoaded(source)}
        onError={() => setFailed(source)}
        className={look}
      />
    </>
  );
}
