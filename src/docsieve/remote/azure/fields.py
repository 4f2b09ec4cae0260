"""The fields that Azure's prebuilt models find, as its documentation describes them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from docsieve.domain.text import clean
from docsieve.errors.providers import ProviderError
from docsieve.remote.azure.errors import error_of_failure
from docsieve.remote.azure.shapes import ErrorShape, Number, PageShape, Region

_DEEPEST = 6
_ADDRESS_PARTS = {
    "streetAddress": "street",
    "houseNumber": "house number",
    "road": "road",
    "city": "city",
    "state": "state",
    "postalCode": "postal code",
    "countryRegion": "country",
}


class _Shape(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True)


class CurrencyShape(_Shape):
    amount: Number | None = None
    currency_code: str | None = None


class FieldShape(_Shape):
    """One of the values is set, the one that `type` names; `content` is the text on the page."""

    type: str = "string"
    content: str | None = None
    confidence: Number | None = None
    bounding_regions: list[Region] = []
    value_string: str | None = None
    value_date: str | None = None
    value_time: str | None = None
    value_phone_number: str | None = None
    value_country_region: str | None = None
    value_number: Number | None = None
    value_integer: int | None = None
    value_boolean: bool | None = None
    value_selection_mark: str | None = None
    value_signature: str | None = None
    value_currency: CurrencyShape | None = None
    value_address: dict[str, Any] | None = None
    value_selection_group: list[str] | None = None
    value_array: "list[FieldShape] | None" = None
    value_object: "dict[str, FieldShape] | None" = None


class DocumentShape(_Shape):
    doc_type: str = ""
    fields: dict[str, FieldShape] | None = None


class PrebuiltShape(_Shape):
    pages: list[PageShape] = []
    documents: list[DocumentShape] = []


class PrebuiltOperation(_Shape):
    status: str
    error: ErrorShape | None = None
    analyze_result: PrebuiltShape | None = None


@dataclass(frozen=True, slots=True)
class AzureValue:
    """A single value: the names of its path, and the row in each array on it.

    `arrays` are how many names lead to each array. `part` names a piece of a value, such as the city of an address.
    """

    names: tuple[str, ...]
    rows: tuple[int, ...]
    arrays: tuple[int, ...]
    field: FieldShape
    part: str | None = None
    text: str = ""

    @property
    def pattern(self) -> tuple[tuple[str, ...], str | None]:
        return self.names, self.part


def parse_prebuilt(answer: bytes) -> PrebuiltShape:
    """Raises the provider's error, or ProviderError for an invalid response."""
    try:
        found = PrebuiltOperation.model_validate_json(answer)
    except (ValidationError, RecursionError) as error:
        raise ProviderError("The provider's response does not match its documentation.") from error
    if found.status != "succeeded" or found.analyze_result is None:
        raise error_of_failure(found.error)
    return found.analyze_result


def values_of(document: DocumentShape) -> Iterator[AzureValue]:
    for name, field in (document.fields or {}).items():
        yield from _values(field, (name,), (), ())


def _values(
    field: FieldShape, names: tuple[str, ...], rows: tuple[int, ...], arrays: tuple[int, ...]
) -> Iterator[AzureValue]:
    if len(names) > _DEEPEST:
        return
    if field.type == "array":
        for number, item in enumerate(field.value_array or ()):
            yield from _values(item, names, (*rows, number), (*arrays, len(names)))
    elif field.type == "object":
        for name, each in (field.value_object or {}).items():
            yield from _values(each, (*names, name), rows, arrays)
    else:
        text = " ".join(clean(field.content or field.value_string or "").split())
        yield AzureValue(names, rows, arrays, field, text=text)
        for part, said in _parts(field):
            yield AzureValue(names, rows, arrays, field, part, " ".join(clean(said).split()))


def _parts(field: FieldShape) -> Iterator[tuple[str, str]]:
    if field.value_currency is not None and field.value_currency.currency_code:
        yield "currency", field.value_currency.currency_code
    for name, words in _ADDRESS_PARTS.items():
        said = (field.value_address or {}).get(name)
        if isinstance(said, str) and said.strip():
            yield words, said
