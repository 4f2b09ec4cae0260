import struct
import subprocess
import sys
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument, EmptyDocument, TooManyPages, TooManyPixels
from docsieve.parsers.image.format import IMAGE
from docsieve.parsers.port import Reading, ReadOptions
from tests.native import pages_of
from tests.parsers.image.samples import text_image

WORD = text_image(["Invoice 4711"], size=(360, 160))
BLANK = Image.new("L", (360, 160), 255)


def saved(image: Image.Image, format: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def opened(path: Path, data: bytes, **options: int) -> Reading:
    path.write_bytes(data)
    return IMAGE.read(path, ReadOptions(**options))  # type: ignore[arg-type]


def read(path: Path, data: bytes, **options: int) -> list[Page]:
    path.write_bytes(data)
    return pages_of(IMAGE, path, **options)


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that states a size and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\x00" * 64))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("format", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("TIFF", "image/tiff"),
        ("WEBP", "image/webp"),
        ("BMP", "image/bmp"),
        ("GIF", "image/gif"),
        ("JPEG2000", "image/jp2"),
        ("AVIF", "image/avif"),
        ("PPM", "image/x-portable-anymap"),
    ],
)
def test_every_format_is_known_by_its_head_and_read(tmp_path: Path, format: str, media_type: str) -> None:
    data = saved(WORD.convert("RGB"), format)

    assert IMAGE.sniff(data[:8192]) == media_type
    [page] = read(tmp_path / "image", data)
    assert (page.text, page.origin, page.error) == ("Invoice 4711", "ocr", None)


def test_a_photo_of_an_iphone_is_known_by_its_head_and_read() -> None:
    # Stored, because what reads HEIC here cannot write it.
    photo = Path(__file__).with_name("invoice.heic")

    assert IMAGE.sniff(photo.read_bytes()[:8192]) == "image/heic"
    [page] = pages_of(IMAGE, photo)
    assert (page.text, page.origin, page.error) == ("Invoice 4711", "ocr", None)


@pytest.mark.parametrize(
    "head", [b"BMW is a car maker, and this is text", b"P1 is a motorway", b"RIFF1234WAVE", b"\x00\x00\x01\x00"]
)
def test_what_only_begins_like_an_image_is_none(head: bytes) -> None:
    assert IMAGE.sniff(head) is None


@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_a_photo_is_turned_as_its_camera_says(tmp_path: Path, orientation: int) -> None:
    stored = WORD.rotate({3: 180, 6: 90, 8: 270}[orientation], expand=True)
    exif = Image.Exif()
    exif[0x0112] = orientation

    [page] = read(tmp_path / "photo", saved(stored, "JPEG", exif=exif))

    assert (page.text, page.turned, page.width, page.height) == ("Invoice 4711", 0, 270, 120)


@pytest.mark.parametrize(
    ("image", "format"),
    [
        (WORD.convert("1"), "TIFF"),
        (WORD.convert("P"), "GIF"),
        (WORD.convert("CMYK"), "JPEG"),
        (WORD.convert("I").point(lambda value: value * 257).convert("I;16"), "PNG"),
        (WORD.convert("I").point(lambda value: value * 16).convert("I;16"), "TIFF"),
        (WORD.convert("F"), "TIFF"),
        (WORD.convert("LA"), "PNG"),
    ],
    ids=["one bit", "palette", "cmyk", "16 bit", "12 in 16 bit", "float", "grey with alpha"],
)
def test_every_kind_of_pixel_becomes_black_on_white(tmp_path: Path, image: Image.Image, format: str) -> None:
    path = tmp_path / "image"
    path.write_bytes(saved(image, format))

    shown = IMAGE.render(path, Page(1, 360, 160), 360, ReadOptions()).convert("L")

    assert shown.size == (360, 160)
    counts = shown.histogram()
    assert sum(counts[250:]) > 10 * sum(counts[:40]) > 0


@pytest.mark.parametrize("ink", ["black", "white"])
def test_text_on_a_transparent_background_is_visible_in_any_color(tmp_path: Path, ink: str) -> None:
    image = Image.new("RGBA", WORD.size, ink)
    image.putalpha(WORD.point(lambda value: 255 - value))

    [page] = read(tmp_path / "image", saved(image, "PNG"))

    assert page.text == "Invoice 4711"


def test_all_pages_of_a_tiff_are_read_and_of_an_animation_the_first(tmp_path: Path) -> None:
    second = text_image(["Second"], size=(360, 160))

    assert [page.text for page in read(tmp_path / "a", saved(WORD, "TIFF", save_all=True, append_images=[second]))] == [
        "Invoice 4711",
        "Second",
    ]
    assert len(read(tmp_path / "b", saved(WORD, "GIF", save_all=True, append_images=[second]))) == 1


