"""The engine `azure-document-intelligence`: what a prebuilt model found becomes values for the schema's leaves.

It is pure and runs in the sandbox on the provider's answers, one for each document; `remote/` fetched them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docsieve.domain.extraction import Found, Material, Proposal, Spot, Usage
from docsieve.domain.schemas.fields import ITEM, Scalar, Schema, SchemaField, fields_of, path_text
from docsieve.engines.azure.names import array_phrases, field_likeness, likeness, their_phrases
from docsieve.engines.llm.conformance import conform
from docsieve.engines.port import EngineDescription
from docsieve.remote.azure.fields import AzureValue, DocumentShape, PrebuiltShape, parse_prebuilt, values_of
from docsieve.remote.azure.places import Sheet

AZURE_ENGINE = EngineDescription(
    name="azure-document-intelligence",
    version="1",
    title="Azure Document Intelligence",
    description="Sends the document to Azure: invoices, receipts, IDs, tax forms, bank papers and contracts.",
    needs="azure",
)

_ENOUGH = 0.6
_ENOUGH_FOR_ARRAYS = 0.5
_ONE_ROW = 0.9  # a value in the only row of an array may belong to the document


def propose_from_analyses(answers: Sequence[bytes], materials: Sequence[Material], schema: Schema) -> Proposal:
    """Values for what the provider found in each document, in their order: of single values the first, of rows all."""
    found: dict[str, Found] = {}
    counts: dict[tuple[str, ...], int] = {}
    pages = 0
    for number, answer in enumerate(answers):
        analysis = parse_prebuilt(answer)
        pages += len(analysis.pages)
        reading = _Reading(schema, analysis, materials[number] if number < len(materials) else None, number)
        for path, each in reading.single():
            found.setdefault(path, each)
        for group, rows in reading.rows():
            start = counts.get(group, 0)
            for row in rows:
                for rest, each in row.items():
                    found[f"{path_text(group)}[{start}]{rest}"] = each
                start += 1
            counts[group] = start
    return Proposal(found, Usage(pages=pages))


@dataclass(frozen=True, slots=True)
class _Match:
    score: float
    value: AzureValue
    field: SchemaField


class _Reading:
    """One document's analysis, seen with our schema."""

    def __init__(self, schema: Schema, analysis: PrebuiltShape, material: Material | None, number: int) -> None:
        self._fields = fields_of(schema)
        self._number = number
        self._sheets = {page.page_number: Sheet.of(page) for page in analysis.pages}
        self._sizes = {page.number: (page.width, page.height) for page in material.pages} if material else {}
        self._documents = [(each.doc_type, list(values_of(each))) for each in _filled(analysis.documents)]

    def single(self) -> Iterator[tuple[str, Found]]:
        """Leaves outside of arrays, from the first of the provider's documents that has them."""
        wanted = [field for field in self._fields if field.group is None]
        done: set[str] = set()
        for doc_type, values in self._documents:
            alone = _rows_by_array(values)
            usable = [each for each in values if all(len(alone[array]) == 1 for array in _arrays(each))]
            for match in _assigned(wanted, usable, doc_type, alone_in_row=True):
                path = path_text(match.field.path)
                value = _value(match.field, match.value)
                if path not in done and value is not None:
                    done.add(path)
                    yield path, self._found(match, value)

    def rows(self) -> Iterator[tuple[tuple[str, ...], list[dict[str, Found]]]]:
        groups: dict[tuple[str, ...], list[SchemaField]] = {}
        for field in self._fields:
            if field.group is not None and ITEM not in field.group:
                groups.setdefault(field.group, []).append(field)
        for group, fields in groups.items():
            rows = next((rows for document in self._documents if (rows := self._rows_of(group, fields, document))), [])
            yield group, rows

    def _rows_of(
        self, group: tuple[str, ...], fields: list[SchemaField], document: tuple[str, list[AzureValue]]
    ) -> list[dict[str, Found]]:
        doc_type, values = document
        array = _array_for(group, fields, values, doc_type)
        if array is None:
            return []
        own = [value for value in values if value.arrays and value.names[: value.arrays[-1]] == array]
        matches = {match.value.pattern: match.field for match in _assigned(fields, own, doc_type, alone_in_row=False)}
        rows: dict[tuple[int, ...], dict[str, Found]] = {}
        for value in own:
            row = rows.setdefault(value.rows[: len(value.arrays)], {})
            field = matches.get(value.pattern)
            scalar = _value(field, value) if field is not None else None
            if field is not None and scalar is not None:
                rest = path_text(field.path[len(group) + 1 :])
                row[f".{rest}" if rest else ""] = self._found(_Match(1.0, value, field), scalar)
        return [row for _, row in sorted(rows.items()) if row]

    def _found(self, match: _Match, value: Scalar) -> Found:
        field = match.value.field
        score = min(max(field.confidence, 0.0), 1.0) if field.confidence is not None else None
        why = f"{'.'.join(match.value.names)} of the prebuilt model"
        return Found(value, score, list(self._spots(match.value)), why)

    def _spots(self, value: AzureValue) -> Iterator[Spot]:
        """The provider's places in points of our page, which may be of another size than it thinks."""
        for region in value.field.bounding_regions:
            sheet = self._sheets.get(region.page_number)
            box = sheet.box(region.polygon) if sheet is not None else None
            if sheet is None or box is None:
                continue
            width, height = self._sizes.get(region.page_number, (sheet.width, sheet.height))
            across, down = width / sheet.width, height / sheet.height
            x0, y0, x1, y1 = box
            scaled = (x0 * across, y0 * down, x1 * across, y1 * down)
            if scaled[0] < scaled[2] and scaled[1] < scaled[3]:
                yield Spot(region.page_number, scaled, value.text, self._number)


