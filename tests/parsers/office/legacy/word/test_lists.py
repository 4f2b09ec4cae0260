"""Numbers and bullets of lists in Word 97 to 2003, from list tables made by hand."""

import struct
from pathlib import Path

from tests.parsers.office.legacy.samples import write_ole
from tests.parsers.office.reading import lines_of

PAGE = 512
TEXT_AT = 0x400
LIST_ID = 77


def level(text: str, number_format: int = 0, *, start: int = 1, flags: int = 0, limit: int = 0) -> bytes:
    """In `text`, the characters of codes 0 to 8 are placeholders for the counts of the levels."""
    head = struct.pack("<IBB9xx8xBBBx", start, number_format, flags, 2, 3, limit)
    return head + bytes(5) + struct.pack("<H", len(text)) + text.encode("utf-16-le")


def lists(*levels: bytes) -> tuple[bytes, bytes]:
    """The table with one list, and the levels that follow it."""
    simple = len(levels) == 1
    filled = levels if simple else (*levels, *[level("")] * (9 - len(levels)))
    return struct.pack("<Hi22xBx", 1, LIST_ID, int(simple)), b"".join(filled)


def references(*changes: bytes) -> bytes:
    """One list to refer to for each of the changes, which begin with the number of levels they change."""
    heads = b"".join(struct.pack("<i8xB3x", LIST_ID, change[0]) for change in changes)
    return struct.pack("<I", len(changes)) + heads + b"".join(bytes(4) + change[1:] for change in changes)


def styles(*modifiers: bytes) -> bytes:
    """A sheet of paragraph styles; each but the first is based on the one before."""
    sheet = struct.pack("<HHH", 4, len(modifiers), 10)
    for number, own in enumerate(modifiers):
        base = number - 1 if number else 0xFFF
        name = struct.pack("<H", 1) + "n\0".encode("utf-16-le")
        properties = struct.pack("<HH", 2 + len(own), number) + own
        style = struct.pack("<HHHHH", 0, base << 4 | 1, 1, 0, 0) + name + properties
        sheet += struct.pack("<H", len(style)) + style
    return sheet


def in_list(number: int, place: int | None = None) -> bytes:
    deeper = struct.pack("<HB", 0x260A, place) if place is not None else b""
    return struct.pack("<HH", 0x460B, number) + deeper


def streams(
    paragraphs: list[tuple[str, int, bytes]],
    listed: tuple[bytes, bytes],
    referred: bytes,
    sheet: bytes = b"",
) -> dict[str, bytes]:
    """Each paragraph with the number of its style and its own modifiers."""
    text = "".join(f"{said}\r" for said, _, _ in paragraphs).encode("cp1252")
    page = bytearray(PAGE)
    bounds, at, place = [TEXT_AT], TEXT_AT, PAGE - 2
    for number, (said, style, modifiers) in enumerate(paragraphs):
        at += len(said) + 1
        bounds.append(at)
        content = struct.pack("<H", style) + modifiers
        content += bytes(1 - len(content) % 2)
        place = (place - len(content) - 1) // 2 * 2
        page[place : place + len(content) + 1] = bytes([(len(content) + 1) // 2]) + content
        page[4 * (len(paragraphs) + 1) + 13 * number] = place // 2
    struct.pack_into(f"<{len(bounds)}I", page, 0, *bounds)
    page[PAGE - 1] = len(paragraphs)
    document = bytearray(0x600)
    struct.pack_into("<HH", document, 0, 0xA5EC, 0xC1)
    struct.pack_into("<I", document, 0x4C, len(text))
    pieces = struct.pack("<IIHIH", 0, len(text), 0, TEXT_AT * 2 | 0x4000_0000, 0)
    table = b""
    for header, content, more in (
        (0x1A2, b"\x02" + struct.pack("<I", len(pieces)) + pieces, b""),
        (0x102, struct.pack("<III", TEXT_AT, at, 3), b""),
        (0x2E2, *listed),
        (0x2EA, referred, b""),
        (0xA2, sheet, b""),
    ):
        struct.pack_into("<II", document, header, len(table), len(content))
        table += content + more
    document[TEXT_AT : TEXT_AT + len(text)] = text
    return {"WordDocument": bytes(document) + bytes(page), "0Table": table}


def test_paragraphs_of_a_list_begin_with_their_number(tmp_path: Path) -> None:
    listed = lists(level("\0."), level("\0.\1)", 4))
    paragraphs = [
        ("a", 0, in_list(1)),
        ("b", 0, in_list(1, 1)),
        ("c", 0, in_list(1, 1)),
        ("", 0, in_list(1)),
        ("d", 0, in_list(1, 0)),
        ("plain", 0, b""),
    ]

    found = lines_of(write_ole(tmp_path / "d", streams(paragraphs, listed, references(b"\0"))))

    assert found == ["1. a", "1.a) b", "1.b) c", "2. d", "plain"]


def test_bullets_are_shown(tmp_path: Path) -> None:
    made = streams([("a", 0, in_list(1))], lists(level("\uf0b7", 23)), references(b"\0"))

    assert lines_of(write_ole(tmp_path / "d", made)) == ["• a"]


def test_a_reference_may_change_the_start_or_the_whole_level(tmp_path: Path) -> None:
    start = b"\1" + struct.pack("<II", 5, 0x10)
    whole = b"\1" + struct.pack("<II", 0, 0x30) + level("Part \0:", 1, start=2)
    paragraphs = [(text, 0, in_list(number)) for text, number in (("a", 1), ("b", 2), ("c", 3), ("d", 1))]
    made = streams(paragraphs, lists(level("\0.")), references(b"\0", start, whole))

    assert lines_of(write_ole(tmp_path / "d", made)) == ["1. a", "5. b", "Part II: c", "3. d"]


def test_a_style_puts_its_paragraphs_into_a_list_and_a_paragraph_may_leave_it(tmp_path: Path) -> None:
    # Styles 1 to 9 are headings.
    sheet = styles(*[b""] * 10, in_list(1), struct.pack("<HB", 0x260A, 1))
    paragraphs = [("a", 10, b""), ("b", 11, b""), ("c", 10, in_list(0)), ("d", 10, b"")]
    made = streams(paragraphs, lists(level("\0."), level("\0.\1")), references(b"\0"), sheet)

    assert lines_of(write_ole(tmp_path / "d", made)) == ["1. a", "1.1 b", "c", "2. d"]


def test_damaged_lists_cost_only_the_numbers(tmp_path: Path) -> None:
    table, _ = lists(level("\0."))
    made = streams([("a", 0, in_list(1))], (table, b""), b"\xff\xff")

    assert lines_of(write_ole(tmp_path / "d", made)) == ["a"]