def test_a_damaged_page_is_marked_and_the_others_go_on(tmp_path: Path) -> None:
    noisy = Image.effect_noise((360, 160), 80)
    data = bytearray(saved(BLANK, "TIFF", save_all=True, append_images=[noisy, WORD], compression="tiff_deflate"))
    with Image.open(BytesIO(data)) as image:
        image.seek(1)
        [offset, *_], [length, *_] = image.tag_v2[273], image.tag_v2[279]  # type: ignore[attr-defined]
    data[offset : offset + length] = b"\xff" * length

    pages = read(tmp_path / "scan", bytes(data))

    assert [page.error is None for page in pages] == [True, False, True]
    assert pages[2].text == "Invoice 4711"


def test_a_smaller_copy_of_a_page_is_not_a_page(tmp_path: Path) -> None:
    copy = BLANK.copy()
    copy.encoderinfo = {"tiffinfo": {254: 1}}

    assert opened(tmp_path / "scan", saved(BLANK, "TIFF", save_all=True, append_images=[copy])).page_count == 1


def test_a_huge_image_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    with pytest.raises(TooManyPixels, match="60000 x 60000"):
        opened(tmp_path / "bomb", png_of_size(60_000, 60_000))


def test_a_page_that_is_too_large_is_marked_and_the_others_go_on(tmp_path: Path) -> None:
    data = saved(BLANK, "TIFF", save_all=True, append_images=[Image.new("1", (1000, 1000))])

    assert [page.error is None for page in read(tmp_path / "scan", data, max_pixels=100_000)] == [True, False]


def test_many_pages_and_many_pixels_together_are_refused(tmp_path: Path) -> None:
    data = saved(BLANK, "TIFF", save_all=True, append_images=[BLANK] * 29)

    with pytest.raises(TooManyPages):
        opened(tmp_path / "scan", data, max_pages=29)
    with pytest.raises(TooManyPixels, match="in total"):
        opened(tmp_path / "scan", data, max_pixels=360 * 160)
    assert opened(tmp_path / "scan", data, max_pages=30).page_count == 30


@pytest.mark.parametrize("format", ["PNG", "JPEG"])
def test_a_cut_off_image_is_read_as_far_as_it_goes(tmp_path: Path, format: str) -> None:
    tall = Image.new("L", (360, 800), 255)
    tall.paste(WORD, (0, 0))
    tall.paste(Image.effect_noise((360, 500), 90), (0, 300))
    data = saved(tall, format)

    [page] = read(tmp_path / "image", data[: len(data) * 6 // 10])

    assert page.error is None
    assert page.lines[0].text == "Invoice 4711"


@pytest.mark.parametrize(
    "data",
    [
        saved(WORD, "PNG")[:40],
        saved(WORD, "JPEG")[:200],
        b"\x89PNG\r\n\x1a\n" + b"\x00" * 100,
        b"II*\x00\xff\xff\xff\xff",
        b"GIF89a",
    ],
    ids=["png header", "jpeg header", "no png", "no tiff", "no gif"],
)
def test_an_image_of_which_nothing_is_left_is_corrupt(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "image", data)


def test_an_image_cut_off_before_its_first_pixel_is_corrupt_and_not_blank(tmp_path: Path) -> None:
    data = saved(WORD, "JPEG")

    with pytest.raises(CorruptDocument):
        read(tmp_path / "image", data[: data.index(b"\xff\xda") + 10])


def test_an_empty_file_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyDocument):
        read(tmp_path / "image", b"")


@pytest.mark.parametrize(
    ("dpi", "size"),
    [((200, 200), (129.6, 57.6)), ((72, 72), (270, 120)), ((1, 1), (270, 120)), ((204, 98), (127.06, 117.55))],
    ids=["scan", "no idea", "nonsense", "fax"],
)
def test_a_page_has_the_size_that_its_resolution_says(
    tmp_path: Path, dpi: tuple[int, int], size: tuple[float, float]
) -> None:
    [page] = read(tmp_path / "scan", saved(BLANK, "TIFF", dpi=dpi))

    assert (page.width, page.height) == pytest.approx(size, abs=0.1)


def test_a_page_is_shown_upright_as_wide_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "image"
    path.write_bytes(saved(text_image(["X"], size=(300, 200)).rotate(90, expand=True), "PNG"))

    shown = IMAGE.render(path, Page(1, 300, 200, turned=90), 150, ReadOptions())

    assert (shown.mode, shown.size) == ("RGB", (150, 100))
    dark = shown.convert("L").point(lambda value: 255 * (value < 128)).getbbox()
    assert dark is not None and dark[2] < 60 and dark[3] < 60


def test_knowing_an_image_needs_no_decoder() -> None:
    code = "import sys, docsieve.parsers.image.format; print({'PIL', 'numpy', 'cv2'} & set(sys.modules))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert output.strip() == "set()"
