"""What a single page says about where documents begin and end."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from docsieve.analysis.classification.classify import classify
from docsieve.analysis.classification.language import detect_language
from docsieve.analysis.classification.words import HEADING, SHORT_LINE, built_in_cues, document_words, find, words_of
from docsieve.analysis.packets import vocabulary
from docsieve.analysis.packets.identifiers import codes, labeled, pairs
from docsieve.analysis.packets.page_numbers import PageNumber, page_number
from docsieve.domain.pages.page import Line, Page

_HEADER, _FOOTER = 0.14, 0.9
_UPPER = 0.45
_TITLE_HEIGHT = 1.25
_LARGE = 1.7
_TITLE_WORDS = 8
_DATE = re.compile(
    r"\b(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d\d|(?:19|20)\d\d-\d\d-\d\d|\d{1,2}\.?\s+[^\W\d_]{3,10}\.?,?\s+(?:19|20)\d\d|"
    r"[^\W\d_]{3,10}\.?\s+\d{1,2},?\s+(?:19|20)\d\d|\d{1,2}\s+de\s+[^\W\d_]+\s+de\s+(?:19|20)\d\d)\b"
)
_POSTAL = re.compile(
    r"(?:^|\s)(?:[A-Z]{1,2}-)?\d{4,5}\s+[A-ZÀ-Ý][\w-]+|\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[\dA-Z]?\s+\d[A-Z]{2}\b"
)
_CLAUSE = re.compile(
    r"^\s*(?:§\s*|art(?:icle|ikel|iculo|\.)?\s*|section\s+|clause\s+)?(\d{1,3})(?:\.(\d{1,3}))*[.)]?\s+\S",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?:;…»”\"')\]]\s*$")
_POSITION = re.compile(r"^(\d{1,3})\.?\s{2,}\S")
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_ENDED_LINES = 12
_SHORT_LINE = 80
_LINE_CHARACTERS = 400
_MIN_CLAUSES = 2
_HEIGHT_STEPS = 12  # per factor e: heights that differ by less than a twelfth are the same
_EDGE_STEP = 0.01
_MIN_SENTENCE = 6
_MAX_LINES = 1_000


@dataclass(frozen=True, slots=True)
class PageFacts:
    """Facts about one page. Positions and extents are shares of the page's size.

    `labeled` are document numbers anywhere, `named` those of the upper part.
    """

    number: int
    size: tuple[float, float]
    origin: str
    printed: PageNumber | None
    language: str | None
    document_class: str
    class_confidence: float
    titles: frozenset[str]
    header: frozenset[str]
    footer: frozenset[str]
    words: frozenset[str]
    names: frozenset[str]
    upper: frozenset[str]
    codes: frozenset[str]
    labeled: dict[str, frozenset[str]]
    named: dict[str, frozenset[str]]
    pairs: dict[str, str]
    heading: str
    text_height: float
    heights: frozenset[int]
    edges: frozenset[int]
    left_margin: float
    filled: float
    columns: tuple[float, ...]
    table_at_top: bool
    table_at_bottom: bool
    first_clause: int | None
    last_clause: int | None
    first_position: int | None
    last_position: int | None
    has_title: bool
    has_large_title: bool
    has_salutation: bool
    dates: frozenset[str]
    addresses: frozenset[str]
    has_closing: bool
    has_total: bool
    is_appendix: bool
    names_appendix: bool
    is_carried_over: bool
    continues_overleaf: bool
    starts_mid_sentence: bool
    ends_mid_sentence: bool


def page_facts(page: Page) -> PageFacts:
    # what a hostile document may hold in one line is not searched with regular expressions
    page = replace(page, lines=[replace(line, text=line.text[:_LINE_CHARACTERS]) for line in page.lines[:_MAX_LINES]])
    lines = sorted((line for line in page.lines if line.text.strip()), key=lambda line: (line.box[1], line.box[0]))
    rows = _rows(lines)
    upper = [line for line in lines if line.box[1] < page.height * _UPPER]
    upper_rows = _rows(upper)
    top = vocabulary.folded("\n".join(rows[: max(_ENDED_LINES, len(rows) // 3)]))
    body = [line for line in lines if page.height * _HEADER < line.box[1] < page.height * _FOOTER]
    height = median([_height(line) for line in lines]) if lines else 0.0
    text = "\n".join(line.text for line in page.lines)
    classification = classify(
        text,
        first_page=[line.text for line in page.lines],
        page_count=1,
        page_size=(page.width, page.height),
        form_fields=len(page.form_fields),
    )
    clauses = [int(match[1]) for line in lines if (match := _CLAUSE.match(line.text))]
    clauses = clauses if len(clauses) >= _MIN_CLAUSES else []
    positions = _positions(rows)
    return PageFacts(
        number=page.number,
        size=(page.width, page.height),
        origin=page.origin,
        printed=page_number(page),
        language=detect_language(text),
        document_class=classification.name,
        class_confidence=classification.confidence,
        titles=_title_classes(text, page),
        header=_masked(line.text for line in lines if line.box[3] < page.height * _HEADER),
        footer=_masked(line.text for line in lines if line.box[1] > page.height * _FOOTER),
        words=frozenset(word for word in words_of(text) if len(word) > 3 and not word.isdigit()),
        names=_names(rows),
        upper=_masked(line.text for line in upper),
        codes=codes(rows),
        labeled=labeled(rows),
        named=labeled(upper_rows),
        pairs=pairs(upper_rows),
        heading=_heading(upper, height),
        text_height=height / (page.height or 1.0),
        heights=_usual(round(_HEIGHT_STEPS * math.log(_height(line))) for line in lines if _height(line) > 1),
        edges=_usual(round(line.box[0] / (page.width or 1.0) / _EDGE_STEP) for line in body),
        left_margin=_left_margin(body or lines, page),
        filled=max((line.box[3] for line in body), default=0.0) / (page.height or 1.0),
        columns=_columns(page),
        table_at_top=any(table.box[1] < page.height * 0.35 for table in page.tables),
        table_at_bottom=any(table.box[3] > page.height * 0.7 for table in page.tables),
        first_clause=clauses[0] if clauses else None,
        last_clause=clauses[-1] if clauses else None,
        first_position=positions[0] if positions else None,
        last_position=positions[-1] if positions else None,
        has_title=_has_title(upper, height),
        has_large_title=any(_height(line) > height * _LARGE for line in upper if len(line.text.strip()) >= 4),
        has_salutation=any(_begins(vocabulary.SALUTATION, line.text) for line in lines),
        dates=frozenset(date for line in upper for date in _DATE.findall(line.text)),
        addresses=frozenset(line.text.strip() for line in upper if _POSTAL.search(line.text)),
        has_closing=bool(vocabulary.CLOSING.search(vocabulary.folded("\n".join(rows[-_ENDED_LINES:])))),
        has_total=any(_begins(vocabulary.TOTAL, row) and _DIGIT.search(row) for row in rows[-_ENDED_LINES:]),
        is_appendix=any(_is_appendix(row) for row in rows[:5]),
        names_appendix=any(_begins(vocabulary.APPENDIX, row) for row in rows[:5]),
        is_carried_over=bool(vocabulary.CARRIED_OVER.search(top)),
        continues_overleaf=bool(vocabulary.CONTINUES_OVERLEAF.search(vocabulary.folded("\n".join(rows[-8:])))),
        starts_mid_sentence=_starts_mid_sentence(body),
        ends_mid_sentence=_ends_mid_sentence(body, page),
    )


def word_count(page: Page) -> int:
    return sum(len(line.text.split()) for line in page.lines)


def _height(line: Line) -> float:
    return line.box[3] - line.box[1]


def _rows(lines: Sequence[Line]) -> list[str]:
    """The text of lines that share a baseline, joined: a label and its value are often two lines of a row."""
    rows: list[tuple[float, list[Line]]] = []
    for line in lines:
        center = (line.box[1] + line.box[3]) / 2
        if rows and abs(rows[-1][0] - center) < _height(line) * 0.5:
            rows[-1][1].append(line)
        else:
            rows.append((center, [line]))
    return ["  ".join(each.text for each in sorted(row, key=lambda line: line.box[0])) for _, row in rows]


def _masked(texts: Iterable[str]) -> frozenset[str]:
    """Words with digits masked, so that a running header with a page number stays the same."""
    return frozenset(
        re.sub(r"\d", "#", word.casefold()) for text in texts for word in re.findall(r"\w[\w@.&/-]*\w|\w", text)
    )


def _title_classes(text: str, page: Page) -> frozenset[str]:
    found = find(document_words(text, [line.text for line in page.lines]), built_in_cues())
    return frozenset(
        cue.label for cue, place in found.items() if cue.tier == "titles" and place in (HEADING, SHORT_LINE)
    )


def _names(rows: Sequence[str]) -> frozenset[str]:
    """Capitalized words inside lines: people, companies, places, and what German capitalizes."""
    return frozenset(
        word.casefold() for row in rows for word in _LETTERS.findall(row) if word[0].isupper() and len(word) > 3
    )


def _left_margin(lines: Sequence[Line], page: Page) -> float:
    return (sorted(line.box[0] for line in lines)[len(lines) // 10] / (page.width or 1.0)) if lines else 0.0


def _columns(page: Page) -> tuple[float, ...]:
    """The left edges of the columns of the largest table."""
    if not page.tables:
        return ()
    table = max(page.tables, key=lambda table: len(table.cells))
    edges = {cell.column: cell.box[0] / (page.width or 1.0) for cell in reversed(table.cells)}
    return tuple(round(edges[column], 3) for column in sorted(edges))


def _has_title(upper: Sequence[Line], height: float) -> bool:
    """A short line in the upper part that is set larger than the text, or in capitals."""
    for line in upper:
        words = line.text.split()
        letters = [sign for sign in line.text if sign.isalpha()]
        if not 1 <= len(words) <= _TITLE_WORDS or len(letters) < 4:
            continue
        if line.role == "heading" or _height(line) > height * _TITLE_HEIGHT or all(sign.isupper() for sign in letters):
            return True
    return False


def _heading(upper: Sequence[Line], height: float) -> str:
    """The largest line of the upper part, if it is larger than the text, with digits masked."""
    largest = max(upper, key=_height, default=None)
    if largest is None or _height(largest) <= height * _TITLE_HEIGHT or len(_LETTERS.findall(largest.text)) < 1:
        return ""
    return re.sub(r"\d", "#", " ".join(largest.text.casefold().split()))


def _positions(rows: Sequence[str]) -> list[int]:
    """The numbers of the rows of a list, if they count up one by one."""
    found = [int(match[1]) for row in rows if (match := _POSITION.match(row))]
    counts_up = all(after == before + 1 for before, after in pairwise(found))
    return found if len(found) >= _MIN_CLAUSES and counts_up else []


def _usual(values: Iterable[int]) -> frozenset[int]:
    """What occurs more than once, as a style does."""
    return frozenset(value for value, count in Counter(values).items() if count > 1)


_APPENDIX_MARK = re.compile(r"^\s*\S+(?:\s+(?:[A-Z]|[IVX]{1,4}|\d{1,2}))?\s*(?:$|[:.–-]\s)")


def _is_appendix(row: str) -> bool:
    """Whether a line is no more than "Appendix", or "Exhibit B" with or without a title behind it."""
    return _begins(vocabulary.APPENDIX, row) and _APPENDIX_MARK.match(row) is not None


def _begins(phrases: re.Pattern[str], text: str) -> bool:
    """Whether a short line begins with one of the phrases; inside a sentence they mean little."""
    folded = vocabulary.folded(text)
    return phrases.match(folded) is not None and len(folded) < _SHORT_LINE


def _starts_mid_sentence(body: Sequence[Line]) -> bool:
    first = next((line.text.strip() for line in body if len(line.text.split()) > 3), "")
    return bool(first) and first[0].islower()


def _ends_mid_sentence(body: Sequence[Line], page: Page) -> bool:
    """Whether the last line is one of a paragraph: wide, with words, under another one, and without an end."""
    if len(body) < 2:
        return False
    above, last = sorted(body, key=lambda line: line.box[1])[-2:]
    wide = all(line.box[2] - line.box[0] > page.width * 0.45 for line in (above, last))
    words = all(len(_LETTERS.findall(line.text)) >= _MIN_SENTENCE for line in (above, last))
    aligned = abs(above.box[0] - last.box[0]) < page.width * 0.02
    return wide and words and aligned and last.box[3] > page.height * 0.75 and not _SENTENCE_END.search(last.text)
