"""Labels that repeat for each party belong to the party whose heading is over them."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page

TEXT: Schema = {"type": "string"}
PARTY: Schema = {"type": "object", "properties": {"name": TEXT, "phone": TEXT}}
SCHEMA: Schema = {"type": "object", "properties": {"surveyor": PARTY, "tenant": PARTY}}


def values(*lines: tuple[float, float, str]) -> dict[str, object]:
    given: Page = page([line(*each) for each in lines])
    found = LocalFields().propose(material(given), SCHEMA, lessons=None).found
    return {path: each.value for path, each in found.items() if each.value is not None}


def test_a_label_belongs_to_the_object_whose_heading_is_over_it() -> None:
    assert values(
        (40, 40, "Tenant"), (40, 54, "Name: Anna Holm"), (40, 68, "Phone: 030 1234567"),
        (40, 100, "Surveyor"), (40, 114, "Name: Peter Lund"), (40, 128, "Phone: 040 7654321"),
    ) == {
        "tenant.name": "Anna Holm", "tenant.phone": "030 1234567",
        "surveyor.name": "Peter Lund", "surveyor.phone": "040 7654321",
    }  # fmt: skip


def test_a_label_belongs_to_the_heading_of_its_column() -> None:
    found = values(
        (40, 40, "Tenant"), (320, 40, "Surveyor"),
        (40, 54, "Name: Anna Holm"), (320, 54, "Name: Peter Lund"),
    )  # fmt: skip
    assert found == {"tenant.name": "Anna Holm", "surveyor.name": "Peter Lund"}


def test_a_label_that_names_the_object_outweighs_the_heading() -> None:
    found = values((40, 40, "Tenant"), (40, 54, "Name: Anna Holm"), (40, 68, "Surveyor phone: 040 7654321"))
    assert found["surveyor.phone"] == "040 7654321"
