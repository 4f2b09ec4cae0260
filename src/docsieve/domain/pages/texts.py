"""Texts that several components analyze word by word."""

from collections import Counter
from functools import cached_property


class CountedTexts(list[str]):
    """Immutable texts whose space-separated pieces are counted once for all users.

    No word contains a space, so it is enough to analyze each distinct piece.
    """

    @cached_property
    def pieces(self) -> list[Counter[str]]:
        """The number of occurrences of each piece per text, in order of first appearance."""
        return [Counter(text.split()) for text in self]
