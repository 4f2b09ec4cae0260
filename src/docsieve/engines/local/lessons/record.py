"""What corrections have taught, as it is kept: plain JSON, bounded, with a version of its own.

Labels are kept as their canonical words. Of values only fingerprints are kept, so that one that comes again is known
without being stored; only of names and addresses that stood on several verified papers, and of senders, the spelling
is kept too. Lessons of another version, or that are no lessons at all, teach nothing.
"""

from dataclasses import dataclass, field
from typing import Any

from docsieve.engines.local.lessons.layouts import SAME_LAYOUT, Guess, guesses, likeness, marks_of
from docsieve.engines.local.page.view import DocumentView
from docsieve.engines.local.vocabulary.wants import Words

FORMAT = 1


@dataclass(slots=True, eq=False)
class FieldLessons:
    labels: dict[Words, float] = field(default_factory=dict)
    known: dict[str, str | None] = field(default_factory=dict)
    guesses: list[Guess] = field(default_factory=list)
    as_text: bool = False
    """Its values were not what its name promised, such as a site that is a place."""


@dataclass(slots=True, eq=False)
class Lessons:
    fields: dict[str, FieldLessons] = field(default_factory=dict)

    def of(self, pattern: str) -> FieldLessons:
        return self.fields.get(pattern, _NONE)


_NONE = FieldLessons()


def lessons_for(kept: dict[str, Any] | None, view: DocumentView) -> Lessons:
    """The lessons that this document can use: labels of all, places of the layouts that it resembles."""
    if not isinstance(kept, dict) or kept.get("format") != FORMAT:
        return Lessons()
    found = {
        pattern: FieldLessons(
            {tuple(label.split()): float(score) for label, score in each["labels"].items()},
            dict(each["known"]),
            as_text=bool(each["as_text"]),
        )
        for pattern, each in kept["fields"].items()
    }
    mine = set(marks_of(view))
    alike = sorted(
        ((likeness(mine, set(layout["marks"])), at) for at, layout in enumerate(kept["layouts"])),
        key=lambda pair: (-pair[0], pair[1]),
    )
    for share, at in alike[:3]:
        if share < SAME_LAYOUT:
            break
        for pattern, where in kept["layouts"][at]["fields"].items():
            if pattern in found and not found[pattern].guesses:
                found[pattern].guesses = guesses(where, share, view.pages)
    return Lessons(found)
