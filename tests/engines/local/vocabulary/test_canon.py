"""Canonical words of labels."""

from docsieve.engines.local.vocabulary.canon import canonical


def test_a_compound_of_two_known_words_means_both() -> None:
    assert canonical("Artikelbezeichnung") == ("item", "name")
    assert canonical("Nettowert") == ("net", "amount")


def test_a_word_that_merely_ends_like_a_known_one_is_itself() -> None:
    assert canonical("personal") == ("personal",)
    assert canonical("nonemployee") == ("nonemployee",)


def test_a_compound_with_an_unknown_beginning_keeps_it() -> None:
    assert canonical("Wunschtermin") == ("wunsch", "termin")


def test_words_of_one_meaning_in_several_languages_are_one() -> None:
    assert canonical("Vorsitzende") == canonical("presidente") == canonical("Chairman") == ("chair",)


def test_the_total_due_is_known_on_polish_invoices() -> None:
    assert canonical("Należność ogółem") == ("due", "total")
    assert canonical("Do zapłaty razem") == ("due", "total")
