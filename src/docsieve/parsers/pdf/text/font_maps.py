"""Checks whether a font of a PDF maps its codes to characters without contradicting itself.

This module loads pikepdf, so it is imported only when it is needed.
"""

import re
from collections.abc import Iterator

from pikepdf import Dictionary, Object, Stream

_ENCODINGS = frozenset({"/WinAnsiEncoding", "/MacRomanEncoding", "/StandardEncoding"})
_BY_GLYPH = frozenset({"/Identity-H", "/Identity-V"})
_OF_SYMBOLS = frozenset({"/Symbol", "/ZapfDingbats"})
_COLLECTIONS = frozenset({"Japan1", "GB1", "CNS1", "Korea1", "KR"})
_PROGRAMS = ("/FontFile", "/FontFile2", "/FontFile3")
# Numbers in place of names: /g12, /c045, /G3A, /cid:77, /glyph5. But /uni0041 is a name.
_NUMBERED = re.compile(r"/(?!uni[0-9A-F]{4}|u[0-9A-F]{4,6}$)(?:[A-Za-z]{1,5}[.:_]?\d+|G[0-9A-F]{2}|\.notdef)$")
_LETTER_NAME = re.compile(r"/[A-Za-z]$")
_LETTERS = frozenset(range(ord("A"), ord("Z") + 1)) | frozenset(range(ord("a"), ord("z") + 1))

_SECTION = re.compile(r"begin(bfchar|bfrange)(.*?)end\1", re.DOTALL)
_SINGLE = re.compile(r"<\s*([0-9A-Fa-f]+)\s*>\s*<([0-9A-Fa-f\s]*)>")
_RANGE = re.compile(r"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]+)\s*>\s*(?:<([0-9A-Fa-f\s]*)>|\[([^\]]*)\])")
_MAX_CODES = 65_536

# With so few codes, agreement may be chance.
_ENOUGH = 4
_SHARE = 0.5


def maps_its_codes(font: Object) -> bool:
    stated = _to_unicode(font)
    if font.get("/Subtype") == "/Type0":
        return _composite_maps(font, stated)
    names = _names(font)
    if stated:
        # Custom codes are common, but not a code named /a that means D.
        return not _contradict(stated, names or _letters_of_encoding(font))
    if names:
        numbered = sum(_NUMBERED.match(name) is not None for name in names.values())
        return numbered <= len(names) * _SHARE
    return _letters_of_encoding(font) != {}


def _composite_maps(font: Object, stated: dict[int, str]) -> bool:
    descendant = font["/DescendantFonts"][0]
    encoding = font.get("/Encoding")
    if not isinstance(encoding, Stream) and str(encoding) not in _BY_GLYPH:
        return True  # a known map of codes to characters, such as /UniJIS-UTF16-H
    if str(descendant.get("/CIDSystemInfo", Dictionary()).get("/Ordering", "")) in _COLLECTIONS:
        return True
    if not stated:
        return False
    has_table = "/CIDToGIDMap" in descendant and descendant["/CIDToGIDMap"] != "/Identity"
    return has_table or not _is_embedded(descendant) or not _maps_to_itself(stated)


def _maps_to_itself(stated: dict[int, str]) -> bool:
    """Whether glyph numbers were taken for characters: they are equal only by chance."""
    same = sum(text == chr(code) for code, text in stated.items())
    return len(stated) >= _ENOUGH and same > len(stated) * _SHARE


def _contradict(stated: dict[int, str], named: dict[int, str]) -> bool:
    """Whether most codes with letter names map to something else, ignoring small capitals."""
    letters = {code: name[1:].lower() for code, name in named.items() if _LETTER_NAME.match(name) and code in stated}
    wrong = sum(stated[code].lower() != letter for code, letter in letters.items())
    return len(letters) >= _ENOUGH and wrong > len(letters) * _SHARE


def _names(font: Object) -> dict[int, str]:
    """Return the glyph names of the codes that have one."""
    encoding = font.get("/Encoding")
    found: dict[int, str] = {}
    code = 0
    for item in encoding.get("/Differences", ()) if isinstance(encoding, Dictionary) else ():
        if isinstance(item, int):
            code = item
        else:
            found[code] = str(item)
            code += 1
    return found


def _letters_of_encoding(font: Object) -> dict[int, str]:
    """Return the letters of the encoding that the font names or is known to have; nothing if it is unknown."""
    encoding = font.get("/Encoding")
    base = encoding.get("/BaseEncoding") if isinstance(encoding, Dictionary) else encoding
    if base is None:
        # The standard encoding holds for what the reader must have itself: /Helvetica and its kind.
        known = not _is_embedded(font) and str(font.get("/BaseFont", "")) not in _OF_SYMBOLS
    else:
        known = str(base) in _ENCODINGS
    return {code: f"/{chr(code)}" for code in _LETTERS} if known else {}


def _is_embedded(font: Object) -> bool:
    descriptor = font.get("/FontDescriptor")
    return descriptor is not None and any(program in descriptor for program in _PROGRAMS)


def _to_unicode(font: Object) -> dict[int, str]:
    """Return what the codes of the font map to; a map given only by name maps codes to themselves."""
    stream = font.get("/ToUnicode")
    if stream is None:
        return {}
    if not isinstance(stream, Stream):
        return {code: chr(code) for code in range(256)}
    stated: dict[int, str] = {}
    for code, text in _entries(stream.read_bytes().decode("latin-1")):
        stated[code] = text
        if len(stated) >= _MAX_CODES:
            break
    return stated


def _entries(program: str) -> Iterator[tuple[int, str]]:
    for kind, section in _SECTION.findall(program):
        if kind == "bfchar":
            for code, text in _SINGLE.findall(section):
                yield int(code, 16), _text(text)
            continue
        for first, last, text, texts in _RANGE.findall(section):
            codes = range(int(first, 16), min(int(last, 16), int(first, 16) + _MAX_CODES) + 1)
            if texts:
                yield from zip(codes, map(_text, re.findall(r"<([0-9A-Fa-f\s]*)>", texts)), strict=False)
            elif start := _text(text):
                yield from ((code, _after(start, code - codes.start)) for code in codes)


def _text(digits: str) -> str:
    packed = "".join(digits.split())
    return bytes.fromhex(packed if len(packed) % 2 == 0 else f"0{packed}").decode("utf-16-be", "replace")


def _after(start: str, count: int) -> str:
    return start[:-1] + chr(min(ord(start[-1]) + count, 0x10FFFF))
