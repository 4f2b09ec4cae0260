from pathlib import Path

import pytest

from docsieve.domain.pages.page import Page
from docsieve.parsers.data.formats import CSV
from docsieve.parsers.port import ReadOptions


def read(path: Path, content: bytes | str) -> list[Page]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(CSV.read(path, ReadOptions()).pages)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_by_how_regular_it_makes_the_rows(tmp_path: Path, separator: str) -> None:
    rows = [["name", "amount"], ["tea, green", "2.50"], ["cake; small", "3.50"], ["x|y", "4"]]
    rows = [[f'"{value}"' if separator in value else value for value in row] for row in rows]
    content = "\r\n".join(separator.join(row) for row in rows)

    [page] = read(tmp_path / "x", content)

    assert CSV.sniff(content.encode()) is not None
    assert (page.tables[0].rows, page.tables[0].columns) == (4, 2)
    assert [cell.text for cell in page.tables[0].cells][2:4] == ["tea, green", "2.50"]


def test_the_row_of_names_is_a_header(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", "name,amount\ntea,2\ncake,3\n")

    assert [cell.header for cell in page.tables[0].cells] == [True, True, False, False, False, False]


def test_rows_of_values_only_have_no_header(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", "1,tea,2\n2,cake,3\n3,milk,4\n")

    assert not any(cell.header for cell in page.tables[0].cells)


def test_values_may_hold_line_ends_and_quotes(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", 'a,b,c\n"two\nlines","said ""hi""",3\n4,5,6\n')

    assert [cell.text for cell in page.tables[0].cells][3:6] == ["two\nlines", 'said "hi"', "3"]


def test_a_quote_that_is_never_closed_costs_no_rows(tmp_path: Path) -> None:
    rows = [f"{n},name {n}{'x' * 200},{n}.5" for n in range(8000)]
    rows[500] = '500,"open,500.5'

    pages = read(tmp_path / "x", "\n".join(rows))

    assert sum(table.rows for page in pages for table in page.tables) == 8000


def test_a_long_table_comes_in_parts_of_bounded_size_and_keeps_every_row(tmp_path: Path) -> None:
    pages = read(tmp_path / "x", "".join(f"{n};item {n}\n" for n in range(1000)))

    assert "\n".join(page.text for page in pages).splitlines() == [f"{n} item {n}" for n in range(1000)]


def test_a_first_line_that_states_the_separator_is_not_a_row(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", "sep=;\na;b\n1;2\n")

    assert page.text == "a b\n1 2"


def test_any_encoding_will_do(tmp_path: Path) -> None:
    [page] = read(tmp_path / "x", "Größe;Länge;Maß\nübel;1;2\nöde;3;4\n".encode("utf-16"))

    assert page.tables[0].cells[0].text == "Größe"


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ann,\n\nthank you, it was nice.\nWe came, we saw, and we left.\n",
        "Berlin, Germany\nParis, France\n",
        "one line, with commas, only\n",
        "\tindented\n\tcode\n\tlines\n",
        '{"a": 1,\n"b": 2,\n"c": 3}\n',
        "foo(a, b);\nbar(c, d);\nbaz(e, f);\n",
        "plain\ntext\nlines\n",
        "key: value\nother: value\n",
    ],
)
def test_prose_and_code_are_not_tables(text: str) -> None:
    assert CSV.sniff(text.encode()) is None


def test_a_head_that_ends_within_a_row_is_still_a_table() -> None:
    content = "".join(f"{n},{n * n},value {n}\n" for n in range(2000)).encode()

    assert CSV.sniff(content[: 8 * 1024]) == "text/csv"
