"""Fields that name an organization by its kind, and what else the head of a statement tells."""

from typing import Any

from docsieve.domain.extraction import Found
from docsieve.domain.pages.page import Page
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, written

STATEMENT = """Tern Valley Savings Bank
12 Quay Road, Dover, DE 19901



Ada Lovelace
3 Loom Street
Dover, DE 19901


Statement of Account
IBAN: DE89 3704 0044 0532 0130 00
Previous balance: 1,204.50
New balance: 980.25"""


def found(page: Page, **properties: Any) -> dict[str, Found]:
    schema = {"type": "object", "properties": {name: {"type": kind} for name, kind in properties.items()}}
    return LocalFields().propose(material(page), schema, lessons=None).found


def test_a_name_that_says_what_it_is_answers_a_field_for_its_kind() -> None:
    values = found(written(STATEMENT), bank="string")

    assert values["bank"].value == "Tern Valley Savings Bank"


def test_the_holder_of_an_account_is_who_the_statement_is_addressed_to() -> None:
    values = found(written(STATEMENT), bank="string", account_holder="string")

    assert values["account_holder"].value == "Ada Lovelace"


def test_a_hospital_in_the_middle_of_a_page_is_less_certain_than_one_at_its_head() -> None:
    lines = [f"Line of text number {at}" for at in range(12)]
    head = found(written("\n".join(["Hospital San Marco", *lines])), hospital="string")["hospital"]
    middle = found(written("\n".join([*lines, "Hospital San Marco", *lines])), hospital="string")["hospital"]

    assert head.value == middle.value == "Hospital San Marco"
    assert (head.score or 0) > (middle.score or 0)


def test_previous_and_new_balance_are_those_at_the_beginning_and_the_end() -> None:
    values = found(written(STATEMENT), opening_balance="number", closing_balance="number")

    assert (values["opening_balance"].value, values["closing_balance"].value) == (1204.5, 980.25)


def test_an_iban_is_an_account_number_without_spaces_unless_another_field_asks_for_it() -> None:
    assert found(written(STATEMENT), account="string")["account"].value == "DE89370400440532013000"

    schema = {
        "type": "object",
        "properties": {"iban": {"type": "string", "format": "iban"}, "account_number": {"type": "string"}},
    }
    values = LocalFields().propose(material(written(STATEMENT)), schema, lessons=None).found
    assert values["iban"].value == "DE89370400440532013000"
    assert values.get("account_number") is None or values["account_number"].value is None


def test_an_amount_in_a_row_of_a_list_is_not_a_total() -> None:
    rows = [("Date", "Description", "Amount")]
    rows += [(f"0{day}/03/2026", "Cash deposit", f"{day}1.50") for day in range(1, 7)]
    lines = [
        line(x, 60 + 14 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 160, 400), row, strict=True)
    ]
    properties: dict[str, Any] = {name: {"type": "string"} for name in ("date", "description")}
    booking = {"type": "object", "properties": properties | {"amount": {"type": "number"}}}
    alone = {"deposits": {"type": "number"}}
    both = alone | {"bookings": {"type": "array", "items": booking}}

    def score(asked: dict[str, Any]) -> float:
        schema = {"type": "object", "properties": asked}
        value = LocalFields().propose(material(page(lines)), schema, lessons=None).found.get("deposits")
        return (value.score or 0.0) if value is not None and value.value is not None else 0.0

    assert score(both) < score(alone)
