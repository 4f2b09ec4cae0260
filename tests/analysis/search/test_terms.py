"""What the search index keeps of texts."""

import numpy
import pytest

from docsieve.analysis.search import terms
from docsieve.domain.pages.texts import CountedTexts

TEXTS = ("Invoices, invoice: 1,234.50", "", "The state-of-the-art " + "x" * 100)


def test_words_of_one_stem_are_one_term_however_they_are_written() -> None:
    (profile, empty, _), spellings = terms.index(CountedTexts(TEXTS), "en", 7)
    counted = numpy.frombuffer(profile.packed, terms.PROFILE)
    assert dict(zip(counted["term"].tolist(), counted["count"].tolist(), strict=True)) == {
        terms.term(stem, 7): times for stem, times in {"invoic": 2, "123450": 1, "1": 1, "234": 1, "50": 1}.items()
    }
    assert (profile.terms, profile.length) == (counted["term"].tolist(), 6)
    assert empty == ([], b"", 0)
    assert spellings["invoices"] == spellings["invoice"] == terms.term("invoic", 7)


def test_terms_stay_the_same_when_more_pieces_were_met_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    before = terms.index(CountedTexts(TEXTS), "en", 7)
    monkeypatch.setattr(terms, "_MAX_PIECES", 2)
    assert terms.index(CountedTexts(TEXTS), "en", 7) == before
