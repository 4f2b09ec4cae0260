"""Which words are forms of one."""

import pytest

from docsieve.engines.local.vocabulary.kinship import same_word
from docsieve.engines.local.vocabulary.lexicon import MEANINGS


@pytest.mark.parametrize(
    ("word", "other"), [("issued", "issuing"), ("catalog", "catalogo"), ("dep", "department"), ("lesson", "lesson")]
)
def test_forms_of_a_word_are_akin(word: str, other: str) -> None:
    assert same_word(word, other) >= 0.8


@pytest.mark.parametrize(
    ("word", "other"), [("grantor", "grantee"), ("insured", "insurance"), ("interest", "internal"), ("note", "nose")]
)
def test_words_that_only_begin_alike_are_not(word: str, other: str) -> None:
    assert same_word(word, other) == 0.0


def test_words_that_begin_differently_are_not_the_same() -> None:
    """Which is why the matcher may skip phrases by the beginnings of their words."""
    words = sorted(MEANINGS)[::7]

    assert not any(same_word(word, other) for word in words for other in words if word[:3] != other[:3])
