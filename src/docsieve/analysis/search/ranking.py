"""Ranking: BM25 over the profiles of candidate chunks, and reciprocal rank fusion of several rankings."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy
from numpy.typing import NDArray

from docsieve.analysis.search.terms import PROFILE

# The usual constants of BM25.
_SATURATION, _LENGTH = 1.2, 0.75
# Measured on SciFact: 10 instead of the usual 60, because the rankings differ in reliability, and the top ranks of the
# best one should count more.
_RANK_OFFSET = 10
_LOWER_BITS = 0xFFFF

Scores = NDArray[numpy.float64]
Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class Asked:
    """One word of a query: its possible terms in the index, each with a weight, and its rarity."""

    terms: Mapping[int, float]
    rarity: float


def rarity(chunks: float, having: float) -> float:
    """BM25's inverse document frequency; never negative."""
    return math.log(1 + (max(chunks, having) - having + 0.5) / (having + 0.5))


class Candidates:
    """How often each of some terms occurs in each candidate. Made once for all rankings of a query."""

    def __init__(
        self, terms: Collection[int], profiles: Sequence[bytes], lengths: Sequence[int], *, mean_length: float
    ) -> None:
        self._places = {term: place for place, term in enumerate(sorted(terms))}
        self._scale = _SATURATION * (1 - _LENGTH + _LENGTH * numpy.asarray(lengths, float) / max(mean_length, 1.0))
        self._counts = _counts(numpy.array(list(self._places), "<i4"), profiles)

    def bm25(self, asked: Sequence[Asked]) -> Scores:
        """The score of each. The terms of a word count as one, so that chunks with many different words win."""
        scores = numpy.zeros(len(self._scale))
        # row by row, because a product of matrices would be given to threads that cost more than they save
        for word in asked:
            found = numpy.zeros(len(scores))
            for term, share in word.terms.items():
                found += share * self._counts[self._places[term]]
            scores += word.rarity * (_SATURATION + 1) * found / (found + self._scale)
        return scores


def _counts(terms: NDArray[numpy.int32], profiles: Sequence[bytes]) -> NDArray[numpy.float64]:
    """A row per term, which must be sorted, and a column per profile."""
    packed = numpy.frombuffer(b"".join(profiles), PROFILE)
    stored = numpy.ascontiguousarray(packed["term"])
    # Few of the stored terms were asked for, and a table of the lower bits finds most of the others at once.
    likely = numpy.zeros(_LOWER_BITS + 1, bool)
    likely[terms & _LOWER_BITS] = True
    at = numpy.flatnonzero(likely[stored & _LOWER_BITS])
    rows = numpy.searchsorted(terms, stored[at]).clip(max=max(len(terms) - 1, 0))
    exact = terms[rows] == stored[at] if len(terms) else numpy.zeros(0, bool)
    at, rows = at[exact], rows[exact]
    ends = numpy.cumsum([len(each) // PROFILE.itemsize for each in profiles])
    counts = numpy.zeros((len(terms), len(profiles)))
    counts[rows, numpy.searchsorted(ends, at, side="right")] = packed["count"][at]
    return counts


def best(scores: Scores, ids: Sequence[int], most: int) -> list[int]:
    """The ids with the highest scores, best first, without those that score zero."""
    # rounded, so that equal scores stay equal in whatever order they were added up
    order = numpy.lexsort((numpy.asarray(ids), -numpy.round(scores, 9)))[:most]
    return [ids[at] for at in order if scores[at] > 0]


def fuse(rankings: Mapping[Name, Sequence[int]], weights: Mapping[Name, float]) -> dict[int, dict[Name, float]]:
    """The contribution of each ranking to each item's score. An item that is first in every ranking scores 1."""
    most = sum(weights[name] for name in rankings) / (_RANK_OFFSET + 1)
    shares: dict[int, dict[Name, float]] = {}
    for name, items in rankings.items():
        for rank, item in enumerate(items, 1):
            shares.setdefault(item, {})[name] = weights[name] / (_RANK_OFFSET + rank) / most
    return shares
