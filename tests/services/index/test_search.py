"""Search hits and how they are displayed."""

import pytest

from docsieve.db.index.search import Filters
from docsieve.errors import EmptyQuery
from tests.services.index.library import Library, page

OTHERS = (
    "The lease of the flat ends on the last day of June.",
    "Chlorophyll turns light into sugar in every green leaf.",
    "Our harbour master counts the ships each morning.",
    "A violin is tuned in fifths before the concert begins.",
)


async def _add_others(library: Library) -> None:
    for text in OTHERS:
        await library.add(page(text))


async def test_a_document_is_found_by_its_words_in_any_form(library: Library) -> None:
    await _add_others(library)
    wanted = await library.add(page("The invoices were paid by the insurers."))
    assert (await library.found("insurer paying an invoice"))[0] == wanted


async def test_a_document_is_found_by_its_meaning(library: Library) -> None:
    await _add_others(library)
    hit = await library.first("musical instrument")
    assert "violin" in "".join(part.text for part in hit.snippet)
    assert hit.matched_by == ["meaning"]


@pytest.mark.parametrize("misspelt", ["photosynthsis", "photosnythesis", "photosyntheziz", "fotosynthesis"])
async def test_a_misspelt_word_is_taken_for_the_one_that_was_written(library: Library, misspelt: str) -> None:
    await _add_others(library)
    wanted = await library.add(page("An essay on photosynthesis and its history."))
    found = await library.ask(misspelt)
    assert found.hits[0].document_id == wanted
    assert found.corrections == {misspelt: "photosynthesis"}
    assert [part.text for part in found.hits[0].snippet if part.hit] == ["photosynthesis"]


async def test_case_accents_and_ligatures_make_no_difference(library: Library) -> None:
    await _add_others(library)
    wanted = await library.add(page("Straße und Café, die ﬁnale Übersicht."), language="de")
    for query in ("STRASSE", "cafe", "CAFÉ", "finale ubersicht"):
        hit = await library.first(query)
        assert hit.document_id == wanted, query
        assert hit.shares["words"] > 0, query


async def test_languages_without_spaces_are_found(library: Library) -> None:
    await _add_others(library)
    wanted = await library.add(page("請求書の合計金額は五万円です。"), language="ja")
    assert (await library.first("合計金額")).document_id == wanted


async def test_a_number_is_found_however_its_thousands_are_separated(library: Library) -> None:
    await _add_others(library)
    wanted = await library.add(page("Amount due: 12,345.67 EUR"))
    for query in ("12,345.67", "12345.67", "12.345,67"):
        hit = await library.first(query)
        assert (hit.document_id, "words" in hit.shares) == (wanted, True), query


async def test_quoted_words_must_be_adjacent(library: Library) -> None:
    together = await library.add(page("The board approved the annual report of the society."))
    await library.add(page("The report is not annual; it comes every month."))
    assert await library.found('"annual report"') == [together]
    assert await library.found('"report annual"') == []
    assert len(await library.found("annual report")) == 2


async def test_a_word_in_quotes_is_found_as_it_is_written_and_in_no_other_way(library: Library) -> None:
    await _add_others(library)
    one = await library.add(page("The Invoice was paid."))
    many = await library.add(page("All invoices were paid."))
    assert set(await library.found("invoice paid")) >= {one, many}
    assert await library.found('"invoice" paid') == [one]
    assert await library.found("„INVOICES“") == [many]
    assert await library.found('"invoice" "invoices"') == []


async def test_a_misspelt_word_in_quotes_is_taken_for_no_other(library: Library) -> None:
    wanted = await library.add(page("An essay on photosynthesis and its history."))
    assert await library.found("photosynthsis") == [wanted]
    found = await library.ask('"photosynthsis"')
    assert (found.hits, found.corrections) == ([], {})
    assert (await library.ask('"essay" photosynthsis')).corrections == {"photosynthsis": "photosynthesis"}


@pytest.mark.parametrize(("query", "count"), [('"4711"', 1), ('"471"', 0), ('"合計"', 1), ('"計合"', 0), ('"a"', 0)])
async def test_numbers_and_signs_in_quotes_are_found_as_they_are_written(
    library: Library, query: str, count: int
) -> None:
    await library.add(page("Order 4711, 合計金額"), language="ja")
    await library.add(page("The ships are counted."))
    assert len(await library.found(query)) == count


async def test_tables_and_headings_lead_to_their_content(library: Library) -> None:
    await _add_others(library)
    sheet = page("Warranty conditions", "Two years from the date of purchase.")
    sheet.lines[0].role = "heading"
    wanted = await library.add(sheet)
    hit = await library.first("warranty")
    assert (hit.document_id, hit.heading) == (wanted, "Warranty conditions")


