"""When two values count as the same: letter case, spaces and punctuation at the ends, and how dates and amounts are
written, do not matter."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docsieve.domain.schemas.fields import Schema, SchemaField, fields_of
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.values.dates import day_order
from docsieve.values.normal import normalized, plain_text

_NUMBER = re.compile(r"[\d.,' ]+")
_MINUS = re.compile(r"^\W*[-−–]|[-−–]\s*$")


class Sameness:
    """`ignore_spaces` is for truths whose spaces were lost.

    Whether the day or the month comes first is inferred from all true values of a field, since one date alone may read
    both ways; where they do not tell, either is accepted.
    """

    def __init__(
        self, schemas: Iterable[Schema], truths: Sequence[Mapping[str, Any]], *, ignore_spaces: bool = False
    ) -> None:
        self._fields = {field.pattern: field for schema in schemas for field in fields_of(schema)}
        self._ignore_spaces = ignore_spaces
        texts: dict[str, list[str]] = {}
        for truth in truths:
            for path, leaf in leaves(dict(truth)):
                if isinstance(leaf, str):
                    texts.setdefault(self._pattern(path), []).append(leaf)
        self._orders = {pattern: day_order(said) for pattern, said in texts.items()}

    def same(self, pattern: str, truth: Any, value: Any) -> bool:
        if self._spaced(_plain(truth)) == self._spaced(_plain(value)):
            return True
        field, order = self._fields.get(pattern), self._orders.get(pattern)
        return any(
            self._normal(truth, field, day_first) == self._normal(value, field, day_first)
            for day_first in ((True, False) if order is None else (order,))
        )

    def normal(self, pattern: str, value: Any) -> str:
        """The notation in which values of a field are compared."""
        return self._normal(value, self._fields.get(pattern), self._orders.get(pattern))

    def _pattern(self, path: str) -> str:
        """A list of alternatives for a single value belongs to that value's field."""
        pattern = pattern_of(path)
        return pattern if pattern in self._fields else pattern.removesuffix("[]")

    def _normal(self, value: Any, field: SchemaField | None, day_first: bool | None) -> str:
        return self._spaced(normalized(value, field, day_first=day_first))

    def _spaced(self, text: str) -> str:
        return re.sub(r"\s", "", text) if self._ignore_spaces else text


def _plain(value: Any) -> str:
    """Punctuation at the ends does not matter, but the sign of a number does."""
    said = value if isinstance(value, str) else normalized(value)
    text = plain_text(said)
    return f"-{text}" if _NUMBER.fullmatch(text) and _MINUS.search(said) else text
