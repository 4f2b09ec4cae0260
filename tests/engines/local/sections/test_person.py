"""The lines under a person's name at the head of a resume."""

from docsieve.domain.extraction import Found
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import material, written

RESUME = """Ada Lovelace
Senior Data Analyst
Turin · +39 011 555 0134 · ada@loom.example

Experience
Analyst, Tern Ltd
2011 – 2015"""


def found(text: str, name: str) -> Found | None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}}
    return LocalFields().propose(material(written(text)), schema, lessons=None).found.get(name)


def test_the_words_next_to_phone_and_email_are_where_a_person_lives() -> None:
    city, location = found(RESUME, "city"), found(RESUME, "location")

    assert city is not None and city.value == "Turin"
    assert location is not None and location.value == "Turin"


def test_the_profession_is_the_line_under_the_name_that_says_one() -> None:
    headline, other = found(RESUME, "headline"), found(RESUME.replace("Senior Data Analyst", "Pocket 7b"), "headline")

    assert headline is not None and headline.value == "Senior Data Analyst"
    assert other is None or other.value is None
