"""Who signed a document, and as what."""

import pytest

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.drawing import written
from tests.engines.local.lists.asking import TEXT, listed, rows, value
from tests.engines.local.test_fields import found, values

SIGNER: dict[str, Schema | str] = {
    "signer_name": "Name of the person who signed",
    "signer_title": "Title of the person who signed",
}
EXPECTED = {"signer_name": "Ruth B. Calloway", "signer_title": "Managing Partner"}


@pytest.mark.parametrize(
    "block",
    [
        "/s/ Ruth B. Calloway  eSigned\nManaging Partner",
        "By: /s/ Ruth B. Calloway\nName: Ruth B. Calloway\nTitle: Managing Partner",
        "By: ____________________\nName: Ruth B. Calloway\nIts: Managing Partner",
        "____________________\nRuth B. Calloway, Managing Partner",
        "Ruth B. Calloway\n____________________\n(Signature)\nManaging Partner",
        "gez. Ruth B. Calloway\nals Managing Partner",
        "Date          Name and Title                        Signature\n"
        "3/4/2029      Ruth B. Calloway, Managing Partner     /s/",
        "3/4/2029          Ruth B. Calloway, Managing Partner\nDate of report    Name and title              Signature",
        "Date          Printed Name        Signature\n3/4/2029      Ruth B. Calloway    /s/\n"
        "              Managing Partner",
    ],
)
def test_a_signature_is_found_however_it_is_laid_out(block: str) -> None:
    assert values(written(f"STATEMENT\n\n{block}"), **SIGNER) == EXPECTED


def test_a_name_that_is_not_next_to_a_signature_is_not_the_signer() -> None:
    assert (
        values(written("STATEMENT\n\nName: Ruth B. Calloway\nCity: Boston"), signer_title=SIGNER["signer_title"]) == {}
    )


def test_without_a_line_to_sign_on_a_person_with_a_title_after_the_oath_is_a_weak_candidate() -> None:
    page = written(
        """
The undersigned swears that the contents of this statement are true and accurate.

Ruth B. Calloway
Managing Partner
"""
    )
    read = found(page, **SIGNER)
    assert {path: each.value for path, each in read.items()} == EXPECTED


def test_a_signer_is_not_part_of_the_section_above_the_signature() -> None:
    page = written(
        """
Registrant
Name:     Oak Bridge LLC

Ruth B. Calloway
____________________
(Signature)
Managing Partner
"""
    )
    read = values(page, registrant_name="Name of the registrant", agent_name="Name of the agent", **SIGNER)
    assert {**read, **EXPECTED} == read


def test_a_list_of_signatures_has_each_person_under_the_party_signed_for() -> None:
    text = """
SERVICE AGREEMENT
This Agreement is made between Oak Homes LLC, with offices at 12 Elm Road, Boston, MA 02110 (the “Client”)
and Reed Painting Ltd, with offices at 9 Mill Street, Dover, DE 19901 (the “Contractor”).
Signed by the parties.

For Oak Homes LLC:
_______________________
By: Caroline Kessler

Reed Painting Ltd
_______________________
Leonard Lockhart
"""
    result = value(
        {"parties": listed(name=TEXT, address=TEXT), "signatures": listed(name=TEXT, party=TEXT)}, written(text)
    )
    assert rows(result["signatures"]) == [
        ["Caroline Kessler", "Oak Homes LLC"],
        ["Leonard Lockhart", "Reed Painting Ltd"],
    ]
    assert [party["address"] for party in result["parties"]] == [
        "12 Elm Road, Boston, MA 02110",
        "9 Mill Street, Dover, DE 19901",
    ]


def test_the_title_of_a_contract_is_its_heading() -> None:
    schema: Schema = {"type": "string", "description": "title of the contract as it is printed"}
    text = "MASTER SERVICES AGREEMENT\nThis agreement is made by Oak Homes LLC.\n1. Fees"
    assert value({"title": schema}, written(text))["title"] == "MASTER SERVICES AGREEMENT"
