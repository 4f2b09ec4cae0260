"""The last layer of the line recognizer: from the features of each column to the likelihood of each character.

The layer is as large as half of the model, because most of its classes are East Asian. A line is first read without
those. All of them are asked only where a line is read badly, or where others of the page are East Asian.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from docsieve.parsers.ocr.rapid.characters import Character, confidence_of, decode, is_east_asian

Values = NDArray[np.float32]

# Lines that are read as surely as this without East Asian characters have none.
_SURE = 0.95
_COLUMNS_AT_ONCE = 32


class _Layer:
    """Weights and bias of some classes, with their characters."""

    def __init__(self, characters: Sequence[str], weights: Values, bias: Values) -> None:
        self.characters = characters
        self._weights, self._bias = weights, bias
        # New memory for each line would take longer than the computation.
        self._logits = np.empty((_COLUMNS_AT_ONCE, len(bias)), dtype=np.float32)

    def __call__(self, features: Values) -> tuple[NDArray[np.intp], Values, Values]:
        """Return the best class of each column, its logit, and the logarithm of the sum over all classes."""
        found = [
            self._some(features[start : start + _COLUMNS_AT_ONCE])
            for start in range(0, len(features), _COLUMNS_AT_ONCE)
        ]
        classes, largest, sums = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return classes, largest, sums

    def _some(self, features: Values) -> tuple[NDArray[np.intp], Values, Values]:
        logits = self._logits[: len(features)]
        np.matmul(features, self._weights, out=logits)
        logits += self._bias
        classes = logits.argmax(axis=1)
        largest = logits[np.arange(len(classes)), classes]
        logits -= largest[:, np.newaxis]
        np.exp(logits, out=logits)
        return classes, largest, np.log(logits.sum(axis=1)) + largest


class Alphabets:
    """All characters, and those that are not East Asian. Class 0 is the blank, the last one the space."""

    def __init__(self, characters: Sequence[str], weights: Values, bias: Values) -> None:
        western = [index for index, text in enumerate(characters) if not is_east_asian(text)]
        classes = np.array([0, *(index + 1 for index in western)])
        self._full = _Layer(characters, weights, bias)
        self._western = _Layer(
            [characters[index] for index in western], np.ascontiguousarray(weights[:, classes]), bias[classes]
        )

    def read_western(self, features: Values, column: float) -> list[Character]:
        classes, logits, sums = self._western(features)
        return decode(classes, np.exp(logits - sums), self._western.characters, column)

    def read_both(self, features: Values, column: float) -> tuple[list[Character], list[Character]]:
        """With every character, and without the East Asian ones; as likely as they are among all."""
        classes, logits, sums = self._full(features)
        western, western_logits, _ = self._western(features)
        return (
            decode(classes, np.exp(logits - sums), self._full.characters, column),
            decode(western, np.exp(western_logits - sums), self._western.characters, column),
        )


@dataclass
class Reading:
    """One line, of which only as much is decoded as is asked for."""

    features: Values
    column: float
    alphabets: Alphabets

    @cached_property
    def _quick(self) -> list[Character]:
        return self.alphabets.read_western(self.features, self.column)

    @cached_property
    def _both(self) -> tuple[list[Character], list[Character]]:
        return self.alphabets.read_both(self.features, self.column)

    @property
    def is_known_in_full(self) -> bool:
        return "_both" in self.__dict__

    @property
    def is_doubtful(self) -> bool:
        """Whether it may have East Asian characters, judged by how badly it is read without them."""
        return not self.is_known_in_full and confidence_of(self._quick) < _SURE

    @property
    def full(self) -> list[Character]:
        return self._both[0]

    @property
    def western(self) -> list[Character]:
        return self._both[1] if self.is_known_in_full else self._quick
