"""Finds where the documents of a packet begin, from its pages, one page at a time."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from docsieve.analysis.packets.gaps import features, is_first_page
from docsieve.analysis.packets.page_facts import PageFacts, page_facts, word_count
from docsieve.analysis.packets.score import Model, model
from docsieve.analysis.packets.sheets import SPARSE_WORDS, SheetLook, sheet_kind
from docsieve.domain.packets import Cut, DetectedSplits, LeftOutPage
from docsieve.domain.pages.page import Page

WORTH_REVIEW = 0.2
"""Less likely cuts are not even proposed."""

_SURE_OF_SEPARATOR = 0.99
_USUAL_SHARE = 0.5
_FIRST_PAGES = 20

Look = Callable[[Page], SheetLook | None]


@dataclass(slots=True)
class Gap:
    """Between two pages with content; `features` are complete once all pages were seen."""

    after_page: int
    next_page: int
    blanks: int
    has_separator: bool
    features: dict[str, float] = field(default_factory=dict)


def detect(pages: Iterable[Page], look: Look) -> DetectedSplits:
    """The likely cuts of a packet. `look` renders a page that has few words."""
    gaps, left_out = find_gaps(pages, look)
    judge = model()
    cuts = [cut for gap in gaps if (cut := _cut(gap, judge)) is not None]
    return DetectedSplits(tuple(cuts), tuple(left_out))


def find_gaps(pages: Iterable[Page], look: Look) -> tuple[list[Gap], list[LeftOutPage]]:
    gaps: list[Gap] = []
    left_out: list[LeftOutPage] = []
    between: list[LeftOutPage] = []
    before: PageFacts | None = None
    first_pages: deque[PageFacts] = deque(maxlen=_FIRST_PAGES)
    for page in pages:
        kind = sheet_kind(page, look(page)) if word_count(page) <= SPARSE_WORDS else None
        if kind is not None:
            between.append(LeftOutPage(page.number, kind))
            continue
        after = page_facts(page)
        if before is not None:
            blanks = sum(sheet.reason == "blank" for sheet in between)
            gap = Gap(before.number, after.number, blanks, has_separator=len(between) > blanks)
            gap.features = features(before, after, blanks=blanks, first_pages=first_pages)
            gaps.append(gap)
        if is_first_page(before, after):
            first_pages.append(after)
        left_out += between
        between, before = [], after
    left_out += between
    _count_blanks(gaps)
    return gaps, left_out


def _count_blanks(gaps: list[Gap]) -> None:
    """Blank pages say little if they are everywhere, as the backs of a pile that was scanned on both sides."""
    usual = len(gaps) > 1 and sum(gap.blanks > 0 for gap in gaps) > _USUAL_SHARE * len(gaps)
    for gap in gaps:
        if gap.blanks:
            gap.features["blank_usual" if usual else "blank"] = 1.0


def _cut(gap: Gap, judge: Model) -> Cut | None:
    if gap.has_separator:
        return Cut(gap.after_page, _SURE_OF_SEPARATOR, ("a separator sheet lies in between",))
    confidence = judge.confidence(gap.features)
    if confidence < WORTH_REVIEW:
        return None
    return Cut(gap.after_page, confidence, judge.reasons(gap.features))
