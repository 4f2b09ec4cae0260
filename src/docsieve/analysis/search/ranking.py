"""Ranking: BM25 over the profiles of candidate chunks, and reciprocal rank fusion of several rankings."""

import math
from collections.abc import Mapping, Sequence
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


def bm25(asked: Sequence[Asked], profiles: Sequence[bytes], lengths: Sequence[int], *, mean_length: float) -> Scores:
    """The score of each chunk. The terms of a word count as one, so that chunks with many different words win."""
    packed = numpy.frombuffer(b"".join(profiles), PROFILE)
    sizes = [len(each) // PROFILE.itemsize for each in profiles]
    owners = numpy.repeat(numpy.arange(len(profiles)), sizes)
    scale = _SATURATION * (1 - _LENGTH + _LENGTH * numpy.asarray(lengths, float) / max(mean_length, 1.0))
    every = numpy.array([number for word in asked for number in word.terms], dtype="<i4")
    kept = numpy.isin(packed["term"], every)
    terms, counts, owners = packed["term"][kept], packed["count"][kept].astype(float), owners[kept]
    scores = numpy.zeros(len(profiles))
    for word in asked:
        found = numpy.zeros(len(profiles))
        for number, share in word.terms.items():
            here = terms == number
            numpy.add.at(found, owners[here], share * counts[here])
        scores += word.rarity * found * (_SATURATION + 1) / (found + scale)
    return scores


def best(scores: Scores, ids: Sequence[int], most: int) -> list[int]:
    """The ids with the highest scores, best first, without those that score zero."""
    order = numpy.lexsort((numpy.asarray(ids), -scores))[:most]
    return [ids[at] for at in order if scores[at] > 0]


def fuse(rankings: Mapping[Name, Sequence[int]], weights: Mapping[Name, float]) -> dict[int, dict[Name, float]]:
    """The contribution of each ranking to each item's score. An item that is first in every ranking scores 1."""
    most = sum(weights[name] for name in rankings) / (_RANK_OFFSET + 1)
    shares: dict[int, dict[Name, float]] = {}
    for name, items in rankings.items():
        for rank, item in enumerate(items, 1):
            shares.setdefault(item, {})[name] = weights[name] / (_RANK_OFFSET + rank) / most
    return shares
