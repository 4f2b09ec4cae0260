import { ChevronDown, ChevronUp, PanelLeft, RotateCw, ZoomIn, ZoomOut } from "lucide-react";
import { type FormEvent, useState } from "react";
import { IconButton } from "@/components/Button";

interface Props {
  page: number;
  pageCount: number;
  goTo: (page: number) => void;
  zoom: number;
  zoomBy: (by: 1 | -1) => void;
  fit: () => void;
  turn: () => void;
  strip: boolean;
  toggleStrip?: (() => void) | undefined;
}

export function Toolbar({ page, pageCount, goTo, zoom, zoomBy, fit, turn, strip, toggleStrip }: Props) {
  return (
    <div role="toolbar" aria-label="Page view" className="flex shrink-0 items-center gap-0.5 border-b border-line bg-surface px-2 py-1">
      {toggleStrip ? (
        <IconButton label="Page thumbnails" pressed={strip} onClick={toggleStrip}>
          <PanelLeft aria-hidden className="size-4" />
        </IconButton>
      ) : null}
      <IconButton label="Previous page ( [ )" disabled={page <= 1} onClick={() => goTo(page - 1)}>
        <ChevronUp aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Next page ( ] )" disabled={page >= pageCount} onClick={() => goTo(page + 1)}>
        <ChevronDown aria-hidden className="size-4" />
      </IconButton>
      <PageNumber key={page} page={page} pageCount={pageCount} goTo={goTo} />
      <span className="ml-1 text-sm whitespace-nowrap text-muted tabular-nums">of {pageCount}</span>
      <span className="flex-1" />
      <IconButton label="Zoom out ( − )" onClick={() => zoomBy(-1)}>
        <ZoomOut aria-hidden className="size-4" />
      </IconButton>
      <button
        type="button"
        onClick={fit}
        aria-label={`Fit to width; currently ${Math.round(zoom * 100)}%`}
        title="Fit to width"
        className="min-h-9 min-w-12 rounded-lg px-1 text-xs text-muted tabular-nums hover:bg-sunken hover:text-ink"
      >
        {zoom === 1 ? "Fit" : `${Math.round(zoom * 100)} %`}
      </button>
      <IconButton label="Zoom in ( + )" onClick={() => zoomBy(1)}>
        <ZoomIn aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Rotate pages" onClick={turn}>
        <RotateCw aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

function PageNumber({ page, pageCount, goTo }: Pick<Props, "page" | "pageCount" | "goTo">) {
  const [typed, setTyped] = useState(String(page));
  const go = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number.parseInt(typed, 10);
    if (wanted >= 1 && wanted <= pageCount) goTo(wanted);
    else setTyped(String(page));
  };
  return (
    <form onSubmit={go}>
      <input
        aria-label="Page number"
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(String(page))}
        className="h-8 w-12 rounded-md border border-line-strong bg-surface text-center text-sm tabular-nums"
      />
    </form>
  );
}
