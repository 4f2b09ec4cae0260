"""Which fonts state what their codes mean."""

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Object

from docsieve.parsers.pdf.text.font_maps import maps_its_codes


@pytest.fixture
def document() -> pikepdf.Pdf:
    return pikepdf.new()


def to_unicode(document: pikepdf.Pdf, section: str) -> Object:
    return document.make_stream(f"/CIDInit /ProcSet findresource begin begincmap {section} endcmap end".encode())


def embedded(document: pikepdf.Pdf) -> Object:
    return Dictionary(Flags=4, FontFile2=document.make_stream(b"a program"))


def named(*names: str) -> Object:
    return Dictionary(Differences=Array([65, *(Name(f"/{name}") for name in names)]))


LETTERS = "4 beginbfchar <41> <0041> <42> <0042> <43> <0043> <44> <0044> endbfchar"
SHIFTED = "1 beginbfrange <41> <5A> <0024> endbfrange"
LISTED = "1 beginbfrange <41> <44> [<0024> <0025> <0026> <0027>] endbfrange"
SMALL = "1 beginbfrange <41> <5A> <0061> endbfrange"


def test_fonts_that_every_reader_has_need_no_map() -> None:
    assert maps_its_codes(Dictionary(Subtype=Name.Type1, BaseFont=Name.Helvetica))
    assert maps_its_codes(Dictionary(Subtype=Name.TrueType, BaseFont=Name("/Arial"), Encoding=Name.WinAnsiEncoding))
    assert not maps_its_codes(Dictionary(Subtype=Name.Type1, BaseFont=Name.Symbol))


def test_a_subset_with_custom_codes_and_no_map_is_not_trusted(document: pikepdf.Pdf) -> None:
    font = Dictionary(Subtype=Name.TrueType, BaseFont=Name("/AAAAAA+Own"), FontDescriptor=embedded(document))

    assert not maps_its_codes(font)
    font.ToUnicode = to_unicode(document, LETTERS)
    assert maps_its_codes(font)


def test_a_named_encoding_is_a_map(document: pikepdf.Pdf) -> None:
    font = Dictionary(Subtype=Name.Type1, BaseFont=Name("/AAAAAA+Own"), FontDescriptor=embedded(document))
    font.Encoding = Name.MacRomanEncoding

    assert maps_its_codes(font)


@pytest.mark.parametrize(
    ("names", "known"),
    [
        (["A", "B", "hyphen", "one"], True),
        (["uni0041", "uni0042", "u1F600"], True),
        (["g1", "g2", "g3"], False),
        (["c045", "cid.12", "glyph7"], False),
        (["G3A", "G3B", ".notdef"], False),
    ],
)
def test_glyph_names_are_a_map_but_glyph_numbers_are_not(names: list[str], known: bool) -> None:
    assert maps_its_codes(Dictionary(Subtype=Name.Type3, Encoding=named(*names))) is known


@pytest.mark.parametrize(("section", "known"), [(LETTERS, True), (SMALL, True), (SHIFTED, False), (LISTED, False)])
def test_a_map_that_contradicts_the_names_of_its_glyphs_is_wrong(
    document: pikepdf.Pdf, section: str, known: bool
) -> None:
    stated = to_unicode(document, section)

    assert maps_its_codes(Dictionary(Subtype=Name.Type1, Encoding=named("A", "B", "C", "D"), ToUnicode=stated)) is known
    assert maps_its_codes(Dictionary(Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=stated)) is known


def composite(document: pikepdf.Pdf, key: str = "/DW", value: Object | int = 1000) -> Object:
    descendant = Dictionary(Subtype=Name.CIDFontType2, FontDescriptor=embedded(document))
    descendant[key] = value
    return Dictionary(Subtype=Name.Type0, Encoding=Name("/Identity-H"), DescendantFonts=Array([descendant]))


def test_glyph_numbers_need_a_map_that_does_not_repeat_them(document: pikepdf.Pdf) -> None:
    font = composite(document, "/CIDToGIDMap", Name.Identity)

    assert not maps_its_codes(font)
    font.ToUnicode = to_unicode(document, SHIFTED)
    assert maps_its_codes(font)
    font.ToUnicode = to_unicode(document, LETTERS)
    assert not maps_its_codes(font)
    font.ToUnicode = Name("/Identity-H")
    assert not maps_its_codes(font)


def test_codes_that_are_characters_may_be_repeated(document: pikepdf.Pdf) -> None:
    font = composite(document, "/CIDToGIDMap", document.make_stream(b"\x00\x01" * 256))
    font.ToUnicode = to_unicode(document, LETTERS)

    assert maps_its_codes(font)


def test_the_known_collections_of_characters_need_no_map(document: pikepdf.Pdf) -> None:
    of_japan = Dictionary(Registry=b"Adobe", Ordering=b"Japan1", Supplement=2)

    assert maps_its_codes(composite(document, "/CIDSystemInfo", of_japan))
    font = composite(document)
    font.Encoding = Name("/UniGB-UTF16-H")
    assert maps_its_codes(font)
