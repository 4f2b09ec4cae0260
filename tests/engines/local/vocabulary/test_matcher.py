"""How well labels match fields."""

from docsieve.domain.schemas.fields import SchemaField
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import targets_of


def score(field: str, label: str) -> float:
    return Matcher(targets_of([SchemaField((field,), "string")])[0]).score(canonical(label))


def test_a_label_that_also_names_a_revision_still_names_the_contract() -> None:
    assert score("contract_number", "Contract / Revision") == score("contract_number", "Contract number")


def test_a_label_for_another_or_an_earlier_value_matches_less_than_an_unknown_word_more() -> None:
    plain = score("order_number", "Zeta Order No.")

    assert score("order_number", "Alt Order No.") < plain
    assert score("order_number", "Previous Order No.") < plain
