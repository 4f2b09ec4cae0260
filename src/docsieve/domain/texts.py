"""Texts that more than one part looks at word by word."""

from collections import Counter
from functools import cached_property


class CountedTexts(list[str]):
    """Not to be changed any more. What stands between spaces is counted once, however many ask.

    No word goes beyond a space, so that whoever wants words need only look at each distinct piece.
    """

    @cached_property
    def pieces(self) -> list[Counter[str]]:
        """How often each text has each of its pieces, in the order of their first."""
        return [Counter(text.split()) for text in self]
