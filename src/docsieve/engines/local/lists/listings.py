"""Lists without ruling lines: a row of headings, then rows with words under them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from docsieve.engines.local.lists.groups import Cell, Group, Listing, choices_of
from docsieve.engines.local.lists.tables.rows import NAMED_ABOVE, is_summary
from docsieve.engines.local.lists.wrapped import cut_remarks
from docsieve.engines.local.page.columns import ends_as_label
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, Token, said, shared, spot, union
from docsieve.engines.local.vocabulary.canon import canonical, joined
from docsieve.engines.local.vocabulary.labels import beginnings
from docsieve.engines.local.vocabulary.targets import Words

MIN_HEADING_SCORE = 0.5
_NUMERIC = frozenset(("amount", "number", "integer", "percent"))
_WITHOUT_WORDS = _NUMERIC | {"time"}
_BELOW = frozenset(("time", "date"))
_MAX_IDLE_ROWS = 4
_MAX_HEADING_LINES = 4
_LINE_GAP = 0.6
_MAX_NUMBERING = 3
_NEXT_LINE = 1.2
_MAX_RUN_WORDS = 6
_MAX_GAP = 10.0
_SPREAD = 0.85
_ONLY_WORDS = 0.55

Heading = tuple[int, float, float]
"""A column of the group, and the horizontal extent of its heading."""


@dataclass(slots=True, eq=False)
class HeadingRow:
    """The words of a row, with headings of several lines next to it; the list begins at row `end`.

    `runs` are the words that may be one heading together, and their indexes in `tokens`.
    """

    page: int
    at: int
    end: int
    tokens: list[Token]
    runs: list[tuple[Words, range]]
    beginnings: frozenset[str]


def headed_listings(group: Group, rows: Sequence[HeadingRow], view: DocumentView) -> list[Listing]:
    return _joined(headed_parts(group, rows, view))


def headed_parts(group: Group, rows: Sequence[HeadingRow], view: DocumentView) -> list[Listing]:
    """One listing per row of headings; its key is the location of that row."""
    found: list[Listing] = []
    done = (-1, -1)
    for row in rows:
        if (row.page, row.at) < done:
            continue
        headings, score = _headings(group, row)
        if sum(at >= 0 for at, _, _ in headings) < min(2, len(group.columns)):
            continue
        page = view.pages[row.page]
        entries, end = _rows_under(group, headings, page, row.end)
        cut_remarks(group, entries)
        if entries and _is_tabular(group, entries):
            above = page.rows[row.at - 1].text if row.at else ""
            named = NAMED_ABOVE if set(group.words) & set(canonical(above)) else 0.0
            share = score / len(group.columns) * _SPREAD
            if not any(at >= 0 and group.columns[at].target.type in _NUMERIC for at, _, _ in headings):
                share *= _ONLY_WORDS
            why = f"in an unruled table on page {page.number}"
            found.append(Listing(entries, share + named, why, (row.page, row.at)))
            done = (row.page, end)
    return found


def _joined(found: list[Listing]) -> list[Listing]:
    """Parts that match equally well are one list that continues over pages."""
    if len(found) < 2:
        return found
    best = max(each.score for each in found)
    parts = [each for each in found if each.score > best - 0.05]
    rows = [row for each in parts for row in each.rows]
    return [Listing(rows, best, parts[0].why, parts[0].key), *(each for each in found if each not in parts)]


def heading_rows(view: DocumentView) -> list[HeadingRow]:
    """Rows that could be headings, with every run of their words; found once for all lists."""
    found = []
    for number, page in enumerate(view.pages):
        for at, row in enumerate(page.rows[:-1]):
            tokens = [token for piece in row.pieces for token in piece.tokens]
            ends = [end for piece, end in zip(row.pieces, _ends(row), strict=True) for _ in piece.tokens]
            digits = sum(any(map(str.isdigit, token.text)) for piece in row.pieces for token in _unnumbered(piece))
            if not 2 <= len(tokens) <= 30 or digits > 2 or (len(row.pieces) == 1 and len(tokens) > 8):
                continue
            if len({piece.cell[0] for piece in row.pieces if piece.cell is not None}) > 1:
                continue  # tables side by side
            runs = [
                (_names(tokens[start:end]), range(start, end))
                for start in range(len(tokens))
                for end in range(start + 1, min(start + 3, ends[start]) + 1)
            ]
            adjacent, end = _adjacent(page, at)
            for stack in stacks_of(adjacent):
                start = len(tokens)
                for piece in stack:
                    tokens += piece.tokens
                    text = " ".join(each.text for each in stack[: stack.index(piece) + 1])
                    runs.append((canonical(text.replace("- ", "")), range(start, len(tokens))))
            words = beginnings(word for names, _ in runs for word in names)
            found.append(HeadingRow(number, at, end, tokens, runs, words))
    return found


def _unnumbered(piece: Piece) -> Sequence[Token]:
    """The words of a piece without the number of the box or column that they head: `17 State income tax`."""
    first = piece.tokens[0].text
    return piece.tokens[1:] if len(piece.tokens) > 1 and len(first) <= _MAX_NUMBERING else piece.tokens


def _adjacent(page: PageView, at: int) -> tuple[list[Piece], int]:
    """The pieces of adjacent rows that are next to this row and not over or under it, and the row after them."""
    own = [(piece.box[0], piece.box[2]) for piece in page.rows[at].pieces]
    found: list[Piece] = []
    end = at + 1
    for step in (-1, 1):
        near = page.rows[at]
        for number in range(at + step, at + step * (_MAX_HEADING_LINES + 1), step):
            row = page.rows[number] if 0 <= number < len(page.rows) else near
            gap = max(row.box[1] - near.box[3], near.box[1] - row.box[3])
            covers = any(shared(extent, (piece.box[0], piece.box[2])) > 0 for piece in row.pieces for extent in own)
            if covers or gap > _LINE_GAP * page.height or any(map(str.isdigit, row.text)):
                break
            found += row.pieces
            near, end = row, max(end, number + 1)
    return found, end


def stacks_of(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces under each other."""
    stacks: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda each: each.box[1]):
        extent = piece.box[0], piece.box[2]
        over = next((stack for stack in stacks if shared(extent, (stack[-1].box[0], stack[-1].box[2])) > 0), None)
        if over is None:
            stacks.append([piece])
        else:
            over.append(piece)
    return stacks


