"""Where a line has to be cut: at borders of cells, at wide gaps, and at narrow gaps that several lines share."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from math import inf
from statistics import median

from docsieve.domain.pages.page import Box, Line, Word
from docsieve.parsers.tables.cells import around

MIN_GAP = 3.5
"""In points; narrower gaps are spaces between words in any type that people read."""

# In heights of the line's words.
_WIDE, _NARROW = 1.05, 0.6
_LEADERS = ".·…_"

_WIDE_LETTERS, _SAME_WIDTH = 1.7, 0.13
_WIDE_SPACES, _WORDS_APART, _MIN_SPACES = 0.8, 1.6, 10
_MIN_LOOSE, _WIDE_ANYWHERE = 3, 2.2
_SAME_START, _LINES_OF_A_COLUMN = 1.5, 5
_LINES_OF_A_GUTTER = 6
_SAMPLED_LINES = 30

_Gap = tuple[int, float, float, float]
"""The word after a gap, where the gap begins and ends, and its width in heights of the line's words."""


def find_cuts(
    lines: Sequence[Line], rules: Sequence[Box] = (), *, gapped: Sequence[int] | None = None
) -> dict[int, list[int]]:
    """The words before which lines are to be cut, by the places of these lines.

    `gapped` are the places of the lines with words farther apart than `MIN_GAP`, if that is known.
    """
    gaps = {at: found for at in (gapped if gapped is not None else range(len(lines))) if (found := _gaps(lines[at]))}
    cuts = _at_gaps(lines, gaps)
    if rules:
        for at, places in _at_rules(lines, rules).items():
            cuts[at] = sorted({*cuts.get(at, ()), *places})
    return cuts


def parts_of(line: Line, cuts: Sequence[int]) -> list[Line]:
    edges = [0, *cuts, len(line.words)]
    return [_line(line.words[start:end]) for start, end in pairwise(edges)]


def _line(words: list[Word]) -> Line:
    return Line(" ".join([word.text for word in words]), around([word.box for word in words]), words)


def _gaps(line: Line) -> list[_Gap]:
    """Gaps between words that may be wide. Dots lead the eye over theirs."""
    words = line.words
    if len(words) < 2:
        return []
    found: list[_Gap] = []
    usual = 0.0
    left, _, right, _ = words[0].box
    for at, word in enumerate(words):
        x0, _, x1, _ = word.box
        # right-to-left text goes on at the left
        start, end = (right, x0) if x0 - right > left - x1 else (x1, left)
        if end - start > MIN_GAP:
            usual = usual or _usual_height(words)
            if end - start > _NARROW * usual and not (_is_leader(word) or _is_leader(words[at - 1])):
                found.append((at, start, end, (end - start) / usual))
        left, right = x0, x1
    return found


def _usual_height(words: Sequence[Word]) -> float:
    heights = [word.box[3] - word.box[1] for word in words if not _is_leader(word)]
    return max(median(heights), 1.0) if heights else inf


def _is_leader(word: Word) -> bool:
    return word.text[0] in _LEADERS and not word.text.strip(_LEADERS)


def _at_gaps(lines: Sequence[Line], gaps: dict[int, list[_Gap]]) -> dict[int, list[int]]:
    if not gaps:
        return {}
    letter, spaces = _letter_width(lines), _wide_space(lines, gaps)
    least = max(_WIDE, _WORDS_APART * spaces)
    gutters = [] if spaces or letter else _gutters(lines, gaps)
    cuts: dict[int, list[int]] = {}
    loose: dict[int, list[_Gap]] = {}
    for at, found in gaps.items():
        wide = [gap for gap in found if gap[3] > least and gap[2] - gap[1] > _WIDE_LETTERS * letter]
        if len(wide) >= _MIN_LOOSE:
            wide, loose[at] = _without_loose(wide, len(lines[at].words))
        places = {gap[0] for gap in wide}
        if gutters:
            places.update(gap[0] for gap in found if _is_in(gutters, gap, lines[at].box))
        if places:
            cuts[at] = sorted(places)
    if any(loose.values()):
        _cut_at_starts(lines, cuts, loose)
    return cuts


def _without_loose(wide: list[_Gap], words: int) -> tuple[list[_Gap], list[_Gap]]:
    """The gaps to cut at, and those between words of a line that was stretched to the width of its column."""
    usual = median([width for *_, width in wide])
    strong = [gap for gap in wide if gap[3] > min(_WORDS_APART * usual, _WIDE_ANYWHERE)]
    loose: list[_Gap] = []
    for start, end in pairwise([0, *[gap[0] for gap in strong], words]):
        within = [gap for gap in wide if start < gap[0] < end]
        if len(within) >= _MIN_LOOSE and len(within) * 2 >= end - start:
            loose += within
        else:
            strong += within
    return strong, loose


