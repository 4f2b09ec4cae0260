"""Canonical words: folded, translated to one language, and tolerant of one misread letter."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from docsieve.engines.local.vocabulary.dictionary import DICTIONARY
from docsieve.engines.local.vocabulary.lexicon import COMPOUND_HEADS, MEANINGS, SPELLED_TOGETHER, STOP_WORDS

_PARTS = re.compile(r"(?:[^\W\d_]\.){2,}[^\W\d_]?|\b[^\W\d_]/[^\W\d_]\b|[^\W\d_]+|\d+|[#№%]")
_ADDRESS_OF_A_SITE = re.compile(r"https?:|www\.", re.I)
_WITHOUT = re.compile(r"\bs/ ?(?=iva|imp)")
_GERSHAYIM = re.compile(r"(?<=[\u05d0-\u05ea])[\"\u05f4](?=[\u05d0-\u05ea])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_|-|\s|\.|/|(?<=[A-Za-z])(?=\d)")
_MIN_FUZZY_LENGTH = 5
_MAX_WORD_LENGTH = 40
_MIN_PART = 3


def folded(text: str) -> str:
    """Lower case without accents; ß is ss."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


@lru_cache(maxsize=16_384)
def canonical(text: str) -> tuple[str, ...]:
    """The meanings of the words in a text, without stop words: `Rechnungs-Nr.:` is invoice number.

    An unknown word is its own meaning, without a plural ending.
    """
    found: list[str] = []
    for word in _words(text):
        found.extend(_meaning(word) or _near(word) or (_stem(word),))
    return joined(found)


def rejoined(first: str, second: str) -> tuple[str, ...]:
    """The meaning of a label word that a PDF split in two: `Ver käufer:`."""
    start, rest = folded(first), "".join(filter(str.isalpha, folded(second)))
    torn = len(start) <= 4 and start.isalpha() and start not in _KNOWN and start not in STOP_WORDS
    return _meaning(start + rest) if torn and len(rest) > 2 and start + rest in _KNOWN else ()


def words_of_name(name: str) -> tuple[str, ...]:
    """The meanings in an identifier, without OCR tolerance: `dueDate`, `due_date` and `Due date` are all due date."""
    parts = [part for part in _CAMEL.split(name) if part]
    found = [each for word in _words(" ".join(parts)) for each in _meaning(word) or (_stem(word),)]
    return joined(found) or tuple(map(folded, parts))


def _words(text: str) -> Iterable[str]:
    if "@" in text or _ADDRESS_OF_A_SITE.match(text):
        return
    for part in _PARTS.findall(_GERSHAYIM.sub("", _WITHOUT.sub("sin ", folded(text[:400])))):
        word = part.replace(".", "").replace("/", "")[:_MAX_WORD_LENGTH]
        if word and word not in STOP_WORDS and not word.isdigit():
            yield word


def joined(names: Iterable[str]) -> tuple[str, ...]:
    """Join words that are written in different ways: `sub total` is a subtotal."""
    joined: list[str] = []
    for name in names:
        if name == "total" and joined and joined[-1] in ("sub", "sou", "sous"):
            joined[-1] = "subtotal"
        elif not joined or joined[-1] != name:
            joined.append(name)
    return tuple(joined)


@lru_cache(maxsize=16_384)
def _meaning(word: str) -> tuple[str, ...]:
    if word in SPELLED_TOGETHER:
        return SPELLED_TOGETHER[word]
    if word in _KNOWN:
        return (_KNOWN[word],)
    return _compound(word) or ()


def _near(word: str) -> tuple[str, ...]:
    """The meaning of the word if one of its letters was misread."""
    if len(word) >= _MIN_FUZZY_LENGTH:
        for form in _shortened(word):
            if form in _NEARLY:
                return (_NEARLY[form],)
    return ()


def _compound(word: str) -> tuple[str, ...] | None:
    heads = [word[cut:] for cut in range(_MIN_PART, len(word) - 1)]
    for head in filter(_may_be_head, heads):
        rest = word.removesuffix(head)
        for linking in ("", "s", "n", "en", "es"):
            first = rest.removesuffix(linking) if linking else rest
            if len(first) >= _MIN_PART and (first in SPELLED_TOGETHER or first in _KNOWN):
                return (*SPELLED_TOGETHER.get(first, (_KNOWN.get(first, first),)), _KNOWN.get(head, head))
    for head in COMPOUND_HEADS:
        if len(head) > 4 and word.endswith(head) and len(word) - len(head) > 3:
            return (word.removesuffix(head), _KNOWN.get(head, head))
    return None


def _may_be_head(word: str) -> bool:
    least = _MIN_PART if word in _LABEL_WORDS else _MIN_FUZZY_LENGTH
    return word in COMPOUND_HEADS or (len(word) >= least and word in _KNOWN)


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _shortened(word: str) -> Iterable[str]:
    """The word, and the word without each of its letters. Words that differ in one letter share one of these."""
    yield word
    for at in range(len(word)):
        yield f"{word[:at]}*{word[at + 1 :]}"


_KNOWN: dict[str, str] = {
    folded(word).replace(".", ""): meaning for meaning, words in MEANINGS.items() for word in words.split()
}
_NEARLY: dict[str, str] = {}
for _word, _name in _KNOWN.items():
    if len(_word) >= _MIN_FUZZY_LENGTH and _word.isalpha():
        for _form in _shortened(_word):
            if _form != _word:
                _NEARLY.setdefault(_form, _name)
_LABEL_WORDS = frozenset(_KNOWN)
for _name, _words_of_it in DICTIONARY.items():
    for _word in _words_of_it.split():
        _KNOWN.setdefault(_word, _KNOWN.get(_name, _name))
