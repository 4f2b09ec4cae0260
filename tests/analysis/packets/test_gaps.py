"""Each cue for and against a cut, on two pages that differ in that cue only."""

from collections.abc import Sequence

import pytest

from docsieve.analysis.packets.gaps import features
from docsieve.analysis.packets.page_facts import page_facts
from docsieve.analysis.packets.score import MAX_REASONS, REASONS, model
from docsieve.domain.pages.page import Cell, Line, Origin, Page, Table

A4 = (595.0, 842.0)

Placed = tuple[float, str]
BODY: tuple[Placed, ...] = ((400, "The roof of the house is old and the garden is large."), (420, "So much for now."))


def page(
    *lines: Placed, body: Sequence[Placed] = BODY, size: tuple[float, float] = A4, height: float = 10.0, x: float = 60,
    origin: Origin = "text", tables: Sequence[Table] = (),
) -> Page:  # fmt: skip
    placed = [
        Line(text, (x, y, x + 5.5 * len(text), y + (height if (y, text) in BODY else 10.0)))
        for y, text in (*lines, *body)
    ]
    return Page(1, *size, placed, origin=origin, tables=list(tables))


def gap(before: Page, after: Page, *, blanks: int = 0) -> dict[str, float]:
    return features(page_facts(before), page_facts(after), blanks=blanks)


def numbered(text: str) -> Page:
    return page((815, text))


@pytest.mark.parametrize(
    ("before", "after", "cue"),
    [
        ("Page 1 of 3", "Page 2 of 3", "number_continues"),
        ("Page 2 of 2", "Page 1 of 3", "number_restarts"),
        ("Page 2 of 2", "Page 1 of 3", "number_last"),
        ("Page 1 of 1", "Page 1 of 1", "number_only"),
        ("Page 1 of 2", "Page 2 of 5", "number_conflicts"),
        ("4", "5", "number_continues_bare"),
        ("4", "1", "number_restarts_bare"),
    ],
)
def test_page_numbers_that_continue_restart_or_conflict_are_cues(before: str, after: str, cue: str) -> None:
    assert cue in gap(numbered(before), numbered(after))


def test_page_numbers_continue_across_a_blank_page_that_is_counted() -> None:
    assert "number_continues" in gap(numbered("Page 1 of 3"), numbered("Page 3 of 3"), blanks=1)
    assert "number_continues" not in gap(numbered("Page 1 of 3"), numbered("Page 3 of 3"))


def test_a_first_page_without_a_number_and_a_second_with_one_belong_together() -> None:
    assert "number_later" in gap(page(), numbered("Page 2"))


def test_a_page_that_announces_more_pages_is_unfinished() -> None:
    assert "number_unfinished" in gap(numbered("Page 1 of 2"), page())


def test_header_and_footer_are_compared_with_digits_masked() -> None:
    one = page((40, "Nord Logistics Ltd, sheet 1"), (800, "Bank 4711, Register 12"))
    two = page((40, "Nord Logistics Ltd, sheet 2"), (800, "Bank 4711, Register 12"))
    other = page((40, "Delta Foods Inc."), (800, "Office in Leeds"))
    assert gap(one, two).keys() >= {"header_same", "footer_same"}
    assert gap(one, other).keys() >= {"header_differs", "footer_differs"}
    assert gap(page(), one).keys() >= {"header_appears", "footer_appears"}
    assert gap(one, page()).keys() >= {"header_disappears", "footer_disappears"}


def test_layout_changes_are_cues() -> None:
    assert "size_changes" in gap(page(), page(size=(226.0, 600.0)))
    assert "page_turned" in gap(page(), page(size=(842.0, 595.0)))
    assert "text_size_changes" in gap(page(), page(height=14.0))
    assert "text_size_same" in gap(page(), page())
    assert "margin_changes" in gap(page(), page(x=120.0))
    assert "origin_changes" in gap(page(), page(origin="ocr"))


def test_a_change_of_language_is_a_cue() -> None:
    german = page(
        body=((400, "Das Dach des Hauses ist alt und der Garten ist sehr groß."), (420, "So viel für heute."))
    )
    assert "language_changes" in gap(page(), german)
    assert "language_changes" not in gap(page(), page())


def test_a_change_of_class_is_a_cue() -> None:
    invoice = page(
        (60, "INVOICE"), (80, "Invoice number: 4711"), (100, "Amount due: 12.00"), (120, "Due date"), (140, "VAT")
    )
    resume = page(
        (60, "Curriculum Vitae"), (80, "Work experience"), (100, "Education"), (120, "Skills"), (140, "References")
    )
    assert "class_changes" in gap(invoice, resume)
    assert "class_same" in gap(invoice, invoice)