def _cut_at_starts(lines: Sequence[Line], cuts: dict[int, list[int]], loose: dict[int, list[_Gap]]) -> None:
    """Cut loose lines where several other lines begin: there the next column does."""
    starts = sorted(
        [line.words[place].box[0] for at, line in enumerate(lines) if line.words for place in (0, *cuts.get(at, ()))]
    )
    for at, found in loose.items():
        places = [
            place
            for place, _, end, _ in found
            if bisect_right(starts, end + _SAME_START) - bisect_left(starts, end - _SAME_START) >= _LINES_OF_A_COLUMN
        ]
        if places:
            cuts[at] = sorted({*cuts.get(at, ()), *places})


def _letter_width(lines: Sequence[Line]) -> float:
    """The width of a letter in a monospaced font, otherwise 0."""
    sampled = lines[:: len(lines) // _SAMPLED_LINES + 1]
    words = [word for line in sampled for word in line.words if len(word.text) >= 4]
    widths = sorted([(word.box[2] - word.box[0]) / len(word.text) for word in words])
    if len(widths) < 8:
        return 0.0
    low, middle, high = (widths[len(widths) * part // 10] for part in (2, 5, 8))
    return middle if high - low < _SAME_WIDTH * middle else 0.0


def _wide_space(lines: Sequence[Line], gaps: dict[int, list[_Gap]]) -> float:
    """The space between words in heights of their line, if all words of the page are far apart, otherwise 0."""
    count = sum([len(line.words) - 1 for line in lines if line.words])
    wide = [width for found in gaps.values() for *_, width in found if width < 2]
    if count < _MIN_SPACES or len(wide) * 2 < count:
        return 0.0
    spaces = sorted([0.0] * (count - sum(map(len, gaps.values()))) + wide)
    return median(spaces) if spaces[len(spaces) // 10] >= _WIDE_SPACES else 0.0


def _gutters(lines: Sequence[Line], gaps: dict[int, list[_Gap]]) -> list[Box]:
    """Narrow white columns between words that run through at least some lines below each other."""
    narrow = [at for at, found in gaps.items() if any(width <= _WIDE for *_, width in found)]
    if len(narrow) < _LINES_OF_A_GUTTER:
        return []
    gutters: list[Box] = []
    ordered = sorted(gaps, key=lambda at: lines[at].box[1])
    seeds = {(start + end) / 2 for at in narrow for _, start, end, width in gaps[at] if width <= _WIDE}
    covered: set[float] = set()
    for middle in sorted(seeds):
        if any(box[0] < middle < box[2] for box in gutters):
            continue
        through = [
            (lines[at].box, start, end) for at in ordered for _, start, end, _ in gaps[at] if start < middle < end
        ]
        gutters += _runs(lines, through)
        covered.add(middle)
    return gutters


def _runs(lines: Sequence[Line], through: list[tuple[Box, float, float]]) -> list[Box]:
    """Stretches of consecutive lines with a common gap that no other line crosses."""
    found: list[Box] = []
    run: list[tuple[Box, float, float]] = []
    for entry in [*through, None]:
        if run and entry is not None:
            box, start, end = entry
            last = run[-1][0]
            left, right = max(start, *(each[1] for each in run)), min(end, *(each[2] for each in run))
            if box[1] - last[3] < 2 * (last[3] - last[1]) and right - left > MIN_GAP * 0.8:
                run.append(entry)
                continue
        if len(run) >= _LINES_OF_A_GUTTER:
            left, right = max(each[1] for each in run), min(each[2] for each in run)
            top, bottom = run[0][0][1], run[-1][0][3]
            crossing = sum(
                1
                for line in lines
                if top < (line.box[1] + line.box[3]) / 2 < bottom
                and line.box[0] < left
                and line.box[2] > right
                and not any(each[0] is line.box for each in run)
            )
            if crossing * 8 < len(run):
                found.append((left, top, right, bottom))
        run = [entry] if entry is not None else []
    return found


def _is_in(gutters: list[Box], gap: _Gap, box: Box) -> bool:
    _, start, end, _ = gap
    middle = (box[1] + box[3]) / 2
    return any(start <= x0 and x1 <= end and y0 <= middle <= y1 for x0, y0, x1, y1 in gutters)


def _at_rules(lines: Sequence[Line], rules: Sequence[Box]) -> dict[int, list[int]]:
    """Cuts where a vertical rule passes between two words."""
    upright = sorted([((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in rules if x1 - x0 < y1 - y0])
    if not upright:
        return {}
    xs = [x for x, _, _ in upright]
    cuts: dict[int, list[int]] = {}
    for at, line in enumerate(lines):
        left, top, right, bottom = line.box
        first, end = bisect_left(xs, left), bisect_right(xs, right)
        if first == end or len(line.words) < 2:
            continue
        middle = (top + bottom) / 2
        crossing = sorted({x for x, y0, y1 in upright[first:end] if y0 <= middle <= y1})
        if crossing:
            found = [
                place
                for place, (before, word) in enumerate(pairwise([word.box for word in line.words]), start=1)
                if bisect_right(crossing, _center(before)) != bisect_right(crossing, _center(word))
            ]
            if found:
                cuts[at] = found
    return cuts


def _center(box: Box) -> float:
    return (box[0] + box[2]) / 2
