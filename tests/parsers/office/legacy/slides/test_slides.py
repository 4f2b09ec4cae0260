"""Slides of PowerPoint 95, and footers and masters of PowerPoint 97 to 2003."""

import struct
from pathlib import Path

from tests.parsers.office.legacy.samples import slide_streams, write_ole
from tests.parsers.office.reading import lines_of, pages_of


def record(kind: int, content: bytes, *, instance: int = 0, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(content)) + content


def show(slide: bytes, *, about_all: bytes = b"", master: bytes = b"") -> dict[str, bytes]:
    """One slide, with what the document says about all of them, and perhaps a master whose id is 7."""
    listed = record(4080, record(1011, struct.pack("<IIIII", 2, 0, 0, 256, 0)), instance=0, container=True)
    masters = record(4080, record(1011, struct.pack("<IIIII", 3, 0, 0, 7, 0)), instance=1, container=True)
    document = record(1000, about_all + masters + listed, container=True)
    slide = record(1006, slide, container=True)
    stream = document + slide + record(1016, master, container=True)
    places = struct.pack("<IIII", 3 << 20 | 1, 0, len(document), len(document) + len(slide))
    directory, stream = len(stream), stream + record(6002, places)
    edit, stream = len(stream), stream + record(4085, struct.pack("<IIIIII", 0, 0, 0, directory, 1, 3))
    return {
        "PowerPoint Document": stream,
        "Current User": record(4086, struct.pack("<III", 20, 0xE391C05F, edit)),
    }


def footer(text: str, flags: int, instance: int = 0) -> bytes:
    inner = record(4058, struct.pack("<HH", 0, flags)) + record(4026, text.encode("utf-16-le"), instance=2)
    return record(4057, inner, instance=instance, container=True)


def atom(*, shows_master: bool) -> bytes:
    return record(1007, struct.pack("<I8sIIHH", 0, bytes(8), 7, 0, int(shows_master), 0))


def text_shape(text: bytes, *, placeholder: bool = False) -> bytes:
    mark = record(0xF011, record(3011, bytes(8)), container=True) if placeholder else b""
    return record(0xF004, mark + record(0xF00D, record(4008, text), container=True), container=True)


def test_a_footer_of_all_slides_is_read_unless_a_slide_has_another(tmp_path: Path) -> None:
    for_all = footer("Confidential", 0x20, instance=3)

    assert lines_of(write_ole(tmp_path / "a", show(b"", about_all=for_all))) == ["Confidential"]
    assert lines_of(write_ole(tmp_path / "b", show(footer("Mine", 0x20), about_all=for_all))) == ["Mine"]
    assert lines_of(write_ole(tmp_path / "c", show(footer("Hidden", 0), about_all=for_all))) == []


def test_texts_of_a_master_are_on_slides_that_show_it_but_its_prompts_are_not(tmp_path: Path) -> None:
    master = text_shape(b"Click to edit", placeholder=True) + text_shape(b"Example Ltd") + text_shape(b"*")

    assert lines_of(write_ole(tmp_path / "a", show(atom(shows_master=True), master=master))) == ["Example Ltd"]
    assert lines_of(write_ole(tmp_path / "b", show(atom(shows_master=False), master=master))) == []


def test_of_slides_for_two_versions_the_later_ones_are_read(tmp_path: Path) -> None:
    streams = {"PowerPoint Document": b"\0" * 64, "Text_Content": b"old\rtext"}
    source = write_ole(tmp_path / "ppt", streams, storage=("PP97_DUALSTORAGE", slide_streams()))

    assert lines_of(source) == ["Títle", "new box"]


def test_without_readable_records_the_separate_text_of_version_95_is_read(tmp_path: Path) -> None:
    streams = {"PowerPoint Document": b"\0" * 64, "Text_Content": "Tïtle\r\rA point".encode("cp1252")}

    assert lines_of(write_ole(tmp_path / "ppt", streams)) == ["Tïtle", "A point"]


def record_95(kind: int, *content: bytes, part: int = 0) -> bytes:
    inner = b"".join(content)
    return struct.pack("<H6xIB3x", kind, len(inner), part) + inner


def text_95(text: str) -> bytes:
    """A rectangle with a text and the formats of its characters."""
    formats = record_95(2030, bytes(44), part=47)
    return record_95(3008, record_95(2028, record_95(2030, text.encode("cp1252"), part=53), formats))


def stream_95(*slides: bytes) -> bytes:
    master = record_95(1016, text_95("Click to edit"))
    size = record_95(1001, struct.pack("<ii36x", 5760, 4320))
    listed = record_95(2000, master, *(record_95(1006, slide) for slide in slides))
    return record_95(3, record_95(10, bytes(8)), record_95(1000, size, listed))


def test_slides_of_powerpoint_95_are_pages_with_their_texts_and_notes(tmp_path: Path) -> None:
    notes = record_95(1008, record_95(3000, text_95("Speak slowly")))
    first = record_95(1007, bytes(8)) + record_95(3000, text_95("Tïtle"), text_95("One\rTwo")) + notes
    stream = stream_95(first, record_95(3001, text_95("Grouped")))

    pages = pages_of(write_ole(tmp_path / "ppt", {"PowerPoint Document": stream}))

    assert [[line.text for line in page.lines] for page in pages] == [
        ["Tïtle", "One", "Two", "Notes: Speak slowly"],
        ["Grouped"],
    ]
    assert (pages[0].width, pages[0].height) == (720, 540)


def test_slides_of_powerpoint_95_that_are_cut_off_are_read_as_far_as_they_go(tmp_path: Path) -> None:
    first, second = text_95("first"), text_95("second")
    stream = stream_95(first, second)

    for missing in range(60, len(second) + 16, 9):
        source = write_ole(tmp_path / "ppt", {"PowerPoint Document": stream[:-missing]})
        assert lines_of(source) == ["first"]


def test_slides_have_the_size_that_the_document_states(tmp_path: Path) -> None:
    about_all = record(1001, struct.pack("<II32x", 7680, 4320))

    [page] = pages_of(write_ole(tmp_path / "p", show(atom(shows_master=False), about_all=about_all)))

    assert (page.width, page.height) == (960, 540)
