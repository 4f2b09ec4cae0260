"""How much of the true text was read. Order and case do not count: receipts are read in columns by some."""

from collections import Counter
from dataclasses import dataclass

from benchmarks.ocr_parts.receipts import Receipt


@dataclass
class Score:
    """Sums over images; `errors` are the edits that turn the nearest stretch of what was read into each true line."""

    words: int = 0
    words_read: int = 0
    characters: int = 0
    errors: int = 0

    @property
    def recall(self) -> float:
        return self.words_read / self.words

    @property
    def error_rate(self) -> float:
        return self.errors / self.characters

    def add(self, receipt: Receipt, lines: list[str]) -> None:
        text = _squeezed(" ".join(lines))
        for truth in map(_squeezed, receipt.lines):
            self.characters += len(truth)
            self.errors += edits_to_nearest(truth, text)
        if receipt.spaced:
            self._add_words(receipt.lines, lines)
        else:
            self.words += len(receipt.lines)
            self.words_read += sum(_squeezed(truth) in text for truth in receipt.lines)

    def _add_words(self, truth: list[str], lines: list[str]) -> None:
        wanted = Counter(" ".join(truth).casefold().split())
        read = Counter(" ".join(lines).casefold().split())
        self.words += wanted.total()
        self.words_read += (wanted & read).total()


def _squeezed(text: str) -> str:
    return "".join(text.casefold().split())


def edits_to_nearest(pattern: str, text: str) -> int:
    """The least edit distance between `pattern` and any substring of `text`, by Myers' bit-parallel algorithm."""
    if not pattern:
        return 0
    places: dict[str, int] = {}
    for index, character in enumerate(pattern):
        places[character] = places.get(character, 0) | 1 << index
    every, last = (1 << len(pattern)) - 1, 1 << (len(pattern) - 1)
    positive, negative = every, 0
    distance = least = len(pattern)
    for character in text:
        equal = places.get(character, 0)
        diagonal = (((equal & positive) + positive) ^ positive) | equal | negative
        rising = negative | ~(diagonal | positive) & every
        falling = positive & diagonal
        distance += bool(rising & last) - bool(falling & last)
        least = min(least, distance)
        rising = rising << 1 & every
        falling = falling << 1 & every
        positive = falling | ~(diagonal | rising) & every
        negative = rising & diagonal
    return least
