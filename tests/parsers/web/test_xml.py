from pathlib import Path

import pytest

from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.web.formats import XML
from docsieve.parsers.web.xml_events import MAX_DEPTH


def read(path: Path, content: bytes | str) -> list[Page]:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(XML.read(path, ReadOptions()).pages)


def text(path: Path, content: bytes | str) -> str:
    return "\n".join(page.text for page in read(path, content))


def test_data_reads_as_names_and_values(tmp_path: Path) -> None:
    document = (
        '<a:invoice xmlns:a="urn:x" id="7"><a:to>Ann</a:to><line><price currency="EUR">5.00</price></line>'
        "<paid/></a:invoice>"
    )

    assert text(tmp_path / "x", document).splitlines() == [
        "invoice (id 7)",
        "to: Ann",
        "line",
        "price (currency EUR): 5.00",
        "paid",
    ]


def test_prose_reads_as_paragraphs_and_titles_as_headings(tmp_path: Path) -> None:
    document = (
        "<article><sec><title>On <i>tea</i></title><p>Tea is <b>hot</b>, and\n  good.</p><p>Next.</p></sec></article>"
    )

    [page] = read(tmp_path / "x", document)

    assert [(line.text, line.role) for line in page.lines][-3:] == [
        ("On tea", "heading"),
        ("Tea is hot, and good.", None),
        ("Next.", None),
    ]


def test_mixed_content_stays_in_one_piece(tmp_path: Path) -> None:
    assert "note: see <here> now" in text(tmp_path / "x", "<r><note><em>see</em> &lt;here&gt; <b>now</b></note></r>")


def test_rows_of_entries_become_a_table(tmp_path: Path) -> None:
    document = (
        "<table><tgroup cols='2'><colspec colname='1'/><thead><row><entry>A</entry><entry>B</entry></row></thead>"
        "<tbody><row><entry>1</entry><entry>2</entry></row></tbody></tgroup></table>"
    )

    [page] = read(tmp_path / "x", document)

    [table] = page.tables
    assert [(cell.text, cell.header) for cell in table.cells] == [("A", True), ("B", True), ("1", False), ("2", False)]
    assert page.text == "A B\n1 2"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-2", "gb18030", "windows-1251"])
def test_the_declared_encoding_is_believed(tmp_path: Path, encoding: str) -> None:
    word = {"gb18030": "发票", "windows-1251": "счёт"}.get(encoding, "łąka")
    document = f'<?xml version="1.0" encoding="{encoding}"?><a>{word}</a>'.encode(encoding)

    assert XML.sniff(document) == "application/xml"
    assert text(tmp_path / "x", document) == f"a: {word}"


def test_entities_of_the_document_are_read_and_those_from_outside_are_not(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    document = f'<!DOCTYPE a [<!ENTITY c "ACME"><!ENTITY x SYSTEM "{secret.as_uri()}">]><a z="&c;">by &c;&x;</a>'

    assert text(tmp_path / "x", document) == "a (z ACME): by ACME"


def bomb(use: str) -> str:
    entities = ['<!ENTITY e0 "' + "lol" * 300 + '">']
    entities += [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)]
    return f'<?xml version="1.0"?><!DOCTYPE a [{"".join(entities)}]>{use}'


@pytest.mark.parametrize("use", ["<a>&e9;</a>", '<a b="&e9;"/>'])
def test_entities_that_swell_the_document_are_refused(tmp_path: Path, use: str) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "x", bomb(use))


def test_elements_nested_too_deep_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "x", "<a>" * (MAX_DEPTH + 1) + "x" + "</a>" * (MAX_DEPTH + 1))
    assert "x" in text(tmp_path / "x", "<a>" * MAX_DEPTH + "x" + "</a>" * MAX_DEPTH)


@pytest.mark.parametrize(
    ("document", "lines"),
    [
        ("<a><b>1</b><c>2", ["a", "b: 1", "c: 2"]),
        ("<a>caf&eacute; &unknown;</a>", ["a: café &unknown;"]),
        ("<e>one</e>\n<e>two</e>\ntail", ["e: one", "e: two", "tail"]),
        ("<a><b>1</c></a>", ["a", "b: 1"]),
    ],
)
def test_a_damaged_document_is_read_as_far_as_it_makes_sense(tmp_path: Path, document: str, lines: list[str]) -> None:
    assert text(tmp_path / "x", document).splitlines() == lines


def test_the_order_of_the_document_is_kept(tmp_path: Path) -> None:
    document = "<r><a>1</a><b><c>2</c><d><e>3</e></d><f>4</f></b><g>5</g><p>6</p><h>7</h></r>"

    found = [character for character in text(tmp_path / "x", document) if character.isdigit()]

    assert found == list("1234567")


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'<?xml version="1.0"?><a/>', True),
        (b"<!-- c --><TEI xmlns='x'>\n <b>", True),
        (b"<!DOCTYPE note SYSTEM 'x'><note>", True),
        (b"<user@example.org> wrote", False),
        (b"<3 this", False),
        (b"a < b", False),
    ],
)
def test_xml_is_known_by_its_first_element(head: bytes, known: bool) -> None:
    assert (XML.sniff(head) == "application/xml") is known
