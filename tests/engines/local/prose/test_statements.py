"""Numbers, names, and yes or no in sentences that say what they are about."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.candidates import TEXT, offered
from tests.engines.local.drawing import written

FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer"}
HARBOR = written(
    """
The harbor was inspected in the morning by the master, and the catch of the day weighed
in at 412.5 kg on the scales. A license was shown for each of the boats that were seen.
No permission was given to land the nets. The inspector Ada Lovelace counted 31 boats
at the pier before noon.
"""
)


def test_a_sentence_says_whether_something_is_so() -> None:
    found = offered(HARBOR, license_shown=FLAG, permission_given=FLAG)

    assert found["license_shown"][:1] == ["yes"]
    assert found["permission_given"][:1] == ["no"]


def test_a_number_in_a_sentence_is_that_of_the_words_next_to_it() -> None:
    assert "31" in offered(HARBOR, boats=COUNT)["boats"]


def test_a_name_in_a_sentence_is_that_of_the_words_next_to_it() -> None:
    assert "Ada Lovelace" in offered(HARBOR, inspector=TEXT)["inspector"]


def test_a_number_with_the_unit_of_the_field_is_offered_without_its_label() -> None:
    assert offered(HARBOR, landed_kg={"type": "number"})["landed_kg"] == ["412.5"]


def test_a_title_in_quotation_marks_is_that_of_the_words_before_it() -> None:
    page = written("The trustees were pleased with the project “Boats of the Bay” and pay for it.")

    assert "Boats of the Bay" in offered(page, project=TEXT)["project"]


def test_the_only_date_of_a_document_is_offered_without_a_label() -> None:
    day: Schema = {"type": "string", "format": "date"}
    page = written("Harbor of the Bay\n12 May 2024\nBoats and nets")

    assert offered(page, regatta_day=day)["regatta_day"] == ["12 May 2024"]


def test_a_short_sentence_is_not_a_heading() -> None:
    page = written("Pets are not allowed.\nThe rooms are cleaned by the tenants once in a week or more often.")

    assert "no" in offered(page, pets_allowed=FLAG)["pets_allowed"]


def test_a_number_spelled_out_with_its_unit_is_measured() -> None:
    page = written("An engineer with nine years of experience keeping payment systems up.")

    assert "9" in offered(page, years_of_experience=COUNT)["years_of_experience"]
