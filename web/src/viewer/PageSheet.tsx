import { useQuery } from "@tanstack/react-query";
import { memo, useEffect } from "react";
import { pageQuery } from "@/api/pages";
import { DrawLayer } from "@/viewer/layers/DrawLayer";
import type { Size, Turn } from "./geometry";
import type { Drawn, Mark } from "@/viewer/layers/mark";
import { Marks } from "@/viewer/layers/Marks";
import { PageImage } from "./PageImage";
import { useRests } from "./passing";
import { TextLayer } from "@/viewer/layers/TextLayer";

interface Props {
  documentId: string;
  number: number;
  top: number;
  left: number;
  width: number;
  height: number;
  turn: Turn;
  flying: boolean;
  marks: readonly Mark[];
  active: string | null;
  onPick?: ((id: string) => void) | undefined;
  learnSize: (page: number, size: Size) => void;
  drawing: boolean;
  drawsByKeys: boolean;
  onDrawn?: ((drawn: Drawn) => void) | undefined;
}

/** One page: its image, selectable text, marks, and optionally a box to draw. */
export const PageSheet = memo(function PageSheet(props: Props) {
  const { documentId, number, top, left, width, height, turn, flying, marks, active, onPick, learnSize, drawing, drawsByKeys, onDrawn } = props;
  const rests = useRests(flying);
  const { data: page } = useQuery({ ...pageQuery(documentId, number), enabled: rests });
  useEffect(() => {
    if (page) learnSize(number, { width: page.width, height: page.height });
  }, [page, number, learnSize]);
  const lying = turn % 180 !== 0;
  const across = lying ? height : width;
  return (
    <div
      role="group"
      aria-label={`Page ${number}`}
      className="paper absolute overflow-hidden bg-page shadow-md ring-1 ring-line"
      style={{ top, left, width, height }}
    >
      <div
        className="absolute top-1/2 left-1/2"
        style={{ width: across, height: lying ? width : height, transform: `translate(-50%, -50%) rotate(${turn}deg)` }}
      >
        <PageImage documentId={documentId} number={number} across={across} rests={rests} />
        {page ? <TextLayer page={page} /> : null}
        {page ? <Marks marks={marks} active={active} size={page} onPick={onPick} /> : null}
      </div>
      {drawing && page && onDrawn ? (
        <DrawLayer
          page={page}
          turn={turn}
          byKeys={drawsByKeys}
          start={marks.find((mark) => mark.id === active)?.box ?? null}
          onDrawn={({ box, text }) => onDrawn({ page: number, box: [...box], text })}
        />
      ) : null}
    </div>
  );
});
