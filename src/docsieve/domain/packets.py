"""Packets: where a file that holds several documents is cut, and the parts that come of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

SURE = 0.9
"""Cuts with at least this confidence are made at once; others wait for a person."""

Split = Literal["auto", "none"]
CutState = Literal["proposed", "accepted", "removed", "added"]
DecidedBy = Literal["detector", "person"]


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut after a page. `confidence` is None where only a person saw one; `reasons` are for people."""

    after_page: int
    confidence: float | None
    reasons: tuple[str, ...] = ()
    state: CutState = "proposed"
    decided_by: DecidedBy | None = None

    @property
    def is_made(self) -> bool:
        return self.state in ("accepted", "added")


@dataclass(frozen=True, slots=True)
class LeftOutPage:
    """A page that belongs to no document."""

    page: int
    reason: Literal["blank", "separator"]


@dataclass(frozen=True, slots=True)
class DetectedSplits:
    cuts: tuple[Cut, ...] = ()
    left_out: tuple[LeftOutPage, ...] = ()


class PageRange(NamedTuple):
    """First and last page, both included."""

    first: int
    last: int


def decided(cuts: Sequence[Cut], earlier: Sequence[Cut]) -> list[Cut]:
    """Make the sure cuts. What a person decided earlier stays, whatever is detected now."""
    kept = {cut.after_page: cut for cut in earlier if cut.decided_by == "person"}
    for cut in cuts:
        if cut.after_page not in kept:
            sure = cut.confidence is not None and cut.confidence >= SURE
            kept[cut.after_page] = Cut(
                cut.after_page,
                cut.confidence,
                cut.reasons,
                "accepted" if sure else "proposed",
                "detector" if sure else None,
            )
    return [kept[page] for page in sorted(kept)]


def parts(cuts: Sequence[Cut], left_out: Collection[int], page_count: int) -> list[PageRange]:
    """The page ranges between the cuts that are made, without blank pages and separator sheets at their ends.

    Empty if no cut is made or a single part is left: the document is then no packet.
    """
    ends = [cut.after_page for cut in cuts if cut.is_made and cut.after_page < page_count]
    found = []
    for first, last in zip([1, *(end + 1 for end in ends)], [*ends, page_count], strict=True):
        pages = [page for page in range(first, last + 1) if page not in left_out]
        if pages:
            found.append(PageRange(pages[0], pages[-1]))
    return found if len(found) > 1 else []


def needs_review(cuts: Sequence[Cut]) -> bool:
    return any(cut.state == "proposed" for cut in cuts)
