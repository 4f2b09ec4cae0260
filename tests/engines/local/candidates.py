"""The texts that the rules propose for each field, whatever the judge makes of them."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import offer
from tests.engines.local.drawing import material

TEXT: Schema = {"type": "string"}


def offered(page: Page, **fields: Schema) -> dict[str, list[str]]:
    schema: Schema = {"type": "object", "properties": fields}
    return {
        target.field.pattern: [each.text for each in found] for target, found in offer(material(page), schema).single
    }
