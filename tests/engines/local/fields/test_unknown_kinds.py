"""What is offered for single fields of schemas whose words no rule knows: by layout, form and the schema itself."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.candidates import TEXT, offered
from tests.engines.local.drawing import line, page, written

COUNT: Schema = {"type": "integer"}
FLAG: Schema = {"type": "boolean"}


def test_a_string_is_read_as_printed_where_its_name_suggests_another_type() -> None:
    assert "3-4 weeks" in offered(written("Lead time: 3-4 weeks"), lead_time=TEXT)["lead_time"]
    assert offered(written("Cost center: Garden"), cost_center=TEXT)["cost_center"] == ["Garden"]
    assert offered(written("End date: Total spots"), end_date=TEXT)["end_date"] == []


def test_an_identifier_may_have_several_words_and_thousands() -> None:
    label = written("Patent no.: US 12,904,331 B2")

    assert "US 12,904,331 B2" in offered(label, patent_number=TEXT)["patent_number"]


def test_rows_of_labels_and_short_values_are_no_columns_of_a_table() -> None:
    rows = [("Frequency", "low"), ("Supply", "mains"), ("Housing", "steel"), ("Finish", "matt")]
    lines = [line(x, 40 + 14 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 240), row, strict=True)]

    assert offered(page(lines), housing=TEXT)["housing"][0] == "steel"


def test_a_number_belongs_to_the_words_after_it() -> None:
    given = written("14 Claims, 6 Drawing Sheets")

    assert offered(given, number_of_claims=COUNT)["number_of_claims"][:1] == ["14"]


def test_the_number_of_a_section_counts_nothing() -> None:
    assert offered(written("§ 5 Holidays"), holidays=COUNT)["holidays"] == []


def test_the_parts_of_an_address_are_offered_one_by_one() -> None:
    places = written("Imogen Castellanos\n918 Lakeview Drive\nDuluth MN 55802")

    found = offered(places, city=TEXT, state=TEXT, zip=TEXT)

    assert (found["city"], found["state"], found["zip"]) == (["Duluth"], ["MN"], ["55802"])


def test_postcodes_may_come_before_their_town() -> None:
    found = offered(written("Pagenstecherstr. 120\n49090 Osnabrück"), ort=TEXT, plz=TEXT)

    assert "Osnabrück" in found["ort"]
    assert "49090" in found["plz"]


def test_a_line_that_says_what_it_is_names_itself() -> None:
    club = page([line(200, 40, "Ashby Rowing Club", 16), line(200, 70, "Application")])

    assert "Ashby Rowing Club" in offered(club, club=TEXT)["club"]


def test_the_largest_lines_at_the_head_are_titles() -> None:
    paper = page(
        [line(40, 40, "Journal of Estimation"), line(40, 60, "Sparse Sketching", 18)]
        + [line(40, 100 + 14 * at, "Sensors send gradients over a radio link.") for at in range(4)]
    )

    assert offered(paper, title=TEXT)["title"] == ["Sparse Sketching"]


def test_a_role_may_be_named_under_its_party() -> None:
    cover = written("OAK CORPORATION,\nas Borrower,\nMAPLE BANK, N.A.,\nas Administrative Agent")

    assert "MAPLE BANK, N.A." in offered(cover, administrative_agent=TEXT)["administrative_agent"]


def test_who_did_something_is_also_asked_for_by_the_verb() -> None:
    assert "Marisol Trent" in offered(written("Requester: Marisol Trent"), requested_by=TEXT)["requested_by"]


def test_identifiers_may_spell_umlauts_with_two_letters() -> None:
    found = offered(written("Tätigkeit: Mechanikerin"), taetigkeit=TEXT)

    assert found["taetigkeit"] == ["Mechanikerin"]


def test_a_company_before_its_place_is_offered_alone() -> None:
    found = offered(written("Assignee: Ascendway Tools LLC, Tulsa"), assignee=TEXT)

    assert "Ascendway Tools LLC" in found["assignee"]


def test_a_short_line_with_the_words_of_a_flag_says_yes() -> None:
    assert "yes" in offered(written("Features\n• RoHS compliant\n• Low noise"), rohs_compliant=FLAG)["rohs_compliant"]


def test_the_verb_between_a_label_and_its_value_is_no_part_of_it() -> None:
    assert "Passau" in offered(written("Arbeitsort ist Passau"), arbeitsort=TEXT)["arbeitsort"]


def test_the_label_of_an_empty_cell_is_not_the_value_of_the_one_to_its_left() -> None:
    cells = page(
        [
            line(40, 40, "CERTIFICATE HOLDER"),
            line(300, 40, "AUTHORIZED REPRESENTATIVE"),
            line(40, 54, "Port of Tillamook"),
        ]
    )

    found = offered(cells, certificate_text=TEXT, certificate_holder=COUNT)["certificate_text"]

    assert "Port of Tillamook" in found
    assert "AUTHORIZED REPRESENTATIVE" not in found
