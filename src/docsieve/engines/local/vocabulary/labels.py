"""An index of labels by the beginnings of their words, so that a field only looks at possible matches."""

import re
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from docsieve.engines.local.vocabulary.canon import canonical, joined
from docsieve.engines.local.vocabulary.targets import Words

_BEGINNING = 3
_ATTRIBUTES = {
    "name": "name", "address": "address", "street": "address", "city": "address", "zip": "address",
    "state": "address", "country": "address", "phone": "phone", "fax": "fax", "email": "email",
}  # fmt: skip
_OF_ATTRIBUTES = frozenset(("number", "code", "foreign", "postal", "full", "apt", "including"))
_BOX_NUMBER = re.compile(r"\(?(?:\d{1,2}[a-z]?|[a-z]|[a-z]/[a-z])[.):]?", re.I)

Item = TypeVar("Item")


def beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in words)


def caption_words(texts: Sequence[str]) -> Words:
    """The words of the label of a form, without the number of its box: `12b Code` is a code."""
    numbered = len(texts) > 1 and _BOX_NUMBER.fullmatch(texts[0])
    return joined(dict.fromkeys(name for text in texts[1 if numbered else 0 :] for name in canonical(text)))


def listed(words: Words) -> list[Words]:
    """The labels in one that asks for several things of one party: `Buyer's name and address`."""
    asked = dict.fromkeys(_ATTRIBUTES[word] for word in words if word in _ATTRIBUTES)
    owner = [word for word in words if word not in _ATTRIBUTES and word not in _OF_ATTRIBUTES]
    return [(*owner, attribute) for attribute in asked] if len(asked) > 1 else []


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
