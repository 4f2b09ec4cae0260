import { memo } from "react";
import { classes } from "@/components/classes";
import { percentages, type Size } from "@/viewer/geometry";
import type { Mark } from "./mark";
import { marksUnder, picked } from "./picking";

const TONES: Record<Mark["tone"], string> = {
  sure: "border-good/60 bg-good/10",
  likely: "border-warn/70 bg-warn/15",
  unsure: "border-bad/70 bg-bad/15",
  plain: "border-line-strong/60 bg-accent/5",
};
const LIT: Record<Mark["tone"], string> = {
  sure: "outline-good bg-good/25",
  likely: "outline-warn bg-warn/30",
  unsure: "outline-bad bg-bad/25",
  plain: "outline-accent bg-accent/25",
};

interface Props {
  marks: readonly Mark[];
  active: string | null;
  size: Size;
  onPick?: ((id: string) => void) | undefined;
}

/** Boxes on the page. Only one is a Tab stop, because the list next to the page contains them all. */
export const Marks = memo(function Marks({ marks, active, size, onPick }: Props) {
  const stop = marks.some((mark) => mark.id === active) ? active : marks[0]?.id;
  const pick = (event: React.MouseEvent<HTMLElement>, top: Mark) => {
    const under = marksUnder(event);
    const ids = marks.filter(({ id }) => under.has(id)).map(({ id }) => id);
    onPick?.(picked(ids, top.id, active));
  };
  return marks.map((mark, index) => (
    <button
      key={`${mark.id} ${index}`}
      type="button"
      data-mark={mark.id}
      tabIndex={mark.id === stop ? 0 : -1}
      aria-label={mark.label}
      aria-pressed={mark.id === active}
      title={mark.label}
      onClick={(event) => pick(event, mark)}
      style={grown(percentages(mark.box, size))}
      className={classes(
        "absolute rounded-[3px]",
        mark.id === active ? `z-10 outline-[3px] outline-offset-1 ${LIT[mark.tone]}` : `border ${TONES[mark.tone]} hover:brightness-90`,
      )}
    />
  ));
});

/** Slightly larger than the text, so that the border does not touch the letters. */
function grown(place: ReturnType<typeof percentages>) {
  return {
    left: `calc(${place.left} - 2px)`,
    top: `calc(${place.top} - 2px)`,
    width: `calc(${place.width} + 4px)`,
    height: `calc(${place.height} + 4px)`,
  };
}