def _ends(row: Row) -> Iterator[int]:
    """After which word of the row each piece ends: a heading does not continue across a gap."""
    return accumulate(len(piece.tokens) for piece in row.pieces)


def _headings(group: Group, row: HeadingRow) -> tuple[list[Heading], float]:
    tokens = row.tokens
    scored = [
        (score, at, run)
        for at, column in enumerate(group.columns)
        if column.matcher.beginnings & row.beginnings
        for names, run in row.runs
        if (score := column.matcher.score(names)) >= MIN_HEADING_SCORE
    ]
    taken: set[int] = set()
    chosen: dict[int, range] = {}
    total = 0.0
    choices = choices_of((at, score) for score, at, _ in scored)

    def preference(each: tuple[float, int, range]) -> tuple[float, int, bool, int, int]:
        score, at, run = each
        return -score, choices[at], group.columns[at].target.name != "item_name", at, run.start

    for score, at, run in sorted(scored, key=preference):
        if at not in chosen and taken.isdisjoint(run):
            chosen[at] = run
            taken.update(run)
            total += score
    boxes = {at: union(tokens[place].box for place in run) for at, run in chosen.items()}
    heads = [(at, box[0], box[2]) for at, box in boxes.items()]
    others = [(-1, token.box[0], token.box[2]) for at, token in enumerate(tokens) if at not in taken]
    return (sorted([*heads, *others], key=lambda head: head[1]) if heads else []), total


