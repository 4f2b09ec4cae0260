"""From values to cells."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import to_json

from docsieve.domain.pages.page import Box
from docsieve.domain.schemas.fields import Scalar
from docsieve.domain.schemas.shape import parse_path

# What a spreadsheet takes for a formula. It skips leading spaces, and full-width signs count in East Asian locales.
_FORMULA = re.compile(r"[ \n]*[=+\-@\t\r＝＋－＠]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
SUSPECT = frozenset(" \n=+-@\t\r＝＋－＠")
"""The first characters of every text that `harmless` changes."""


class Proof(NamedTuple):
    """Where a value was found, and how certain that is."""

    confidence: float | None = None
    page: int | None = None
    box: Box | None = None
    text: str | None = None

    @classmethod
    def of(cls, confidence: float, evidence: Sequence[Mapping[str, Any]]) -> "Proof":
        """The first place, and the text at all of them."""
        if not evidence:
            return cls(confidence)
        first = evidence[0]
        return cls(confidence, first["page"], first["box"], " ".join(each["text"] for each in evidence))

    def cells(self) -> list[Scalar]:
        place = " ".join(f"{side:.1f}" for side in self.box) if self.box is not None else None
        return [self.confidence, self.page, place, self.text]


UNPROVEN = Proof()


VALUE = "value"
"""The column of a list of scalar values."""


def inside(value: Any, names: Sequence[str]) -> Any:
    """The part of a value below these names, or None."""
    for name in names:
        value = value.get(name) if type(value) is dict else None
    return value


def at(value: Any, path: str) -> Any:
    """The part of a value at a path, or None."""
    for step in parse_path(path):
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def item_cells(item: Any, columns: Sequence[str]) -> list[Scalar]:
    """The cells of a list item, one per column."""
    return [as_cell(of_item(item, column.split("."))) for column in columns]


def of_item(item: Any, names: Sequence[str]) -> Any:
    """The part of a list item that a column shows. A scalar is in the column `value`; an object may have that field."""
    if type(item) is dict:
        return inside(item, names)
    return item if names == [VALUE] else None


def as_cell(value: Any) -> Scalar:
    return json_text(value) if isinstance(value, dict | list) else value


def json_text(value: Any) -> str:
    """Faster than `json.dumps`, but refuses half of a surrogate pair."""
    try:
        return to_json(value).decode()
    except ValueError:
        return json.dumps(value, ensure_ascii=False)


def harmless(text: str) -> str:
    """Prefixes text that a spreadsheet would treat as a formula with an apostrophe. A negative number is not one."""
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text
