"""Organizations at the head, the subject above a salutation, and blocks under headings."""

from tests.engines.local.candidates import TEXT, offered
from tests.engines.local.drawing import written

LETTER = written(
    """
Heron Trust

Oak & Sons Ltd

Repair of the mill

Dear Mr. Reed,

The work on the mill begins in May and will be finished before the summer is over.

Conditions

The mill race stays open while the
masons are at work on the bank.

Kind regards,

Ada Lovelace
Warden
"""
)


def test_a_field_that_asks_for_an_organization_may_be_a_name_at_the_head() -> None:
    found = offered(LETTER, publisher=TEXT, weather=TEXT)

    assert "Heron Trust" in found["publisher"]
    assert "Heron Trust" not in found["weather"]


def test_the_line_above_a_salutation_is_the_subject() -> None:
    assert "Repair of the mill" in offered(LETTER, subject=TEXT)["subject"]


def test_a_text_under_a_heading_is_offered_whole() -> None:
    block = "The mill race stays open while the masons are at work on the bank."

    assert block in offered(LETTER, conditions=TEXT)["conditions"]


def test_the_person_after_the_greeting_has_signed() -> None:
    found = offered(LETTER, signatory=TEXT, signatory_title=TEXT)

    assert "Ada Lovelace" in found["signatory"]
    assert "Warden" in found["signatory_title"]


def test_the_name_over_a_caption_for_the_signature_has_signed() -> None:
    form = written(
        "The permit is valid for the boat and its crew until it is withdrawn.\nAda Lovelace\nAuthorized signature"
    )

    assert "Ada Lovelace" in offered(form, signed_by=TEXT)["signed_by"]