def _rows_under(
    group: Group, headings: Sequence[Heading], page: PageView, start: int
) -> tuple[list[dict[int, Cell]], int]:
    rows: list[dict[int, Cell]] = []
    idle = 0
    wrapping = False
    at = start
    numeric = {at for at, _, _ in headings if at >= 0 and group.columns[at].target.type in _NUMERIC}
    while at < len(page.rows):
        row = page.rows[at]
        if rows and row.box[1] - page.rows[at - 1].box[3] > _MAX_GAP * page.height:
            break
        if rows and (is_summary(row.pieces[0].text) or is_total_row(row)):
            break
        if group.skips(row.pieces[0].text):
            at += 1
            continue
        entry = _entry(group, headings, row)
        prose = _cuts_a_sentence(group, headings, row)
        if entry and not prose and (not numeric or numeric & set(entry)) and _plausible(group, entry):
            if rows and idle == 0 and rows[-1].keys().isdisjoint(entry):
                rows[-1] |= entry  # a cell that is printed a little lower
            elif not rows or 2 * len(rows[0].keys() & entry) >= len(rows[0]):
                rows.append(entry)
                idle = 0
        else:
            remark = bool(rows and entry) and set(entry).isdisjoint(numeric)
            close = row.box[1] - page.rows[at - 1].box[3] < _NEXT_LINE * page.height
            wrapping = remark and not prose and (idle == 0 or (wrapping and close))
            if wrapping:
                _continue(group, rows[-1], entry)
            if not remark or prose or idle == 0 or len(row.pieces) > 1:
                idle += 1  # further lines under a name do not end the list
            if idle > _MAX_IDLE_ROWS:
                break
        at += 1
    return rows, at


def _cuts_a_sentence(group: Group, headings: Sequence[Heading], row: Row) -> bool:
    """Whether words without a gap would fall into several columns: this is prose, whatever is above it."""
    for piece in row.pieces:
        words = sum(any(map(str.isalpha, token.text)) for token in piece.tokens)
        if len(piece.tokens) > _MAX_RUN_WORDS and (len(row.pieces) == 1 or words * 3 > len(piece.tokens) * 2):
            columns = {_column_of(token, headings, group) for token in piece.tokens}
            if len(columns) > 1:
                return True
    return False


def _is_tabular(group: Group, entries: Sequence[dict[int, Cell]]) -> bool:
    """Whether rows fill several fields; lines that fill only one are under words that merely look like headings."""
    return len(group.columns) == 1 or sum(len(entry) > 1 for entry in entries) * 2 >= len(entries)


def is_total_row(row: Row) -> bool:
    return any(is_summary(piece.text) and (ends_as_label(piece) or len(piece.tokens) <= 3) for piece in row.pieces)


def _entry(group: Group, headings: Sequence[Heading], row: Row) -> dict[int, Cell]:
    by_column: dict[int, list[Token]] = {}
    for piece in row.pieces:
        for token in piece.tokens:
            at = _column_of(token, headings, group)
            if at >= 0:
                by_column.setdefault(at, []).append(token)
    piece = row.pieces[0]
    return {at: Cell(said(tokens), [spot(tokens, piece)]) for at, tokens in by_column.items()}


def _column_of(token: Token, headings: Sequence[Heading], group: Group) -> int:
    """The heading above the word, or the one with the nearest edge."""
    best, nearest = -1, float("inf")
    x0, x1 = token.box[0], token.box[2]
    wordy = len(token.text) > 3 and not any(map(str.isdigit, token.text))
    for at, left, right in headings:
        if wordy and at >= 0 and group.columns[at].target.type in _WITHOUT_WORDS:
            continue
        if min(x1, right) > max(x0, left):
            distance = -min(x1, right) + max(x0, left)
        else:
            distance = min(abs(x0 - right), abs(x1 - left))
            if at >= 0 and group.columns[at].target.type not in _NUMERIC and x0 > right:
                distance *= 0.6  # text may extend to the right of its heading, numbers do not
        if distance < nearest:
            best, nearest = at, distance
    return best


def _plausible(group: Group, entry: dict[int, Cell]) -> bool:
    numbers = [cell for at, cell in entry.items() if group.columns[at].target.type in _NUMERIC]
    return not numbers or any(any(map(str.isdigit, cell.text)) for cell in numbers)


def _continue(group: Group, last: dict[int, Cell], entry: dict[int, Cell]) -> None:
    for at, cell in entry.items():
        if at not in last and group.columns[at].target.type in _BELOW:
            last[at] = cell
        if group.columns[at].target.type in ("text", "name") and at in last and len(last[at].text) < 300:
            if any(map(str.isalpha, last[at].text)) or last[at].text.endswith("-"):
                last[at].text = f"{last[at].text} {cell.text}"
                last[at].spots += cell.spots
            else:
                last[at] = cell  # a number is in the name column, and the name is below it


def _names(tokens: Iterable[Token]) -> tuple[str, ...]:
    return joined(dict.fromkeys(name for token in tokens for name in token.names))
