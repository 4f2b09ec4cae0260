"""BM25 over the profiles of candidates."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.analysis.search.ranking import Asked, Candidates, best
from docsieve.analysis.search.terms import PROFILE

# two pairs have the same lower bits
TERMS = [-(2**31), -1, 5, 5 + 65_536, 9, 9 - 65_536, 2**31 - 1]


def profile(counts: dict[int, int]) -> bytes:
    return numpy.array(list(counts.items()), PROFILE).tobytes()


def expected(asked: list[Asked], counts: dict[int, int], length: int, mean: float) -> float:
    scale = 1.2 * (0.25 + 0.75 * length / max(mean, 1.0))
    found = [sum(share * counts.get(term, 0) for term, share in word.terms.items()) for word in asked]
    return math.fsum(word.rarity * times * 2.2 / (times + scale) for word, times in zip(asked, found, strict=True))


CHUNKS = st.lists(st.dictionaries(st.sampled_from(TERMS), st.integers(1, 255)), min_size=1, max_size=6)
WORDS = st.lists(
    st.builds(Asked, st.dictionaries(st.sampled_from(TERMS), st.floats(0.1, 1.0), max_size=3), st.floats(0, 9)),
    max_size=4,
)


@given(CHUNKS, WORDS, st.floats(0, 300))
def test_scores_are_those_of_the_formula(chunks: list[dict[int, int]], asked: list[Asked], mean: float) -> None:
    lengths = [sum(each.values()) for each in chunks]
    terms = {term for word in asked for term in word.terms}

    scores = Candidates(terms, [profile(each) for each in chunks], lengths, mean_length=mean).bm25(asked)

    assert scores.tolist() == pytest.approx(
        [expected(asked, each, length, mean) for each, length in zip(chunks, lengths, strict=True)]
    )


def test_the_best_come_first_equal_ones_by_id_and_others_not_at_all() -> None:
    scores = numpy.array([0.0, 0.1 + 0.2, 0.3, 2.0])

    assert best(scores, [9, 8, 7, 6], 3) == [6, 7, 8]
    assert best(scores, [9, 8, 7, 6], 9) == [6, 7, 8]
