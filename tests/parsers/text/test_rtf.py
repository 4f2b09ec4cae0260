"""Rich text: characters, structure, and skipped content."""

from pathlib import Path

import pytest

from docsieve.parsers.flow.blocks import Grid, Heading, NewPage, Paragraph
from docsieve.parsers.mail.rtf_compressed import decompress
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.text.formats import RTF
from docsieve.parsers.text.rtf_text import blocks_of_rtf, text_of_rtf


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (rb"Gr\'fc\'dfe", "Grüße"),
        (rb"\u8364?\uc2\u228AB\uc1 x", "€äx"),
        (rb"\u-10179?\u-8704?", "😀"),
        (rb"a\tab b\line c\~d\_e\{\}\\", "a\tb\nc\xa0d‑e{}\\"),
        (rb"seen{\*\unknown not seen}{\pict 89504e47}{\v hidden}", "seen"),
        (rb"before{\object{\*\objdata 0102}{\result shown}}after", "beforeafter"),
        (b"raw\\bin4 }}{{end", "rawend"),
        (rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}", "link"),
        (rb"\unclosed {group", "group"),
        (rb"closed}}}too often", "closedtoo often"),
    ],
)
def test_characters_are_read_and_the_rest_is_passed_over(body: bytes, expected: str) -> None:
    assert text_of_rtf(rb"{\rtf1\ansi\ansicpg1252 " + body + b"}") == expected


def test_a_font_s_character_set_decides_over_the_document_s() -> None:
    fonts = rb"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}"

    assert text_of_rtf(rb"{\rtf1\ansi" + fonts + rb"\f0 \'e4 \f1 \'cf\'f0\'e8}") == "ä При"


def test_structure_is_kept() -> None:
    table = rb"\trowd\intbl Item\cell Price\cell\row\trowd\intbl Pen\cell 2.50\cell\row\pard"

    blocks = list(
        blocks_of_rtf(rb"{\rtf1\pard\outlinelevel0 Title\par\pard Text\par" + table + rb" End\page Next\par}")
    )

    assert blocks[:2] == [Heading("Title", 1), Paragraph("Text")]
    assert isinstance(blocks[2], Grid)
    assert [[cell.text for cell in row] for row in blocks[2].rows] == [["Item", "Price"], ["Pen", "2.50"]]
    assert blocks[3:] == [Paragraph("End"), NewPage(), Paragraph("Next")]


def test_groups_nested_without_end_are_read(tmp_path: Path) -> None:
    source = tmp_path / "deep"
    source.write_bytes(b"{\\rtf1 " + b"{" * 100_000 + b"deep")

    assert [page.text for page in RTF.read(source, ReadOptions()).pages] == ["deep"]


def test_the_compression_of_outlook_is_undone() -> None:
    # the two examples of the format's specification
    simple = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    crossing = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")

    assert decompress(simple) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"
    assert decompress(crossing) == b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"
    assert decompress(b"short") == b""
    assert decompress(simple[:30]).startswith(b"{\\rtf1")
