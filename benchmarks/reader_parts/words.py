"""Words of a document as different readers give them, and how many of them other readers confirm."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping

_WORD = re.compile(r"[^\W_]+")


def words_in(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def confirmed_words(read: Mapping[str, frozenset[str]], families: Mapping[str, str]) -> frozenset[str]:
    """The words that readers of at least two families found."""
    found: dict[str, frozenset[str]] = {}
    for name, words in read.items():
        found[families[name]] = found.get(families[name], frozenset()) | words
    counts = Counter(word for words in found.values() for word in words)
    return frozenset(word for word, count in counts.items() if count >= 2)
