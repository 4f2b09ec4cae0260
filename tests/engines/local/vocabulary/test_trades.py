"""Labels of insurance, medicine and transport mean the same in several languages."""

import pytest

from docsieve.engines.local.vocabulary.canon import canonical


@pytest.mark.parametrize(
    ("label", "meaning"),
    [
        ("Ladehafen", "Port of loading"),
        ("Puerto de descarga", "Port of discharge"),
        ("Número da apólice", "Number of the policy"),
        ("Versicherungsnehmer", "Insured"),
        ("Médecin", "Doctor"),
        ("Vornamen", "Given"),
    ],
)
def test_labels_of_a_trade_have_one_meaning_in_all_languages(label: str, meaning: str) -> None:
    assert set(canonical(label)) == set(canonical(meaning))