def test_document_numbers_that_stay_or_change_are_cues() -> None:
    one, two = page((200, "Invoice No: A-10001")), page((200, "Invoice No: A-10002"))
    assert "id_same" in gap(one, one) and "id_changes" not in gap(one, one)
    assert "id_changes" in gap(one, two) and "id_same" not in gap(one, two)
    assert "id_repeated" in gap(one, page((200, "Continued A-10001")))
    assert "id_changes" in gap(page((60, "Form 1099-NEC")), page((60, "Form 1099-MISC")))
    assert "account_changes" in gap(page((200, "Customer no: 44551")), page((200, "Customer no: 44552")))
    assert "codes_shared" in gap(page((200, "Meter 887766")), page((200, "Meter 887766")))


def test_what_begins_a_document_is_a_cue() -> None:
    first = page((150, "Leeds LS1 4AP"), (170, "2 May 2023"), (220, "Dear Sir or Madam,"), (120, "IMPORTANT NOTICE"))
    assert gap(page(), first).keys() >= {"salutation", "date", "address", "address_and_date", "title"}
    assert gap(first, first).keys() >= {"date_same", "address_same"}
    assert "date" not in gap(first, first)
    assert "kind_named" in gap(page(), page((60, "Invoice")))
    assert "kind_named_again" in gap(page((60, "Invoice")), page((60, "Invoice")))


def test_what_continues_a_document_is_a_cue() -> None:
    assert "carried_over" in gap(page(), page((120, "Brought forward 120.00")))
    assert "carried_over" in gap(page(), page((120, "Übertrag 120,00")))
    assert "continues_overleaf" in gap(page((700, "Continued on next page")), page())
    assert "appendix" in gap(page(), page((60, "Appendix 2")))
    assert "appendix" not in gap(page(), page((60, "See the appendix for details of the roof")))
    clauses = page((470, "§ 3 Use"), (500, "§ 4 Fees"))
    assert "clauses_continue" in gap(clauses, page((130, "§ 5 Term"), (160, "§ 6 Notice"), body=()))
    assert "clauses_continue" not in gap(clauses, page((130, "§ 1 Term"), (160, "§ 2 Notice"), body=()))
    assert "clauses_continue" not in gap(clauses, page((130, "5 pieces of cable"), body=()))
    assert "starts_mid_sentence" in gap(page(), page((130, "which was agreed by both of them.")))
    open_end = "and the party of the other part shall within the month of the notice that is"
    assert "ends_mid_sentence" in gap(page((725, open_end), (740, open_end)), page())


def test_what_ends_a_document_is_a_cue() -> None:
    assert "closing" in gap(page((500, "Yours sincerely,")), page())
    assert "closing" in gap(page((500, "Mit freundlichen Grüßen")), page())
    assert "page_half_empty" in gap(page(), page())
    assert "page_full" in gap(page((740, "The last line.")), page())


def test_a_table_with_the_same_columns_continues() -> None:
    def table(top: float, bottom: float) -> Table:
        cells = [Cell(0, column, "x", (60 + 100.0 * column, top, 150, top + 10)) for column in range(3)]
        return Table((60, top, 500, bottom), 1, 3, cells)

    before, after = page(tables=[table(500, 760)]), page(tables=[table(60, 300)])
    assert gap(before, after).keys() >= {"table_continues", "columns_same"}


def test_every_feature_has_words_and_every_weight_a_feature() -> None:
    assert model().weights.keys() <= REASONS.keys()
    everything = gap(numbered("Page 2 of 2"), page((40, "Delta"), (60, "INVOICE"), (815, "Page 1 of 4")))
    assert everything.keys() <= REASONS.keys()
    assert 1 <= len(model().reasons(everything)) <= MAX_REASONS
    assert model().reasons(everything)[0] == "page numbers restart at 1"


def test_confidence_grows_with_the_score_and_never_is_certain() -> None:
    confidences = [model()._replace(weights={}, bias=score / 4).confidence({}) for score in range(-60, 60)]
    assert confidences == sorted(confidences)
    assert 0 < confidences[0] < 0.1 and 0.9 < confidences[-1] < 1


def test_a_page_that_is_the_first_of_several_by_its_number_is_a_stronger_cue_than_a_number_one() -> None:
    assert "number_first_of" in gap(page(), numbered("Page 1 of 3"))
    assert "number_first_of" not in gap(page(), numbered("Page 1"))


