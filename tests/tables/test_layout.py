"""Which columns there are, for one schema and for several."""

from docsieve.domain.schemas.fields import Schema
from docsieve.tables.cells import Proof
from tests.tables.samples import layout, record

OLD: Schema = {"type": "object", "properties": {"number": {"type": "string"}, "fee": {"type": "integer"}}}
NEW: Schema = {
    "type": "object",
    "properties": {"total": {"type": "number"}, "number": {"type": "string"}, "fee": {"type": "number"}},
}


def test_several_schemas_make_the_union_of_their_columns_in_the_order_of_the_first() -> None:
    other: Schema = {"type": "object", "properties": {"number": {"type": "string"}, "extra": {"type": "string"}}}
    columns = layout([NEW, OLD, other]).main.columns
    assert [each.name for each in columns[4:]] == ["total", "number", "fee", "extra"]
    assert columns[6].kind == "number"


def test_fields_of_different_types_become_text() -> None:
    dated: Schema = {"type": "object", "properties": {"number": {"type": "string", "format": "date"}}}
    assert [each.kind for each in layout([OLD, dated]).main.columns[4:]] == ["text", "integer"]


def test_a_field_that_is_an_object_or_a_list_elsewhere_fills_its_own_columns_only() -> None:
    single: Schema = {"type": "object", "properties": {"seller": {"type": "string"}, "tags": {"type": "string"}}}
    nested: Schema = {
        "type": "object",
        "properties": {
            "seller": {"type": "object", "properties": {"name": {"type": "string"}}},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }
    main = layout([single, nested]).main
    assert [each.name for each in main.columns[4:]] == ["seller", "tags", "seller.name"]
    rows = main.rows([record({"seller": "A", "tags": "t"}), record({"seller": {"name": "B"}, "tags": ["x", "y"]})])
    assert [row[4:] for row in rows] == [["A", "t", None], [None, '["x","y"]', "B"]]


def test_a_field_with_the_name_of_another_column_is_numbered() -> None:
    schema: Schema = {"type": "object", "properties": {"status": {"type": "string"}, "id": {"type": "string"}}}
    assert [each.name for each in layout([schema]).main.columns] == [
        "id", "file", "status", "confidence", "status (2)", "id (2)",
    ]  # fmt: skip


def test_a_record_without_a_value_has_empty_cells() -> None:
    assert layout([NEW]).main.rows([record(None)])[0][4:] == [None, None, None]


def test_evidence_adds_confidence_page_box_and_text_of_each_field() -> None:
    main = layout([OLD], evidence=True).main
    assert [each.name for each in main.columns[6:10]] == [
        f"number.{each}" for each in ("confidence", "page", "box", "text")
    ]
    proofs = {"number": Proof(0.5, 2, (1.0, 2.0, 3.0, 4.25), "No. 7")}
    (row,) = main.rows([record({"number": "7", "fee": 1}, proofs=proofs)])
    assert row[6:] == [0.5, 2, "1.0 2.0 3.0 4.2", "No. 7", None, None, None, None]


def test_the_items_of_a_list_have_their_own_evidence() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {
            "lines": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}
        },
    }
    (lines,) = layout([schema], lists="sheets", evidence=True).lists
    value = {"lines": [{"price": 1}, {"price": 2}]}
    rows = lines.rows([record(value, proofs={"lines[1].price": Proof(0.9, 3)})])
    assert [row[3:6] for row in rows] == [[1, None, None], [2, 0.9, 3]]


def test_items_with_a_field_called_value_show_that_field_and_not_the_whole_item() -> None:
    items: Schema = {"type": "object", "properties": {"test": {"type": "string"}, "value": {"type": "string"}}}
    schema: Schema = {
        "type": "object",
        "properties": {
            "results": {"type": "array", "items": items},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }
    results, tags = layout([schema], lists="sheets").lists
    value = {"results": [{"test": "CRP", "value": "148"}], "tags": ["x"]}
    assert [row[-2:] for row in results.rows([record(value)])] == [["CRP", "148"]]
    assert [row[-1] for row in tags.rows([record(value)])] == ["x"]
