"""The parts of an entry, each for the field that asks for it: by their words and form, then by their place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from docsieve.engines.local.lists.groups import Cell
from docsieve.engines.local.sections.entries import BULLET, Entry
from docsieve.engines.local.sections.headings import Line
from docsieve.engines.local.sections.kinds import CODE, DEGREE, FREQUENCY, LANGUAGE, MEASURE, ROLE, SCHOOL
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.values.names import company_clue

BY_WORDS, BY_PLACE = 1.0, 0.75
_SEPARATOR = re.compile(r"\s*[|·•●▪;:/]\s+|\s+[–—-]\s+|,\s+|\s*[()]\s*")
_NEXT_WORD = re.compile(r",\s+(?P<word>[\w.]{2,10})(?:\s|,|$)")
_EDGES = " ,;:|·•()–—-"
_MAX_LENGTH, _MAX_PIECES = 400, 20
_LEAD_IN = re.compile(r"[^.]{3,40}\.\s+(?=[A-ZÀ-Ý])")
_GRADE = re.compile(r"\b(?:gpa|grade|note|nota|mention|average|cgpa)\b[:\s]*", re.I)
_WORDY = frozenset(("", "role", "organization", "school", "degree", "place", "subject", "level", "language", "reason"))
_SHARE_OF_SLOT = 0.45
_GUESSED = 0.2
_MIN_SCORE = 0.12


@dataclass(slots=True, eq=False)
class Segment:
    """A part of a line between separators; `slot` is its place in the entry."""

    line: Line
    start: int
    end: int
    slot: tuple[int, int]

    @property
    def text(self) -> str:
        return self.line.text[self.start : self.end]


@dataclass(slots=True, eq=False)
class Parsed:
    """An entry with the values already taken from it, and the segments that are left."""

    cells: dict[int, Cell] = field(default_factory=dict)
    segments: list[Segment] = field(default_factory=list)


def cell(line: Line, start: int, end: int, worth: float) -> Cell:
    return Cell(line.text[start:end].strip(_EDGES), line.spots(start, end), worth)


def rows_of(entries: Sequence[Entry], parts: Sequence[str]) -> list[dict[int, Cell]]:
    """One row of cells per entry, by the index of the part."""
    parsed = [_dated(entry, parts) for entry in entries]
    _assign(parsed, parts)
    for entry, found in zip(entries, parsed, strict=True):
        _describe(entry, parts, found)
    return [found.cells for found in parsed if found.cells]


def _dated(entry: Entry, parts: Sequence[str]) -> Parsed:
    found = Parsed()
    taken: dict[int, list[tuple[int, int]]] = {}
    if entry.period is not None:
        line, period = entry.period
        taken.setdefault(id(line), []).append(period.whole)
        places = {"start": period.start, "end": period.end, "period": period.whole}
        for at, part in enumerate(parts):
            place = places.get(part)
            if place is not None:
                found.cells[at] = cell(line, *place, BY_WORDS)
            elif part == "current" and period.start is not None:
                spots = line.spots(*period.whole)
                found.cells[at] = Cell("yes" if period.is_open else "no", spots, BY_WORDS)
    for number, line in enumerate(entry.head):
        spans = taken.get(id(line), []) + _typed(line, parts, found)
        found.segments += segments_of(line, number, spans)
    if "role" in parts and entry.body and (lead := _LEAD_IN.match(entry.body[0].text)) is not None:
        end = len(lead[0].rstrip(". "))
        if ROLE.search(folded(lead[0])):
            found.segments.append(Segment(entry.body[0], 0, end, (len(entry.head), 0)))
    return found


def _typed(line: Line, parts: Sequence[str], found: Parsed) -> list[tuple[int, int]]:
    """Take the codes, measures and how-oftens of a line; they need no separator."""
    spans: list[tuple[int, int]] = []
    plain = _folded_in_place(line.text)
    for at, part in enumerate(parts):
        pattern, text = {
            "code": (CODE, line.text),
            "measure": (MEASURE, line.text),
            "frequency": (FREQUENCY, plain),
        }.get(part, (None, ""))
        if pattern is None or at in found.cells:
            continue
        match = pattern.search(text)
        if match is not None and not any(start < match.end() and match.start() < end for start, end in spans):
            found.cells[at] = cell(line, *match.span(), BY_WORDS)
            spans.append(match.span())
    return spans


def _folded_in_place(text: str) -> str:
    """Without accents and capitals, each letter at its place."""
    return "".join(plain if len(plain := folded(each)) == 1 else each for each in text)


def segments_of(line: Line, number: int, spans: Sequence[tuple[int, int]]) -> list[Segment]:
    text = line.text[:_MAX_LENGTH]
    cuts = [(0, match.end()) for match in [BULLET.match(text)] if match]
    cuts += spans
    for match in _SEPARATOR.finditer(text):
        if not _before_legal_form(text, match.start()) and not any(s <= match.start() < e for s, e in spans):
            cuts.append(match.span())
    for before, after in zip(line.pieces[:_MAX_PIECES], line.pieces[1:], strict=False):
        at = next(start for (token, piece), start in zip(line.tokens, line.starts, strict=True) if piece is after)
        if after.box[0] - before.box[2] > 1.5 * line.page.height:
            cuts.append((at - 1, at))
    found: list[Segment] = []
    at = 0
    for start, end in [*sorted(cuts), (len(text), len(text))]:
        said = text[at:start].strip(_EDGES)
        if len(said) > 1 and any(map(str.isalnum, said)):
            begin = text.index(said, at)
            found.append(Segment(line, begin, begin + len(said), (number, len(found))))
        at = max(at, end)
    return found


def _before_legal_form(text: str, comma: int) -> bool:
    following = _NEXT_WORD.match(text, comma)
    return following is not None and company_clue(f"- {following['word']}") == 1.0


def _clue(part: str, text: str) -> float:
    """How much a text looks like the part that a field asks for."""
    plain = folded(text)
    role, school, degree = bool(ROLE.search(plain)), bool(SCHOOL.search(plain)), bool(DEGREE.search(plain))
    company = company_clue(text)
    if part == "role":
        return 1.0 if role and company < 1 else -0.4 if company == 1 or school else 0.0
    if part == "organization":
        return company if company else 0.7 if school else -0.4 if role or degree else 0.0
    if part == "school":
        return 1.0 if school and not degree else 0.5 if school or company else -0.4 if degree else 0.0
    if part == "degree":
        return 1.0 if degree else -0.4 if school or company == 1 else 0.0
    if part == "language":
        return 1.0 if LANGUAGE.search(plain) else 0.0
    if part in ("level", "subject", "place"):
        said = role or school or degree or company > 0 or (part == "level" and LANGUAGE.search(plain))
        return -0.5 if said else 0.15 if part == "place" and len(text.split()) <= 3 and text[:1].isupper() else 0.0
    if part == "grade":
        return 1.0 if _GRADE.search(text) else -1.0
    return -0.2 if role or school or degree or company == 1 else 0.0


def _assign(parsed: Sequence[Parsed], parts: Sequence[str]) -> None:
    """Give each segment to a part: by its own looks and those of the same place in the other entries."""
    wanted = [at for at, part in enumerate(parts) if part in _WORDY or part == "grade"]
    clues = {
        (number, id(segment), at): _clue(parts[at], segment.text)
        for number, found in enumerate(parsed)
        for segment in found.segments
        for at in wanted
    }
    by_slot: dict[tuple[tuple[int, int], int], list[float]] = {}
    for number, found in enumerate(parsed):
        for segment in found.segments:
            for at in wanted:
                by_slot.setdefault((segment.slot, at), []).append(clues[number, id(segment), at])
    usual = {key: sum(values) / len(values) for key, values in by_slot.items()}
    for number, found in enumerate(parsed):
        open_parts = [at for at in wanted if at not in found.cells]
        scored = [
            (
                clues[number, id(segment), at] + _SHARE_OF_SLOT * usual[segment.slot, at] + _by_order(rank, order),
                rank,
                at,
            )
            for rank, segment in enumerate(found.segments)
            for order, at in enumerate(open_parts)
        ]
        used: set[int] = set()
        for score, rank, at in sorted(scored, key=lambda each: (-each[0], each[1], each[2])):
            segment = found.segments[rank]
            if score < _MIN_SCORE or at in found.cells or rank in used:
                continue
            used.add(rank)
            told = clues[number, id(segment), at] > 0.4
            end = _end_with_subject(found.segments, rank, used) if parts[at] == "degree" else segment.end
            found.cells[at] = cell(segment.line, segment.start, end, BY_WORDS if told else BY_PLACE)


def _end_with_subject(segments: Sequence[Segment], rank: int, used: set[int]) -> int:
    """A degree goes on with the next part of its line if that is nothing else: `BS – Computer Science`."""
    here = segments[rank]
    if rank + 1 < len(segments) and rank + 1 not in used:
        following = segments[rank + 1]
        if following.line is here.line and max(_clue(part, following.text) for part in ("school", "organization")) <= 0:
            used.add(rank + 1)
            return following.end
    return here.end


def _by_order(rank: int, order: int) -> float:
    return _GUESSED - 0.03 * abs(rank - order) - 0.01 * rank


def _describe(entry: Entry, parts: Sequence[str], found: Parsed) -> None:
    at = next((at for at, part in enumerate(parts) if part == "details"), None)
    if at is None or at in found.cells or not entry.body:
        return
    text = " ".join(BULLET.sub("", line.text, count=1) for line in entry.body)
    spots = [spot for line in entry.body for spot in line.spots(0, len(line.text))]
    found.cells[at] = Cell(text, spots, BY_PLACE)
