"""The stored form of lessons: plain JSON of limited size, with its own version.

Labels are stored as canonical words, everything else that is on a page as fingerprints, so that a recurring value is
recognized without being stored. The spelling is stored only for senders, and for names and addresses on several
verified documents. Lessons of another version, and invalid ones, are ignored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from docsieve.engines.local.lessons.layouts import SAME_LAYOUT, Guess, guesses, likeness, marks_of
from docsieve.engines.local.lessons.residual import Residual
from docsieve.engines.local.lists.groups import TaughtList
from docsieve.engines.local.page.view import DocumentView
from docsieve.engines.local.vocabulary.targets import Words

FORMAT = 2


@dataclass(slots=True, eq=False)
class FieldLessons:
    labels: dict[Words, float] = field(default_factory=dict)
    known: dict[str, str | None] = field(default_factory=dict)
    guesses: list[Guess] = field(default_factory=list)
    as_text: bool = False
    """Its values did not have the type that its name suggests, such as a site that is a place."""
    residual: Residual | None = None


@dataclass(slots=True, eq=False)
class Lessons:
    fields: dict[str, FieldLessons] = field(default_factory=dict)
    lists: dict[str, TaughtList] = field(default_factory=dict)
    examples: int = 0

    def of(self, pattern: str) -> FieldLessons:
        return self.fields.get(pattern, _NONE)


_NONE = FieldLessons()


def lessons_for(stored: dict[str, Any] | None, view: DocumentView) -> Lessons:
    """The lessons that apply to this document: all of a field, and locations from similar layouts."""
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        return Lessons()
    found = {
        pattern: FieldLessons(
            {tuple(label.split()): float(score) for label, score in each["labels"].items()},
            dict(each["known"]),
            as_text=bool(each["as_text"]),
            residual=Residual.load(each["residual"]) if "residual" in each else None,
        )
        for pattern, each in stored["fields"].items()
    }
    mine = set(marks_of(view))
    alike = sorted(
        ((likeness(mine, set(layout["marks"])), at) for at, layout in enumerate(stored["layouts"])),
        key=lambda pair: (-pair[0], pair[1]),
    )
    for share, at in alike[:3]:
        if share < SAME_LAYOUT:
            break
        for pattern, where in stored["layouts"][at]["fields"].items():
            if pattern in found and not found[pattern].guesses:
                found[pattern].guesses = guesses(where, share, view.pages)
    lists = {name: _list(each) for name, each in stored["lists"].items()}
    return Lessons(found, lists, stored["examples"])


def _list(stored: Mapping[str, Any]) -> TaughtList:
    headings = {
        pattern: {tuple(words.split()): share for words, share in shares.items()}
        for pattern, shares in stored["headings"].items()
    }
    return TaughtList(headings, frozenset(stored["skipped"]))
