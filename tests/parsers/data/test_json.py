import json
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument
from docsieve.parsers.data.formats import JSON
from docsieve.parsers.port import Reading, ReadOptions


def read(path: Path, content: bytes | str) -> Reading:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return JSON.read(path, ReadOptions())


def lines(path: Path, content: bytes | str) -> list[str]:
    return [line.text for page in read(path, content).pages for line in page.lines]


def test_an_object_reads_as_keys_and_values(tmp_path: Path) -> None:
    value = {"name": "Ann", "paid": True, "none": None, "tags": ["a", "b"], "to": {"city": "Köln"}, "empty": {}}

    assert lines(tmp_path / "x", json.dumps(value)) == [
        "name: Ann",
        "paid: true",
        "none: null",
        "tags: a, b",
        "to:",
        "city: Köln",
        "empty:",
    ]


def test_records_that_are_alike_become_a_table_under_their_keys(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", '{"lines": [{"item": "tea", "n": 1}, {"item": "cake", "price": 2.50}]}').pages

    [table] = page.tables
    assert [cell.text for cell in table.cells] == ["item", "n", "price", "tea", "1", "", "cake", "", "2.50"]
    assert [cell.header for cell in table.cells][:4] == [True, True, True, False]


def test_numbers_stay_as_they_are_written(tmp_path: Path) -> None:
    assert lines(tmp_path / "x", '{"a": 1.50, "b": 1e400, "c": 12345678901234567890.10}') == [
        "a: 1.50",
        "b: 1e400",
        "c: 12345678901234567890.10",
    ]
    assert "".join(lines(tmp_path / "x", '{"a": ' + "9" * 6000 + "}")).count("9") == 6000


def test_a_value_on_every_line_is_read_line_by_line(tmp_path: Path) -> None:
    content = '{"a": 1}\n{"a": 2}\nbroken {\n{"b": {"c": 3}}\n\n[4, 5]\n{"a": 6'

    reading = read(tmp_path / "x", content)

    assert JSON.sniff(content.encode()) == "application/x-ndjson"
    assert reading.media_type == "application/x-ndjson"
    text = [line.text for page in reading.pages for line in page.lines]
    assert text == ["a", "1", "2", "broken {", "b:", "c: 3", "4, 5", '{"a": 6']


def test_many_records_on_lines_all_arrive(tmp_path: Path) -> None:
    content = "\n".join(f'{{"id": "n{n}"}}' for n in range(1000))

    assert [line for line in lines(tmp_path / "x", content) if line != "id"] == [f"n{n}" for n in range(1000)]


def test_several_values_in_a_row_are_all_read(tmp_path: Path) -> None:
    assert lines(tmp_path / "x", '{\n"a": {"b": 1}\n}\n{\n"a": {"b": 2}\n}') == [
        "item 1:",
        "a:",
        "b: 1",
        "item 2:",
        "a:",
        "b: 2",
    ]


def test_a_document_that_turns_out_not_to_be_json_is_read_as_text(tmp_path: Path) -> None:
    reading = read(tmp_path / "x", '{\n  "name": "Ann",\n  "cut": ')

    assert reading.media_type == "text/plain"
    assert [line.text for page in reading.pages for line in page.lines] == ["{", '"name": "Ann",', '"cut":']


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a":' * 300 + "1" + "}" * 300, "[" * 250 + "{}" + "]" * 250])
def test_values_nested_too_deep_are_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "x", content)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"a": 1}', "application/json"),
        (b'  [\n  {"a": 1', "application/json"),
        (b"{}", "application/json"),
        ('{"ä": 1}'.encode("utf-16"), "application/json"),
        (b'{"a": 1}\n{"a": 2}\n', "application/x-ndjson"),
        (b"{not json}", None),
        (b"[1] First note\n[2] Second", None),
        (b"[section]\nkey=value", None),
        (b"{\\rtf1 text}", None),
        (b'"just a string"', None),
    ],
)
def test_json_is_known_by_its_first_tokens(head: bytes, expected: str | None) -> None:
    assert JSON.sniff(head) == expected