@pytest.mark.parametrize(
    ("heading", "cue"),
    [("Appendix", "appendix"), ("Exhibit B", "appendix"), ("Annex 2: Prices", "appendix"),
     ("Instructions Sensor C41 tube", "appendix_named"), ("Schedule of the conference in spring", "appendix_named")],
)  # fmt: skip
def test_a_heading_that_only_begins_like_one_of_an_appendix_is_a_weaker_cue(heading: str, cue: str) -> None:
    found = gap(page(), page((60, heading)))

    assert [name for name in ("appendix", "appendix_named") if name in found] == [cue]


def test_the_last_line_of_a_form_or_a_table_is_not_the_middle_of_a_sentence() -> None:
    wide = "Account 4711 0815 2342   IBAN DE02 1203 0000 0000 2020 51   BIC BYLADEM1001   Register 99"
    prose = "and the tenant of the house agrees to pay for the garden and the roof before the end of the"

    assert "ends_mid_sentence" not in gap(page((700, wide), (715, wide)), page())
    assert "ends_mid_sentence" in gap(page((700, prose), (715, prose)), page())


def test_pages_with_hardly_a_common_word_are_strangers() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    one = " ".join(f"word{a}{b}" for a in letters[:6] for b in letters[:6])
    two = " ".join(f"other{a}{b}" for a in letters[:6] for b in letters[:6])

    assert gap(page((300, one), body=()), page((300, two), body=()))["strangers"] == 1.0
    assert "strangers" not in gap(page((300, one), body=()), page((300, one), body=()))


def test_several_weak_signs_at_once_make_a_cue_and_two_do_not() -> None:
    smaller = page((30, "Nordwind"), (815, "Nordwind"), x=60)
    other = page((30, "Silva"), (815, "Silva"), x=200, size=(400.0, 700.0))

    assert gap(smaller, other)["unlike"] > 0
    assert "unlike" not in gap(smaller, page((30, "Silva"), (815, "Silva")))


def test_a_title_with_a_new_address_opens_a_document_and_a_title_alone_does_not() -> None:
    assert "opens" in gap(page(), page((60, "YEARLY REPORT"), (90, "Quercus Ltd, 80331 Munich")))
    assert "opens" not in gap(page(), page((60, "YEARLY REPORT")))


def test_numbers_that_return_to_one_are_a_cue_and_pages_that_are_all_the_first_are_none() -> None:
    assert "number_returns" in gap(numbered("4"), numbered("1"))
    assert "number_returns" not in gap(numbered("1"), numbered("1"))
    assert "number_stays" in gap(numbered("Page 1"), numbered("Page 1"))
    assert "number_stays" not in gap(numbered("Page 1 of 1"), numbered("Page 1 of 1"))


def test_the_values_behind_the_same_labels_change_or_stay_whatever_the_labels_mean() -> None:
    before = page((100, "Quotation no: Q-1"), (120, "Vessel: Aurora"))

    changed = gap(before, page((100, "Quotation no: Q-2"), (120, "Vessel: Borea")))
    same = gap(before, page((100, "Quotation no: Q-1"), (120, "Vessel: Aurora")))
    assert (changed.get("pairs_change"), changed.get("pairs_same")) == (1.0, None)
    assert (same.get("pairs_change"), same.get("pairs_same")) == (None, 1.0)
    half = gap(before, page((100, "Quotation no: Q-1"), (120, "Vessel: Borea")))
    assert (half["pairs_change"], half["pairs_same"]) == (0.5, 0.5)


def test_document_numbers_further_down_are_mentions_and_no_change() -> None:
    before = page((100, "Invoice no 4711-22"), body=BODY)
    mention = page(body=((100, "A letter."), (600, "It replaces invoice no 9988-77.")))

    assert "id_changes" in gap(before, page((100, "Invoice no 9988-77")))
    assert "id_changes" not in gap(before, mention)


def test_a_total_at_the_end_of_the_page_before_is_a_cue() -> None:
    assert "total" in gap(page((700, "Total 1,250.00")), page())
    assert "total" not in gap(page((700, "Totally different 5")), page())


def test_numbered_rows_that_continue_or_restart_are_cues() -> None:
    rows = page(body=[(200 + 20 * at, f"{at}  cable  5.00") for at in range(1, 5)])

    assert "positions_continue" in gap(rows, page(body=[(200, "5  lamp  1.00"), (220, "6  chair  2.00")]))
    assert "positions_restart" in gap(rows, page(body=[(200, "1  lamp  1.00"), (220, "2  chair  2.00")]))
    assert not {"positions_continue", "positions_restart"} & gap(rows, page()).keys()
