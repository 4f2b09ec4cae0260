"""Layout signals for the document class, independent of language."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Patterns with a lookbehind start with the symbol itself, which makes the search many times faster.
_AMOUNT = re.compile(r"\d(?<![\d.,].)\d{0,2}(?:[.,' ]\d{3})*[.,]\d{2}(?![\d.,]*\d)")
_MONTHS = (
    "jan|feb|mar|maa|mär|apr|abr|avr|may|mai|mag|mei|jun|giu|jul|lug|"
    "aug|ago|aoû|sep|set|oct|okt|ott|out|nov|dec|dez|dic|déc"
)
_DATE = rf"\d{{1,4}}[./-]\d{{1,2}}(?:[./-]\d{{1,4}})?|\d{{1,2}}[. -]{{0,2}}(?:{_MONTHS})\w*|(?:{_MONTHS})\w* \d{{1,2}}"
_TRANSACTION = re.compile(rf"\W*(?:{_DATE})\b.{{3,}}\d[.,]\d\d\s*(?:[-+SHCD]|[A-Z]{{2,3}})?\W*$", re.IGNORECASE)
_CLOCK = re.compile(r"\d(?<!\w.)(?:(?<=[01])\d|(?<=2)[0-3])?[:.h][0-5]\d(?:[:.][0-5]\d)?(?:\s?[AP]M)?\b", re.IGNORECASE)
_YEARS = re.compile(
    r"[12](?<!\w.)(?:(?<=1)9|(?<=2)0)\d\d\s*(?:-|–|—|to|bis|a|à|until)\s*"
    r"(?:(?:19|20)\d\d|present|current|now|today|heute|actual)",
    re.IGNORECASE,
)
_BLANK = re.compile(r"[_.☐□☑☒❏❑◻\[(](?:(?<=_)_{3,}|(?<=\.)\.{7,}|(?<=[☐□☑☒❏❑◻])|(?<=\[) {0,2}\]|(?<=\() {1,3}\))")
_MACHINE_READABLE = re.compile(r"^[A-Z0-9<]{28,46}$")
_SENTENCE = re.compile(r"[.!?](?<=[a-zß-ÿ].)(?=\s|$)")

# Receipts are taller than any office paper, whose ratio is at most 1.65 (Legal).
_TALL = 1.8
_OFFICE_PAPER = ((595, 842), (612, 792), (612, 1008))
_TOLERANCE = 0.02
_MAX_CHARACTERS = 20_000
_MAX_LINES = 400


@dataclass(frozen=True, slots=True)
class Layout:
    pages: int
    words: int
    line_characters: float
    amounts: int
    transactions: int
    year_ranges: int
    blanks: int
    form_fields: int
    machine_readable_lines: int
    sentences: int
    tall: bool
    office_paper: bool
    text: str

    @property
    def has_clock_time(self) -> bool:
        """Computed on demand, because few documents need it."""
        return _CLOCK.search(self.text) is not None


def look_at(
    text: str,
    first_page: Sequence[str],
    *,
    page_count: int,
    page_size: tuple[float, float] | None,
    form_fields: int,
) -> Layout:
    head = text[:_MAX_CHARACTERS]
    lines = [line for line in head.splitlines() if line.strip()][:_MAX_LINES]
    page = [line for line in first_page if line.strip()] or lines
    return Layout(
        pages=page_count,
        words=text.count(" ") + text.count("\n"),
        line_characters=sum(len(line) for line in page) / max(len(page), 1),
        amounts=len(_AMOUNT.findall(head)),
        transactions=sum(1 for line in lines if _TRANSACTION.match(line.strip()[:200])),
        year_ranges=len(_YEARS.findall(head)),
        blanks=len(_BLANK.findall(head)),
        form_fields=form_fields,
        machine_readable_lines=sum(1 for line in lines if "<" in line and _is_machine_readable(line)),
        sentences=len(_SENTENCE.findall(head)),
        tall=page_size is not None and page_size[1] > _TALL * page_size[0],
        office_paper=page_size is not None and _is_office_paper(page_size),
        text=head,
    )


def _is_office_paper(size: tuple[float, float]) -> bool:
    short, long = sorted(size)
    return any(
        abs(short - width) < _TOLERANCE * width and abs(long - height) < _TOLERANCE * height
        for width, height in _OFFICE_PAPER
    )


def _is_machine_readable(line: str) -> bool:
    """The machine-readable lines at the bottom of passports and identity cards."""
    squeezed = line.replace(" ", "")
    return "<<" in squeezed and _MACHINE_READABLE.match(squeezed) is not None


def scores(layout: Layout) -> dict[str, float]:
    """Points for and against each class, on the scale of the cues: about two are a strong hint."""
    short = layout.pages <= 2 and layout.words <= 400
    long = layout.words > 600
    many_amounts = layout.amounts >= 3
    prose = layout.sentences >= 5 and layout.words >= 100 and layout.amounts * 3 < layout.sentences
    return {
        "receipt": _receipt(layout, short),
        "invoice": (1.0 if many_amounts else -0.5)
        - (1.5 if layout.tall else 0.0)
        - (2.0 if layout.pages > 20 else 0.0),
        "bank_statement": min(layout.transactions, 8) * 0.4 - (0.0 if many_amounts else 2.0),
        "contract": (0.5 if long and prose else 0.0) - (1.0 if layout.words < 120 else 0.0),
        "letter": 0.8 if 30 <= layout.words <= 900 and layout.pages <= 3 else -2.0,
        "resume": min(layout.year_ranges, 3) * 0.8 - (2.0 if layout.pages > 8 or layout.amounts > 12 else 0.0),
        "article": (1.5 if prose else -0.5) + (0.5 if long else 0.0),
        "form": _form(layout),
        "tax_form": 0.5 if layout.form_fields >= 5 or layout.blanks >= 5 else 0.0,
        "id": (6.0 if layout.machine_readable_lines else 0.0) + (0.5 if layout.words <= 120 else -2.5),
        "medical_report": 0.0,
    }


def _receipt(layout: Layout, short: bool) -> float:
    if layout.pages > 3 or layout.words > 900:
        return -4.0
    if not short or layout.amounts < 2:
        return -1.0
    if layout.office_paper:
        return 0.0
    narrow = 2.0 if layout.tall else 1.5 if layout.line_characters <= 32 else 0.0
    return 1.0 + narrow + (1.0 if layout.has_clock_time else 0.0)


def _form(layout: Layout) -> float:
    if layout.words > 3_000 and layout.form_fields < 10:
        return -8.0
    return min(layout.blanks, 10) * 0.25 + min(layout.form_fields, 12) * 0.25
