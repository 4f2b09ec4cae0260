"""The day on which a document was received, from a stamp."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.drawing import written
from tests.engines.local.test_fields import found, values

FILED: Schema = {"type": "string", "format": "date", "description": "Day of the filing"}

STATEMENT = """
Statement of a Broker

Name: Ruth Calloway
Valid until: June 30, 2031

/s/ Ruth Calloway                       March 4, 2029
"""


def test_the_date_of_a_stamp_is_on_its_line_or_under_it() -> None:
    on_line = written(f"Received by Broker Records Unit 03/15/2029 10:21:05 AM\n{STATEMENT}")
    under = written(f"      RECEIVED\n      Records Office\n      15.03.2029\n{STATEMENT}")
    assert values(on_line, filing_date=FILED) == {"filing_date": "2029-03-15"}
    assert values(under, filing_date=FILED) == {"filing_date": "2029-03-15"}


def test_without_a_stamp_the_day_of_the_signature_is_a_weak_candidate() -> None:
    read = found(written(STATEMENT), filing_date=FILED)["filing_date"]
    stamped = found(written(f"RECEIVED\nMarch 4, 2029\n{STATEMENT}"), filing_date=FILED)["filing_date"]
    assert read.value == stamped.value == "2029-03-04"
    assert (read.score or 1.0) < (stamped.score or 0.0)


def test_a_date_in_a_sentence_about_receiving_is_not_a_stamp() -> None:
    page = written(
        """
The buyer has received the goods listed in the delivery note of March 2, 2029 and has
found them to be in order, as the parties have agreed in their contract.
"""
    )
    assert values(page, filing_date=FILED) == {}