def _filled(documents: Sequence[DocumentShape]) -> list[DocumentShape]:
    return [each for each in documents if each.fields]


def _arrays(value: AzureValue) -> list[tuple[str, ...]]:
    return [value.names[:length] for length in value.arrays]


def _rows_by_array(values: Sequence[AzureValue]) -> dict[tuple[str, ...], set[tuple[int, ...]]]:
    rows: dict[tuple[str, ...], set[tuple[int, ...]]] = {}
    for value in values:
        for depth, array in enumerate(_arrays(value), 1):
            rows.setdefault(array, set()).add(value.rows[:depth])
    return rows


def _array_for(
    group: tuple[str, ...], fields: Sequence[SchemaField], values: Sequence[AzureValue], doc_type: str
) -> tuple[str, ...] | None:
    """The provider's array that is called like ours, and has the most of what ours wants."""
    best: tuple[float, tuple[str, ...]] | None = None
    for array in _rows_by_array(values):
        named = likeness([" ".join(group), group[-1]], array_phrases(array))
        if named < _ENOUGH_FOR_ARRAYS:
            continue
        own = [value for value in values if value.arrays and value.names[: value.arrays[-1]] == array]
        served = len(list(_assigned(fields, own, doc_type, alone_in_row=False))) / len(fields)
        if best is None or named + served > best[0]:
            best = named + served, array
    return best[1] if best is not None else None


def _assigned(
    fields: Sequence[SchemaField], values: Sequence[AzureValue], doc_type: str, *, alone_in_row: bool
) -> list[_Match]:
    """For each field the value that is called most alike and can be read as the field wants it, the surest first."""
    patterns: dict[Any, AzureValue] = {}
    for value in values:
        if value.text or value.field.type in ("boolean", "selectionMark", "signature"):
            patterns.setdefault(value.pattern, value)
    candidates: list[_Match] = []
    for field in fields:
        for value in patterns.values():
            score = field_likeness(field, their_phrases(value, doc_type))
            score *= _ONE_ROW if alone_in_row and value.arrays else 1.0
            if score >= _ENOUGH and _value(field, value) is not None:
                candidates.append(_Match(score, value, field))
    chosen: dict[tuple[str, ...], _Match] = {}
    taken: set[Any] = set()
    for match in sorted(candidates, key=lambda each: -each.score):
        if match.field.path not in chosen and match.value.pattern not in taken:
            chosen[match.field.path] = match
            taken.add(match.value.pattern)
    return list(chosen.values())


def _value(field: SchemaField, value: AzureValue) -> Scalar:
    """The value as the field wants it; None where it cannot be that without guessing."""
    for said in _readings(field, value):
        schema: dict[str, Any] = {"type": field.kind, "format": field.format}
        if field.enum is not None:
            schema["enum"] = list(field.enum)
        read, faults = conform({"type": "object", "properties": {"it": schema}}, {"it": said})
        if not faults and read["it"] is not None:
            scalar: Scalar = read["it"]
            return scalar
    return None


def _readings(field: SchemaField, value: AzureValue) -> Iterator[Any]:
    """What the provider says, the best for this kind of field first."""
    shape = value.field
    if value.part is not None:
        if field.kind == "string":
            yield value.text
        return
    amount = shape.value_currency.amount if shape.value_currency is not None else None
    number = next((each for each in (amount, shape.value_number, shape.value_integer) if each is not None), None)
    if field.format == "percent" and shape.value_currency is not None:
        return
    if field.kind in ("number", "integer"):
        yield number
        yield value.text or None
    elif field.kind == "boolean":
        yield _truth(shape.value_boolean, shape.value_selection_mark, shape.value_signature, shape.value_string)
    elif field.format in _BY_FORMAT or field.enum is not None:
        yield from (getattr(shape, name) for name in _BY_FORMAT.get(field.format or "", ()))
        yield shape.value_string
        yield value.text or None
    else:
        yield value.text or None


_BY_FORMAT: Mapping[str, tuple[str, ...]] = {
    "date": ("value_date",),
    "time": ("value_time",),
    "country": ("value_country_region",),
}


def _truth(boolean: bool | None, mark: str | None, signature: str | None, text: str | None) -> Any:
    if boolean is not None:
        return boolean
    if mark is not None:
        return mark == "selected"
    if signature is not None:
        return signature == "signed"
    return text if text in ("true", "false") else None
