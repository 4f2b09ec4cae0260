"""An index of labels by the beginnings of their words, so that a field only looks at possible matches."""

from collections.abc import Iterable
from typing import Generic, TypeVar

from docsieve.engines.local.vocabulary.targets import Words

_BEGINNING = 3

Item = TypeVar("Item")


def beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in words)


class LabelTable(Generic[Item]):
    def __init__(self) -> None:
        self._items: dict[Words, list[Item]] = {}
        self._by_beginning: dict[str, list[Words]] = {}

    def add(self, words: Words, item: Item) -> None:
        if not words:
            return
        if words not in self._items:
            self._items[words] = []
            for beginning in sorted(beginnings(words)):
                self._by_beginning.setdefault(beginning, []).append(words)
        self._items[words].append(item)

    @property
    def all(self) -> list[Words]:
        return list(self._items)

    def like(self, wanted: frozenset[str]) -> Iterable[tuple[Words, list[Item]]]:
        """The labels with a word that begins like one of the wanted words, each once."""
        labels = dict.fromkeys(words for each in sorted(wanted) for words in self._by_beginning.get(each, ()))
        return ((words, self._items[words]) for words in labels)