async def test_the_boxes_are_those_of_the_lines_that_match_and_the_page_is_theirs(library: Library) -> None:
    await library.add(page("Nothing here."), page("Nor here.", "The treasure is buried here.", number=2))
    hit = await library.first("treasure")
    assert hit.page == 2
    assert [(line.page, line.box) for line in hit.lines] == [(2, (50.0, 36.0, 500.0, 48.0))]


async def test_a_snippet_is_plain_text_in_parts(library: Library) -> None:
    await library.add(page("Beware of <script>alert(1)</script> in the archive."))
    parts = (await library.first("archive")).snippet
    assert "".join(part.text for part in parts) == "Beware of <script>alert(1)</script> in the archive."
    assert [part.text for part in parts if part.hit] == ["archive"]


async def test_a_rare_word_counts_for_more_than_a_common_one(library: Library) -> None:
    for number in range(12):
        await library.add(page(f"Payment payment payment number {number} for the contract."))
    wanted = await library.add(page("The payment mentions a zeppelin among many other things that fly and float."))
    hit = await library.first("payment zeppelin")
    assert hit.document_id == wanted
    assert hit.shares["words"] > hit.shares["meaning"]


@pytest.mark.parametrize(
    "query",
    ["the of and", "a & b | !c :* <->", "NOT (AND OR)", '"', "'; drop table chunks; --", "%_%", "\\", "x" * 900],
)
async def test_odd_queries_are_answered(library: Library, query: str) -> None:
    await _add_others(library)
    try:
        await library.ask(query)
    except EmptyQuery:
        assert not any(sign.isalnum() for sign in query)


@pytest.mark.parametrize("query", ["", "   ", "?!", "🙂", "-- ;"])
async def test_a_query_without_a_word_is_refused(library: Library, query: str) -> None:
    with pytest.raises(EmptyQuery):
        await library.ask(query)


async def test_an_empty_library_answers_nothing(library: Library) -> None:
    assert (await library.ask("anything")).hits == []


async def test_one_long_document_does_not_fill_the_answer(library: Library) -> None:
    long = await library.add(*(page(f"The glacier moved. {'It snowed. ' * 120}", number=n) for n in range(1, 9)))
    short = await library.add(page("A glacier melts."))
    found = await library.found("glacier")
    assert found.count(long) == 3
    assert short in found
    assert len(await library.found("glacier", document_id=long)) == 8


async def test_common_words_alone_are_answered_from_a_large_library(library: Library) -> None:
    wanted = await library.add(page("Report of the harbour."))
    for number in range(40):
        await library.add(*(page(f"Report {number} {n} {'of things ' * 150}", number=n) for n in range(1, 60)))
    assert wanted in await library.found("report harbour")
    assert len((await library.ask("report of")).hits) == 10


async def test_a_document_that_was_uploaded_twice_is_one_hit_with_its_copy(library: Library) -> None:
    await _add_others(library)
    text = page("The insurers paid the invoices.")
    first = await library.add(text, filename="claim.txt", sha256="same")
    second = await library.add(text, filename="claim (1).txt", sha256="same")
    hits = [hit for hit in (await library.ask("insurers invoices")).hits if hit.document_id in (first, second)]
    assert [hit.document_id for hit in hits] == [first]
    assert [(copy.document_id, copy.filename) for copy in hits[0].also_in] == [(second, "claim (1).txt")]


async def test_copies_leave_room_for_other_documents(library: Library) -> None:
    text = page("The insurers paid the invoices.")
    for _ in range(6):
        await library.add(text, sha256="same")
    other = await library.add(page("Some insurers never paid."))
    found = await library.ask("insurers paid", limit=2)
    assert other in [hit.document_id for hit in found.hits]
    assert len(found.hits[0].also_in or found.hits[1].also_in) == 5


async def test_a_copy_outside_of_the_filters_is_not_named(library: Library) -> None:
    text = page("The insurers paid the invoices.")
    letter = await library.add(text, sha256="same", media_type="text/markdown")
    await library.add(text, sha256="same", media_type="text/plain")
    [hit] = (await library.ask("insurers", Filters(media_type="text/markdown"))).hits
    assert (hit.document_id, hit.also_in) == (letter, [])


async def test_the_same_content_read_differently_is_shown_as_it_was_read(library: Library) -> None:
    await library.add(page("The insurers paid the invoices."), sha256="same")
    await library.add(page("The insurers paid the involces."), sha256="same")
    assert len((await library.ask("insurers")).hits) == 2
