"""Why a value, or a null, may be wrong: a closed vocabulary of doubts, each with a sentence for people.

A code is stable. Its sentence has gaps for text of the page: the value, another value, a label.
"""

from collections.abc import Mapping
from typing import Literal

DoubtCode = Literal[
    "looks_like_label",
    "two_candidates",
    "ways_disagree",
    "other_label_between",
    "distant_label",
    "weak_label",
    "no_label",
    "not_on_page",
    "several_places",
    "hard_to_read",
    "near_miss",
    "label_without_value",
    "usually_present",
    "low_confidence",
]

SENTENCES: Mapping[DoubtCode, str] = {
    "looks_like_label": "The value looks like a label.",
    "two_candidates": "Two values fit: '{value}' and '{other}'.",
    "ways_disagree": "Two ways of finding it gave different values: '{value}' and '{other}'.",
    "other_label_between": "Another label, '{between}', is between the value and its label, '{label}'.",
    "distant_label": "The label '{label}' is {distance} away.",
    "weak_label": "The label '{label}' only resembles the name of the field.",
    "no_label": "No label was found next to the value.",
    "not_on_page": "The value was not found on any page.",
    "several_places": "The value is printed in {count} places, and none of them has a label of the field.",
    "hard_to_read": "The scan is hard to read here.",
    "near_miss": "'{other}' was close, but not certain enough.",
    "label_without_value": "A label of the field is on page {page}, without a value.",
    "usually_present": "Documents usually have it, but none was recognized.",
    "low_confidence": "Similar results are not right often enough.",
}

_LONGEST_QUOTE = 40


def sentence(code: DoubtCode, **gaps: object) -> str:
    """The sentence of a code, with long quotes from the page shortened."""
    return SENTENCES[code].format(**{name: _shortened(str(each)) for name, each in gaps.items()})


def _shortened(text: str) -> str:
    text = " ".join(text[: 4 * _LONGEST_QUOTE].split())
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1].rstrip()}…"
