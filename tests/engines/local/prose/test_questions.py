"""What the local engine finds on paper forms, whose labels are numbered questions and captions."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.drawing import written
from tests.engines.local.test_fields import found, values

NAME: Schema = {"type": "string", "description": "Name of the company"}

FORM = written(
    """
STATEMENT OF LICENSED BROKERS

1. Name of Broker                              2. License No.
   Kite Harbor Trading LLC                        4417

3. Name every insurer on behalf of which the broker will act in the coming year, or
   state that there is none.
   Northern Mutual Insurance Society
"""
)
CAPTIONS = written(
    """
REPORT OF SHIPMENTS

    Kite Harbor Trading LLC                        4417
    _______________________              ________________
       (Name of Broker)                    (License No.)
"""
)


def test_the_answer_to_a_numbered_question_is_under_it_and_not_the_next_question() -> None:
    read = values(FORM, broker_name=NAME, license_number="Number of the license")
    assert read == {"broker_name": "Kite Harbor Trading LLC", "license_number": "4417"}


def test_a_long_question_is_recognized_by_some_of_its_words() -> None:
    assert values(FORM, insurer=NAME) == {"insurer": "Northern Mutual Insurance Society"}


def test_a_caption_in_parentheses_is_about_what_is_written_over_it() -> None:
    read = values(CAPTIONS, broker_name=NAME, license_number="Number of the license")
    assert read == {"broker_name": "Kite Harbor Trading LLC", "license_number": "4417"}


def test_a_question_for_a_name_only_is_surest_for_the_one_whom_the_title_names() -> None:
    form = written(
        """
APPLICATION FOR A LICENSE

1. Name                                        2. Date of birth
   Ruth Calloway                                  June 2, 1971
"""
    )
    read = found(form, applicant_name="Full name of the applicant")
    assert read["applicant_name"].value == "Ruth Calloway"
    other = found(form, insurer_name="Full name of the insurer")["insurer_name"]
    assert (other.score or 0.0) < (read["applicant_name"].score or 0.0)


def test_the_rest_of_a_sentence_is_not_a_value_of_its_first_words() -> None:
    page = written(
        """
Broker records are kept for a period of ten years and may be opened to inspection by the
office that issued the license under which the business is carried on.
"""
    )
    assert values(page, broker="Who brokers the business") == {}


def test_what_is_under_the_caption_of_something_else_is_not_its_value() -> None:
    form = written(
        """
Managing Partner
(Title)
Boston, May 2029
"""
    )
    assert values(form, title="Title of the person") == {"title": "Managing Partner"}


def test_the_year_of_a_law_is_not_a_number() -> None:
    form = written("License under the Brokers License Act of 1938, as amended")
    assert values(form, license_number="Number of the license") == {}
