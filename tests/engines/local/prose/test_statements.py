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
