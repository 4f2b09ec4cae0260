import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from docsieve.errors import OcrEngineUnknown, OcrLanguageMissing
from docsieve.parsers.ocr.page import OcrPage, read_image
from tests.native import in_child, scan_options
from tests.parsers.image.samples import LETTER, slanted, text_extent, text_image

ENGINES = ("rapidocr", "tesseract")


def read(image: Image.Image, engine: str = "rapidocr", languages: tuple[str, ...] = ("eng",)) -> OcrPage:
    options = scan_options(ocr_engine=engine, ocr_languages=languages)
    return in_child(read_image, image, width_points=image.width / 2, height_points=image.height / 2, options=options)


def squeezed(page: OcrPage) -> str:
    return "".join("".join(line.text.split()) for line in page.lines)


EXPECTED = "".join("".join(LETTER).split())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_turned_page_is_set_upright_and_read(engine: str, turn: int) -> None:
    upright = text_image()

    page = read(slanted(upright, -turn), engine)

    assert (page.turned, page.width, page.height) == (turn, upright.width / 2, upright.height / 2)
    assert squeezed(page) == EXPECTED
    assert 25 < page.lines[0].box[0] < 35
    assert 25 < page.lines[0].box[1] < 37


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("skew", [-5.0, 2.0, 8.0])
def test_slanted_lines_are_read_in_order_and_stay_where_they_are_on_the_page(engine: str, skew: float) -> None:
    page = read(slanted(text_image(), skew), engine)

    assert page.turned == 0
    assert squeezed(page) == EXPECTED
    first = page.lines[0].words
    assert (first[-1].box[1] > first[0].box[1]) == (skew > 0)


def test_words_have_boxes_around_their_own_ink_and_a_confidence() -> None:
    image = text_image(["Total", "", "left                     right"], size=(700, 300))

    page = read(image)

    words = [word for line in page.lines for word in line.words]
    assert [word.text for word in words] == ["Total", "left", "right"]
    left, right = text_extent("Total")
    assert words[0].box[0] * 2 == pytest.approx(left, abs=6)
    assert words[0].box[2] * 2 == pytest.approx(right, abs=6)
    assert words[1].box[2] < words[2].box[0]
    assert all(word.confidence is not None and 0.8 < word.confidence <= 1 for word in words)


def test_paragraphs_are_separate_blocks() -> None:
    page = read(text_image(["First of one", "second of one", "", "", "First of two", "second of two"]))

    assert [line.block for line in page.lines] == [0, 0, 1, 1]


def test_an_image_far_larger_than_needed_is_read_in_its_own_points() -> None:
    image = text_image(["Invoice 4711"], size=(700, 300))

    page = read(image.resize((image.width * 8, image.height * 8)))

    assert (page.width, [line.text for line in page.lines]) == (image.width * 4, ["Invoice 4711"])
    assert page.lines[0].box[0] == pytest.approx(60 * 4, abs=30)


def test_little_text_is_not_a_reason_to_turn_a_page() -> None:
    assert read(text_image(["WOW 96"], size=(300, 200)).transpose(Image.Transpose.ROTATE_180)).turned == 0


@pytest.mark.parametrize("image", [Image.new("RGB", (900, 1200), "beige"), Image.new("L", (1, 1))])
def test_a_blank_page_has_no_lines(image: Image.Image) -> None:
    assert read(image).lines == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_language_without_data_is_named_even_on_a_blank_page(engine: str) -> None:
    with pytest.raises(OcrLanguageMissing, match="tlh"):
        read(Image.new("L", (10, 10)), engine, ("eng", "tlh"))


def test_a_language_is_not_a_way_to_another_folder() -> None:
    with pytest.raises(OcrLanguageMissing):
        read(Image.new("L", (10, 10)), "tesseract", ("../tessdata/eng",))


def test_an_engine_that_is_not_there_is_named() -> None:
    with pytest.raises(OcrEngineUnknown, match="abbyy"):
        read(Image.new("L", (10, 10)), "abbyy")


def test_german_is_read_with_its_own_letters() -> None:
    assert "Größe" in squeezed(read(text_image(["Größe und Gewicht"], size=(700, 200)), "tesseract", ("deu", "eng")))
    assert "Größe" in squeezed(read(text_image(["Größe und Gewicht"], size=(700, 200)), "rapidocr", ("deu",)))


def test_the_models_run_without_the_code_that_came_with_them_and_without_telemetry(tmp_path: Path) -> None:
    (tmp_path / "openvino_telemetry.py").write_text("raise SystemExit('telemetry was imported')")
    scan = tmp_path / "scan.png"
    text_image().save(scan)
    code = (
        "import sys; from pathlib import Path; from docsieve.parsers.image.format import IMAGE;"
        "from docsieve.parsers.port import ReadOptions; options = ReadOptions(ocr_backend='openvino-f32');"
        f"pages = list(IMAGE.read(Path({str(scan)!r}), options).pages); assert pages[0].lines;"
        "print({'cv2', 'rapidocr', 'shapely'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)

    assert (done.stdout, done.stderr) == ("set()\n", "")
