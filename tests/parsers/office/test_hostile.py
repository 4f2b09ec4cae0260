"""Bombs, entities and damage: bounded, inert, and read as far as it goes."""

import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from docsieve.errors import CorruptDocument, DocsieveError, TooLarge
from docsieve.parsers.office import package
from docsieve.parsers.office.legacy.format import OLE
from docsieve.parsers.office.odf.format import ODF
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.port import Parser, ReadOptions
from tests.parsers.office.legacy.samples import slide_streams, word_streams, workbook_stream, write_ole
from tests.parsers.office.reading import lines_of, reading_of, text_of
from tests.parsers.office.samples import (
    SAMPLES,
    paragraph,
    shape,
    word_part,
    write_docx,
    write_odf,
    write_pptx,
    write_xlsx,
)


def test_a_part_that_swells_too_far_is_too_large(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", paragraph("x" * 40_000_000))

    with pytest.raises(TooLarge):
        reading_of(source)


def test_many_parts_that_swell_together_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "_TOTAL_BYTES", 1_000_000)
    rows = "".join(f"<row><c><v>{number}</v></c></row>" for number in range(20_000))
    source = write_xlsx(tmp_path / "x", {f"S{place}": f"<sheetData>{rows}</sheetData>" for place in range(4)})

    with pytest.raises(TooLarge):
        reading_of(source)


def test_sizes_that_lie_are_not_believed(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", paragraph("true"))
    content = bytearray(source.read_bytes())
    for place in range(len(content) - 46):
        if content.startswith(b"PK\x01\x02", place):
            struct.pack_into("<I", content, place + 24, 3)
    source.write_bytes(content)

    assert text_of(source) == "true"


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("SECRET")
    doctype = f'<!DOCTYPE x [<!ENTITY inner "expanded"><!ENTITY file SYSTEM "{secret.as_uri()}">]>'
    body = paragraph("before") + paragraph("&file;&inner;") + paragraph("after")
    document = doctype + word_part(f"<w:body>{body}</w:body>")
    source = write_docx(tmp_path / "d", "", parts={"word/document.xml": document})

    assert lines_of(source) == ["before", "after"]


@pytest.mark.parametrize("place", ['<w:p w:x="&e11;"/>', paragraph("&e11;")])
def test_a_bomb_of_entities_does_not_explode(tmp_path: Path, place: str) -> None:
    nested = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 12))
    body = f"<w:body>{paragraph('before')}{place}</w:body>"
    document = f'<!DOCTYPE x [<!ENTITY e0 "ha">{nested}]>{word_part(body)}'
    source = write_docx(tmp_path / "d", "", parts={"word/document.xml": document})

    assert text_of(source) == "before"


def test_elements_nested_beyond_reason_end_without_a_crash(tmp_path: Path) -> None:
    deep = "<w:sdt><w:sdtContent>" * 5000 + paragraph("deep") + "</w:sdtContent></w:sdt>" * 5000

    assert "shallow" in text_of(write_docx(tmp_path / "d", paragraph("shallow") + deep))


def test_relations_that_lead_outside_are_ignored(tmp_path: Path) -> None:
    outside = (
        '<Relationships><Relationship Id="rId1" TargetMode="External" Type="x/header" Target="header.xml"/>'
        '<Relationship Id="rId2" Type="x/header" Target="../../../../etc/passwd"/></Relationships>'
    )
    references = "".join(f'<w:headerReference w:type="default" r:id="{key}"/>' for key in ("rId1", "rId2"))
    parts: dict[str, str | bytes] = {
        "word/_rels/document.xml.rels": outside,
        "word/header.xml": word_part(paragraph("not here"), root="hdr"),
    }
    body = f"{paragraph('x')}<w:sectPr>{references}</w:sectPr>"

    assert lines_of(write_docx(tmp_path / "d", body, parts=parts)) == ["x"]


def test_a_container_cut_off_before_its_directory_is_read_by_its_headers(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", paragraph("saved"))
    content = source.read_bytes()
    source.write_bytes(content[: content.index(b"PK\x01\x02")])

    assert text_of(source) == "saved"


def test_a_part_cut_off_in_the_middle_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    body = "".join(paragraph(f"line {number} {random.Random(number).random()}") for number in range(500))
    with zipfile.ZipFile(write_docx(tmp_path / "d", body)) as archive:
        document = archive.read("word/document.xml")
    source = write_docx(tmp_path / "cut", "", parts={"word/document.xml": document[: len(document) // 2]})

    lines = lines_of(source)

    assert lines[0].startswith("line 0")
    assert 100 < len(lines) < 400


def test_a_sheet_cut_off_in_the_middle_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{number}"><c r="A{number}"><v>{number}</v></c></row>' for number in range(1, 50))

    lines = lines_of(write_xlsx(tmp_path / "x", {"S": f"<sheetData>{rows}<row r="}))

    assert lines == ["S", *map(str, range(1, 50))]


def test_a_container_without_its_main_part_is_corrupt(tmp_path: Path) -> None:
    source = write_docx(tmp_path / "d", "", parts={"word/document.xml": b""})

    with pytest.raises(CorruptDocument):
        reading_of(source)


def _excel_97(path: Path) -> Path:
    return write_ole(path, {"Workbook": workbook_stream()})


def _word_97(path: Path) -> Path:
    return write_ole(path, word_streams())


def _powerpoint_97(path: Path) -> Path:
    return write_ole(path, slide_streams())


def _xlsx(path: Path) -> Path:
    return write_xlsx(path, {"S": '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>'})


def _pptx(path: Path) -> Path:
    return write_pptx(path, [shape("a", kind="title") + shape("b")], notes={1: "n"})


def _ods(path: Path) -> Path:
    return write_odf(
        path, "spreadsheet", "<table:table><table:table-row><table:table-cell/></table:table-row></table:table>"
    )


_KINDS: list[tuple[Parser, Callable[[Path], Path]]] = [
    (OOXML, SAMPLES["ooxml"]),
    (OOXML, _xlsx),
    (OOXML, _pptx),
    (ODF, SAMPLES["odf"]),
    (ODF, _ods),
    (OLE, _excel_97),
    (OLE, _word_97),
    (OLE, _powerpoint_97),
]


@pytest.mark.parametrize(("parser", "write"), _KINDS)
def test_damage_never_ends_in_anything_but_pages_or_a_named_error(
    parser: Parser, write: Callable[[Path], Path], tmp_path: Path
) -> None:
    source = write(tmp_path / "sample")
    whole = source.read_bytes()
    chance = random.Random(7)
    for _ in range(60):
        damaged = bytearray(whole[: chance.randrange(len(whole) // 2, len(whole))] if chance.random() < 0.3 else whole)
        for _ in range(chance.choice([1, 5, 40])):
            damaged[chance.randrange(len(damaged))] = chance.choice([0, 255, chance.randrange(256)])
        source.write_bytes(damaged)
        try:
            list(parser.read(source, ReadOptions()).pages)
        except DocsieveError as error:
            assert error.permanent
