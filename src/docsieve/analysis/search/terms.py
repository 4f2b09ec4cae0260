"""Terms of the search index: words without case and accents, stemmed, and stored as salted numbers.

A term is a 32-bit hash of the stem and the tenant, so that two tenants never share a posting list. Two stems of a
tenant collide about once in a million, which makes the score of a chunk slightly wrong.
"""

import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from threading import local
from typing import NamedTuple
from uuid import UUID

import numpy
import Stemmer  # type: ignore[import-not-found]

from docsieve.domain.pages.texts import CountedTexts

UNSTEMMED = "none"
_DEFAULT_LANGUAGE = "en"
_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}  # fmt: skip

_MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670"
_WORD = re.compile(rf"\d+(?:[.,]\d+)+|[^\W_]+(?:[{_MARKS}]+[^\W_]*)*")
_ASCII_WORD = re.compile(r"\d+(?:[.,]\d+)+|[A-Za-z0-9]+")
# Kana, Han, Hangul, Thai, Lao, Khmer and Burmese have no spaces between words, so every pair of characters is a term.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LONGEST_WORD = 64
_MAX_OF_ONE_TERM = 255
_MAX_PIECES = 32_768
PROFILE = numpy.dtype([("term", "<i4"), ("count", "u1")])


class Token(NamedTuple):
    """A folded word and its position."""

    word: str
    start: int
    end: int


class Profile(NamedTuple):
    """Index data of a chunk: the frequency of each term, and the total number of terms."""

    terms: list[int]
    packed: bytes
    length: int


def stemming(language: str | None) -> str:
    """The stemming of a language (ISO 639-1). Unknown languages are treated as English, which does little harm."""
    if language is None:
        return _DEFAULT_LANGUAGE
    return language if language in _ALGORITHMS else UNSTEMMED


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Removes case, accents, ligatures and full-width forms, and keeps the script."""
    spread = unicodedata.normalize("NFKD", word.casefold())
    return "".join(sign for sign in spread if not unicodedata.combining(sign)).casefold()


def tokens(text: str) -> Iterator[Token]:
    """Every word, number and pair of dense characters. A number with separators also counts as plain digits."""
    for match in _WORD.finditer(text):
        yield from _tokens_in(match.group(), match.start())


def _tokens_in(word: str, start: int) -> Iterator[Token]:
    if word.isascii() and word.isalpha():  # most words, and quicker
        yield Token(word[:_LONGEST_WORD].lower(), start, start + len(word))
    elif word[0].isdigit() and not word.isalnum():
        yield Token(re.sub(r"\D", "", word), start, start + len(word))
        for part in re.finditer(r"\d+", word):
            yield Token(part.group(), start + part.start(), start + part.end())
    elif _DENSE.match(word):
        yield from _pairs(word, start)
    else:
        yield Token(fold(word[:_LONGEST_WORD]), start, start + len(word))


def _folded(piece: str) -> Iterator[str]:
    written = (_ASCII_WORD if piece.isascii() else _WORD).findall(piece)
    return (token.word for each in written for token in _tokens_in(each, 0))


def _pairs(run: str, start: int) -> Iterator[Token]:
    if len(run) == 1:
        yield Token(run, start, start + 1)
    for at in range(len(run) - 1):
        yield Token(unicodedata.normalize("NFKC", run[at : at + 2]), start + at, start + at + 2)


class _Stemmers(local):
    """Stemmers are not thread-safe."""

    def __init__(self) -> None:
        self.known: dict[str, Stemmer.Stemmer] = {}


_stemmers = _Stemmers()


def stems(words: list[str], how: str) -> list[str]:
    if how == UNSTEMMED:
        return words
    stemmer = _stemmers.known.get(how)
    if stemmer is None:
        stemmer = _stemmers.known[how] = Stemmer.Stemmer(_ALGORITHMS[how])
    stemmed: list[str] = stemmer.stemWords(words)
    return stemmed


def salt(tenant_id: UUID) -> int:
    return zlib.crc32(tenant_id.bytes)


def term(stem: str, salted: int) -> int:
    return _signed(zlib.crc32(stem.encode(), salted))


def _signed(number: int) -> int:
    return number - (1 << 32) if number >= 1 << 31 else number


class _Found(NamedTuple):
    """The words of a piece of text: their stems, and candidates for correcting misspelled queries."""

    stems: tuple[bytes, ...]
    spelt: tuple[tuple[str, bytes], ...]


class _Pieces(dict[str, _Found]):
    """Thread-safe cache of analyzed pieces of text in one language, because most pieces repeat."""

    def __init__(self, how: str) -> None:
        self._how = how

    def __missing__(self, piece: str) -> _Found:
        words = list(_folded(piece))
        stemmed = [stem.encode() for stem in stems(words, self._how)]
        found = _Found(tuple(stemmed), tuple(pair for pair in zip(words, stemmed, strict=True) if is_spelt(pair[0])))
        if len(piece) <= _LONGEST_WORD:  # longer pieces rarely repeat and would fill the memory
            if len(self) >= _MAX_PIECES:
                self.clear()
            self[piece] = found
        return found


_pieces = cache(_Pieces)


def index(texts: CountedTexts, how: str, salted: int) -> tuple[list[Profile], dict[str, int]]:
    """The profile of each text, and all candidates for correcting misspelled queries, each with its term."""
    pieces = dict.fromkeys(chain.from_iterable(texts.pieces))
    found = list(map(_pieces(how).__getitem__, pieces))
    terms = {piece: _terms(words.stems, salted) for piece, words in zip(pieces, found, strict=True)}
    spelt = dict(chain.from_iterable(words.spelt for words in found))
    spellings = {word: _signed(zlib.crc32(spelt[word], salted)) for word in sorted(spelt)}
    return _profiles([_count(each, terms) for each in texts.pieces]), spellings


def _terms(stemmed: Sequence[bytes], salted: int) -> Sequence[int]:
    if len(stemmed) == 1:  # nearly all, and quicker
        return (zlib.crc32(stemmed[0], salted),)
    return [zlib.crc32(stem, salted) for stem in stemmed]


def _count(pieces: Mapping[str, int], terms: Mapping[str, Sequence[int]]) -> dict[int, int]:
    counted: dict[int, int] = {}
    for piece, times in pieces.items():
        for term in terms[piece]:
            counted[term] = counted.get(term, 0) + times
    return counted


def _profiles(counted: Sequence[Mapping[int, int]]) -> list[Profile]:
    """Packs all at once, which takes numpy no longer than packing one."""
    terms = numpy.array(list(chain.from_iterable(counted)), numpy.uint32).view(numpy.int32)
    times = list(chain.from_iterable(each.values() for each in counted))
    packed = numpy.empty(len(terms), PROFILE)
    packed["term"], packed["count"] = terms, numpy.minimum(times, _MAX_OF_ONE_TERM)
    numbers, data, profiles, at = terms.tolist(), packed.tobytes(), [], 0
    for each in counted:
        end = at + len(each)
        profile = data[at * PROFILE.itemsize : end * PROFILE.itemsize]
        profiles.append(Profile(numbers[at:end], profile, sum(each.values())))
        at = end
    return profiles


def is_spelt(word: str) -> bool:
    """Whether it is a candidate for corrections, which numbers and very short words are not."""
    return len(word) >= 4 and not word.isdigit() and not _DENSE.match(word)
