"""Fields do not take each other's words, unless both are likely to be right."""

from docsieve.domain.schemas.fields import fields_of
from docsieve.engines.local.fields.candidates import Candidate
from docsieve.engines.local.fields.choice import chosen
from docsieve.engines.local.vocabulary.targets import Target, targets_of

SCHEMA = {"type": "object", "properties": {"old_fee": {"type": "number"}, "new_fee": {"type": "number"}}}
OLD, NEW = targets_of(fields_of(SCHEMA))


def candidate(target: Target, score: float, text: str = "40.00", tokens: frozenset[int] = frozenset({1})) -> Candidate:
    return Candidate(target, text, [], score, "", "after", tokens)


def test_the_second_field_that_wants_the_same_words_is_less_likely_to_be_right() -> None:
    old, new = chosen([[candidate(OLD, 0.6)], [candidate(NEW, 0.55)]])
    assert (old.target, old.score) == (OLD, 0.6)
    assert new.score < 0.35


def test_a_field_takes_other_words_if_another_field_has_its_best_ones() -> None:
    other = candidate(NEW, 0.4, "45.00", frozenset({2}))
    found = chosen([[candidate(OLD, 0.9)], [candidate(NEW, 0.6), other]])
    assert {each.target.name or each.target.field.name: each.text for each in found} == {
        "old_fee": "40.00", "new_fee": "45.00",
    }  # fmt: skip
