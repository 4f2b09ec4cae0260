from pathlib import Path

import pytest

from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument
from docsieve.parsers.flow.blocks import Grid, Heading, Paragraph
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.web.formats import HTML
from docsieve.parsers.web.html_blocks import html_blocks


def read(path: Path, content: bytes | str) -> Page:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    [page] = HTML.read(path, ReadOptions()).pages
    return page


def texts(content: bytes | str, charset: str | None = None) -> list[str]:
    return [block.text for block in html_blocks(content, charset) if isinstance(block, (Heading, Paragraph))]


def test_headings_paragraphs_and_lists_become_blocks() -> None:
    blocks = list(
        html_blocks("<h2>Head</h2>loose<p>a <b>bold</b>\n word<ol start=3><li>x<li>y<ul><li>deep</ul></ol><p>end")
    )

    assert blocks == [
        Heading("Head", 2),
        Paragraph("loose"),
        Paragraph("a bold word"),
        Paragraph("3. x", listed=True),
        Paragraph("4. y", listed=True),
        Paragraph("  • deep", listed=True),
        Paragraph("end"),
    ]


def test_line_breaks_are_kept_and_two_of_them_part_paragraphs() -> None:
    assert texts("<p>one<br>two<br><br>three</p><pre>  a\n    b</pre>") == ["one\ntwo", "three", "  a\n    b"]


def test_scripts_styles_and_hidden_parts_are_left_out() -> None:
    page = (
        "<html><head><title>T</title><style>p{}</style></head><body>seen<script>no()</script> still"
        "<div style='Display : none'>no</div><p hidden>no</p><input type=hidden value=no><!-- no --> also"
    )

    assert " ".join(texts(page)) == "seen still also"


def test_alternative_texts_and_values_of_forms_are_read() -> None:
    page = (
        "<form>Name <input value='Ann'> <input type=checkbox checked>Yes <input type=radio>No "
        "<select><option>one<option selected>two</select> <textarea>long text</textarea> <img alt='Logo' src='http://x/y'>"
    )

    assert texts(page) == ["Name Ann [x] Yes [ ] No two long text Logo"]


def test_links_side_by_side_do_not_run_into_one_word() -> None:
    assert texts("<a href=a>Home</a><a href=b>About</a><a>link</a>s") == ["Home About links"]


def test_a_table_keeps_its_cells_spans_and_heads(tmp_path: Path) -> None:
    page = read(
        tmp_path / "page",
        "<table><caption>Prices</caption><tr><th colspan=2>Item<th>Price"
        "<tr><td rowspan=0>A<td>b<td>1<tr><td>c<td>2</table>",
    )

    [table] = page.tables
    assert page.lines[0].text == "Prices"
    assert (table.rows, table.columns) == (3, 3)
    assert {cell.text: (cell.row_span, cell.column_span, cell.header) for cell in table.cells} == {
        "Item": (1, 2, True),
        "Price": (1, 1, True),
        "A": (2, 1, False),
        "b": (1, 1, False),
        "1": (1, 1, False),
        "c": (1, 1, False),
        "2": (1, 1, False),
    }


def test_a_table_that_only_places_things_is_not_a_table() -> None:
    blocks = list(html_blocks("<table><tr><td>menu<td><table><tr><td>k<td>v</table></table>"))

    assert [type(block) for block in blocks] == [Paragraph, Grid]


def test_title_and_meta_become_information(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text("<title>A\n title</title><meta name=Author content=Ann><meta name=keywords content='a, b'><p>x")

    info = HTML.read(path, ReadOptions()).info

    assert (info.title, info.author, info.properties) == ("A title", "Ann", {"keywords": "a, b"})


@pytest.mark.parametrize(
    "content",
    [
        "<meta charset=iso-8859-2><p>Zażółć".encode("iso-8859-2"),
        '<?xml version="1.0" encoding="windows-1250"?><html><body><p>Zażółć</p></body></html>'.encode("cp1250"),
        "<p>Zażółć".encode("utf-16"),
        "<meta charset=utf-16><p>Zażółć".encode(),
        "<meta charset=us-ascii><p>Zażółć".encode(),
        "<p>Zażółć".encode("utf-8-sig"),
    ],
)
def test_the_encoding_is_what_the_page_says_where_its_bytes_agree(content: bytes) -> None:
    assert texts(content) == ["Zażółć"]


def test_the_encoding_a_protocol_states_goes_first() -> None:
    assert texts("<meta charset=utf-8><p>я".encode("koi8-r"), "koi8-r") == ["я"]


def test_xhtml_keeps_what_follows_a_self_closed_element_and_its_named_characters() -> None:
    page = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><script src="a"/></head>'
        "<body><p>caf&eacute; &amp; &#233;</p></body></html>"
    )

    assert texts(page) == ["café & é"]


def test_nothing_outside_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    page = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x SYSTEM "{secret.as_uri()}">]><html><body><p>a&x;b</p>'
        f'<iframe src="{secret.as_uri()}"></iframe></body></html>'
    )

    assert "SECRET" not in " ".join(texts(page))


def test_entities_do_not_swell_a_page() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    page = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "lol">{entities}]>'
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><p style="&e11;">a &e11;</p></body></html>'
    )

    assert len(" ".join(texts(page))) < 2000


def test_elements_nested_thousands_deep_are_refused() -> None:
    with pytest.raises(CorruptDocument):
        list(html_blocks("<div>" * 100_000 + "x"))


@pytest.mark.parametrize("content", ["", "   ", "<!-- only -->", "<html></html>", "\x00", "<", "<>", "</p>"])
def test_an_empty_or_broken_page_is_still_a_page(tmp_path: Path, content: str) -> None:
    assert read(tmp_path / "page", content).error is None


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<!DOCTYPE html><p>x", "text/html"),
        (b"\n<!-- c -->\n<HTML lang=en>", "text/html"),
        (b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "application/xhtml+xml"),
        (b"<div class=x>fragment</div>", "text/html"),
        ("<html><p>ü".encode("utf-16"), "text/html"),
        (b'<?xml version="1.0"?><article><title>x</title></article>', None),
        (b"<p align=center>\n<img src=a>\n</p>\n\n# Title\n\nSee [docs](http://x.y).\n", None),
        (b"plain < text", None),
        (b"{}", None),
    ],
)
def test_pages_are_detected_from_their_beginning(head: bytes, expected: str | None) -> None:
    assert HTML.sniff(head) == expected
