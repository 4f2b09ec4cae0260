"""What kind of document a text is found to be, without network and without a model."""

import pytest

from docsieve.analysis.classification.classify import classify
from docsieve.domain.classes import BUILT_IN_NAMES, ClassDescription, Classification
from tests.analysis.classification.samples import SAMPLES

DELIVERY = ClassDescription(
    "delivery_note", "delivery notes of suppliers that list the goods shipped and their quantities"
)
MINUTES = ClassDescription("meeting_minutes", "minutes of board meetings: attendees, agenda, resolutions and votes")

DELIVERY_TEXT = """Blue Freight Supplies
DELIVERY NOTE 88-1204
Shipped to: Harbour Works
Goods  Quantity
Steel bolts M8  400
Steel nuts M8  400
Goods received in good order: ____________"""

MINUTES_TEXT = """Harbour Works Inc.
Board of directors, 4 May 2026
Attendees: A. Stone, B. Field, C. Brook
Agenda
1. Approval of the last minutes
2. Budget
Resolutions: the budget was approved by three votes. The meeting closed at noon."""


def classified(text: str, language: str | None = "en", own: tuple[ClassDescription, ...] = ()) -> Classification:
    return classify(text, first_page=text.splitlines(), page_count=1, language=language, own_classes=own)


@pytest.mark.parametrize(("name", "language", "text"), SAMPLES, ids=lambda value: value[:14].replace("\n", " "))
def test_documents_of_every_kind_are_recognized(name: str, language: str, text: str) -> None:
    found = classified(text, language)
    assert found.name == name
    assert 0 < found.confidence <= 1
    assert found.runner_up != name


def test_confidence_is_high_where_much_speaks_for_one_class_and_low_where_nothing_does() -> None:
    sure = classified(SAMPLES[0][2])
    assert sure.confidence > 0.9
    title_alone = classified("Invoice")
    assert title_alone.confidence < sure.confidence
    assert classified("zażółć gęślą jaźń", "xx").confidence < 0.5


def test_a_slip_titled_invoice_that_was_paid_at_the_till_is_a_receipt() -> None:
    slip = "KEDAI MAJU\nTAX INVOICE\nKopi 2.50\nRoti 1.80\nTOTAL 4.30\nCASH 5.00\nCHANGE 0.70\nCASHIER 02\n08:10"
    found = classify(slip, first_page=slip.splitlines(), page_count=1, page_size=(200, 520), language="en")
    assert found.name == "receipt"


def test_a_long_report_that_mentions_invoices_and_agreements_is_neither() -> None:
    sentence = (
        "The committee discussed how the invoice process and the agreement with suppliers changed over the years. "
    )
    text = "Regional review\n" + sentence * 400
    assert classify(text, first_page=text[:3000].splitlines(), page_count=30, language="en").name in (
        "article",
        "other",
    )


def test_fields_to_fill_in_make_a_form() -> None:
    text = "Membership\nName\nAddress\nPhone\nDate\nSignature"
    without = classify(text, first_page=text.splitlines(), page_count=1, language="en")
    with_fields = classify(text, first_page=text.splitlines(), page_count=1, language="en", form_fields=14)
    assert (without.name, with_fields.name) == ("other", "form")


@pytest.mark.parametrize(("own", "text"), [(DELIVERY, DELIVERY_TEXT), (MINUTES, MINUTES_TEXT)], ids=["note", "minutes"])
def test_a_tenant_s_own_class_is_found_by_its_name_and_description(own: ClassDescription, text: str) -> None:
    assert classified(text).name != own.name
    assert classified(text, own=(DELIVERY, MINUTES)).name == own.name


@pytest.mark.parametrize(("name", "language", "text"), SAMPLES, ids=lambda value: value[:14].replace("\n", " "))
def test_own_classes_take_no_documents_that_are_not_theirs(name: str, language: str, text: str) -> None:
    assert classified(text, language, (DELIVERY, MINUTES)).name == name


def test_the_same_document_is_always_the_same_class() -> None:
    assert len({classified(SAMPLES[1][2], "de", (DELIVERY,)) for _ in range(5)}) == 1


def test_a_document_without_words_is_other() -> None:
    for text in ("", " \n ", "--- *** ---"):
        assert classified(text, None).name == "other"


def test_the_first_page_may_be_missing() -> None:
    text = SAMPLES[0][2]
    assert classify(text, first_page=(), page_count=3, language="en").name == "invoice"


def test_hostile_text_is_classified_too() -> None:
    for text in ("1.00 " * 400_000, "_" * 500_000, "<" * 500_000, "a" * 1_000_000, "\x00\ud800 x", "1/1/1 " * 100_000):
        assert classified(text, None).name in BUILT_IN_NAMES
        assert classified("\n".join([text[:5_000]] * 50), None).name in BUILT_IN_NAMES
