"""How files ended, whether that was right, and the tables that say so."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table

from docsieve.errors import DocsieveError, DocumentError, EmptyDocument, PasswordRequired, UnsupportedType
from tests.corpora.manifest import Kind, Specimen

MIN_SHARE = 0.97
UNFINISHED = "unfinished"


def _codes(kind: type[DocsieveError]) -> set[str]:
    return {kind.code, *(code for child in kind.__subclasses__() for code in _codes(child))}


_OF_THE_DOCUMENT = _codes(DocumentError) | {UnsupportedType.code, EmptyDocument.code}


@dataclass(frozen=True, slots=True)
class Outcome:
    """`end` is ready, failed, refused (at the upload) or unfinished; `code` says why, unless it is ready."""

    specimen: Specimen
    end: str
    code: str | None = None
    with_text: bool = False
    pages: int = 0
    pages_failed: int = 0
    seconds: float = 0.0

    @property
    def wrong(self) -> str | None:
        """What should have been otherwise."""
        match self.specimen.kind:
            case Kind.EMPTY:
                return None if self.code == EmptyDocument.code else f"should be {EmptyDocument.code}"
            case Kind.LOCKED:
                return None if self.code == PasswordRequired.code else f"should be {PasswordRequired.code}"
            case Kind.DAMAGED:
                fine = self.end == "ready" or self.code in _OF_THE_DOCUMENT
                return None if fine else "should be ready, or name the fault of the document"
            case Kind.FOREIGN:
                fine = self.end == "ready" or self.code == UnsupportedType.code
                return None if fine else f"should be ready or {UnsupportedType.code}"
        if self.end != "ready":
            return "should be ready"
        if self.pages and self.pages_failed == self.pages:
            return "should have a page that could be read"
        return "should have text" if self.specimen.text and not self.with_text else None

    def as_json(self) -> dict[str, Any]:
        about = {name: value for name, value in asdict(self).items() if name != "specimen"}
        specimen = self.specimen
        return {"set": specimen.set, "file": specimen.name, "type": specimen.type, "kind": specimen.kind} | {
            "should_have_text": specimen.text,
            "wrong": self.wrong,
            **about,
        }


@dataclass(frozen=True, slots=True)
class Neighbors:
    """What another tenant saw meanwhile (healthy documents, `/readyz`), and how attachments ended."""

    healthy: int
    not_ready: list[str]
    asked: int
    unanswered: int
    slowest_answer: float
    attached: Counter[str]

    @property
    def unfinished(self) -> int:
        return self.attached["pending"] + self.attached["processing"]


def share_of_open(outcomes: Iterable[Outcome], *, also_foreign: bool = False) -> tuple[int, int]:
    """How many of the files that a person could open came out as they should, and how many there are."""
    kinds = {Kind.OPEN, Kind.FOREIGN} if also_foreign else {Kind.OPEN}
    counted = [outcome for outcome in outcomes if outcome.specimen.kind in kinds]
    right = [outcome for outcome in counted if outcome.wrong is None and outcome.end == "ready"]
    return len(right), len(counted)


def is_good(outcomes: Sequence[Outcome], neighbors: Neighbors) -> bool:
    """All final, the right reason for all that are not open, enough of the open ones, and no other tenant affected."""
    right, counted = share_of_open(outcomes)
    reasons = all(outcome.wrong is None for outcome in outcomes if outcome.specimen.kind is not Kind.OPEN)
    final = all(outcome.end != UNFINISHED for outcome in outcomes) and not neighbors.unfinished
    unharmed = not neighbors.not_ready and not neighbors.unanswered
    return final and reasons and unharmed and right >= MIN_SHARE * counted


def show(console: Console, outcomes: Sequence[Outcome], neighbors: Neighbors) -> None:
    console.print(_table(outcomes))
    misses = Table(title="misses", title_justify="left")
    for column in ("file", "kind", "came out as", "pages failed", "wrong"):
        misses.add_column(column, overflow="fold")
    for outcome in outcomes:
        if outcome.wrong is not None:
            came_out = outcome.end if outcome.code is None else f"{outcome.end}: {outcome.code}"
            failed = f"{outcome.pages_failed} of {outcome.pages}"
            misses.add_row(outcome.specimen.name, outcome.specimen.kind, came_out, failed, outcome.wrong)
    if misses.row_count:
        console.print(misses)
    _show_verdict(console, outcomes, neighbors)


def _table(outcomes: Sequence[Outcome]) -> Table:
    table = Table("set", "type", "kinds", title=f"{len(outcomes)} files", title_justify="left")
    for column in ("files", "ready", "with text", "wrong"):
        table.add_column(column, justify="right")
    table.add_column("otherwise")
    for place, kind in sorted({(outcome.specimen.set, outcome.specimen.type) for outcome in outcomes}):
        group = [each for each in outcomes if (each.specimen.set, each.specimen.type) == (place, kind)]
        table.add_row(place, kind, *_counts(group))
    table.add_section()
    table.add_row("all", "", *_counts(outcomes))
    return table


def _counts(group: Sequence[Outcome]) -> list[str]:
    ready = [outcome for outcome in group if outcome.end == "ready"]
    otherwise = Counter(f"{outcome.end}: {outcome.code or '?'}" for outcome in group if outcome.end != "ready")
    return [
        _listed(Counter(outcome.specimen.kind.value for outcome in group)),
        str(len(group)),
        str(len(ready)),
        str(sum(outcome.with_text for outcome in ready)),
        str(sum(outcome.wrong is not None for outcome in group)),
        _listed(otherwise),
    ]


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counter.most_common())


def _show_verdict(console: Console, outcomes: Sequence[Outcome], neighbors: Neighbors) -> None:
    for also_foreign, words in ((False, "of the formats promised"), (True, "of all formats")):
        right, counted = share_of_open(outcomes, also_foreign=also_foreign)
        if counted:
            console.print(
                f"files {words} that a person can open: {right} of {counted} as they should, {right / counted:.1%}"
            )
    others = [outcome for outcome in outcomes if outcome.specimen.kind is not Kind.OPEN]
    fine = sum(outcome.wrong is None for outcome in others)
    console.print(f"empty, locked, damaged and foreign files: {fine} of {len(others)} with a right reason")
    console.print(
        f"meanwhile: {neighbors.healthy - len(neighbors.not_ready)} of {neighbors.healthy} healthy documents ready, "
        f"{neighbors.asked - neighbors.unanswered} of {neighbors.asked} times /readyz was well, "
        f"the slowest after {neighbors.slowest_answer:.2f} s"
    )
    console.print(f"documents that came inside of others: {_listed(neighbors.attached) or 'none'}")
    verdict = "[green]good[/]" if is_good(outcomes, neighbors) else "[red]not good enough[/]"
    console.print(f"verdict (at least {MIN_SHARE:.0%}, everything final, no other tenant affected): {verdict}")
