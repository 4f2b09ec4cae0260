"""The RapidOCR engine: neural models for western and East Asian scripts, run by one of the backends."""

from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from docsieve.errors import OcrBackendUnset, OcrLanguageMissing
from docsieve.parsers.ocr.backends import Backend
from docsieve.parsers.ocr.port import OcrLine, OcrWord, Orientation
from docsieve.parsers.ocr.rapid.alphabet import Reading
from docsieve.parsers.ocr.rapid.characters import Character, confidence_of, is_east_asian, split_words
from docsieve.parsers.ocr.rapid.models import LINE_HEIGHT, LINE_WIDTHS, Detector, Recognizer, load
from docsieve.parsers.ocr.rapid.orientation import find_skew, find_turn
from docsieve.parsers.ocr.rapid.quads import Cut, Quad, cut, is_vertical, sides
from docsieve.parsers.ocr.rapid.strokes import word_edges

if TYPE_CHECKING:
    from PIL.Image import Image

# A page of A4, and lines from a short word to a full line of it.
_USUAL_SIZE, _USUAL_WIDTHS = (1654, 2339), (48, 1136)
_MIN_CONFIDENCE = 0.5
_EAST_ASIAN_SHARE = 0.15
_SURE = 0.8
_LANGUAGES = (
    "afr aze bos cat ces chi_sim chi_tra cym dan deu eng est eus fin fra gle glg hrv hun ind isl ita jpn lat lav lit "
    "ltz mlt mri msa nld nor oci pol por que roh ron slk slv spa sqi swa swe tgl tur uzb vie zho"
)


@dataclass(slots=True)
class _Findings:
    """The text regions of an image, and the readings of those that were tried so far."""

    image: "Image"
    quads: list[Quad]
    readings: dict[tuple[int, int], tuple[Cut, Reading]] = field(default_factory=dict)


class RapidOcrEngine:
    name = "rapidocr"
    version = f"4-{version('rapidocr')}"
    # Each line is cut out along its own slant.
    reads_slanted = True

    def __init__(self, backend: Backend | None = None) -> None:
        self._backend = backend

    @property
    def is_loaded(self) -> bool:
        return "_models" in self.__dict__

    def load(self) -> None:
        """Load the models and run them at the usual sizes, because the first run at each takes much longer."""
        import numpy as np
        from PIL import Image

        detect, recognize = self._models
        detect(Image.new("RGB", _USUAL_SIZE, "white"))
        for width in LINE_WIDTHS:
            if _USUAL_WIDTHS[0] <= width <= _USUAL_WIDTHS[1]:
                recognize(np.full((LINE_HEIGHT, width, 3), 255, dtype=np.uint8))

    @cached_property
    def _models(self) -> tuple[Detector, Recognizer]:
        # Loaded for the first page with ink: it takes a second and most of the memory.
        if self._backend is None:
            raise OcrBackendUnset
        return load(self._backend)

    def check(self, languages: tuple[str, ...]) -> None:
        """One model reads all its languages at once, so there is nothing else to choose."""
        for language in languages:
            if language not in _LANGUAGES.split():
                raise OcrLanguageMissing(f"The OCR engine rapidocr does not support {language!r}.")

    def detect_orientation(self, image: "Image", languages: tuple[str, ...]) -> Orientation:
        findings = self._detect(image)
        places = {id(quad): index for index, quad in enumerate(findings.quads)}
        turn = find_turn(findings.quads, lambda quad, turn: self._try(findings, places[id(quad)], turn)[1].full)
        return Orientation(turn, find_skew(findings.quads, turn), findings)

    def read(self, image: "Image", languages: tuple[str, ...], orientation: Orientation | None = None) -> list[OcrLine]:
        findings = (
            orientation.found
            if orientation is not None and isinstance(orientation.found, _Findings)
            else self._detect(image)
        )
        # By width, because a model takes longer after a change of size.
        by_width = sorted(range(len(findings.quads)), key=lambda index: _aspect(findings.quads[index]))
        found = {index: self._best(findings, index) for index in by_width}
        read = [found[index] for index in range(len(findings.quads))]
        western = _is_western([reading for _, reading in read])
        lines = []
        for piece, reading in read:
            characters = reading.western if western else reading.full
            words = split_words(characters)
            if words and confidence_of(characters) >= _MIN_CONFIDENCE:
                lines.append(OcrLine(_placed(piece, words)))
        return lines

    def _detect(self, image: "Image") -> _Findings:
        detect, _ = self._models
        image = image.convert("RGB")
        return _Findings(image, detect(image))

    def _try(self, findings: _Findings, index: int, turn: int) -> tuple[Cut, Reading]:
        found = findings.readings.get((index, turn))
        if found is None:
            _, recognize = self._models
            piece = cut(findings.image, findings.quads[index], LINE_HEIGHT, turn=turn, widths=LINE_WIDTHS)
            found = findings.readings[index, turn] = piece, recognize(piece.pixels)
        return found

    def _confidence(self, findings: _Findings, index: int, turn: int) -> float:
        return confidence_of(self._try(findings, index, turn)[1].full)

    def _best(self, findings: _Findings, index: int) -> tuple[Cut, Reading]:
        """Read a vertical line of an upright page upwards, or else downwards."""
        if not is_vertical(findings.quads[index]):
            return self._try(findings, index, 0)
        best = max((90, 270), key=lambda turn: self._confidence(findings, index, turn))
        return self._try(findings, index, best)


def _aspect(quad: Quad) -> float:
    shorter, longer = sorted(sides(quad))
    return longer / max(shorter, 1.0)


def _is_western(readings: list[Reading]) -> bool:
    """Whether the few East Asian characters of a page are mistakes, such as one for an asterisk.

    If the doubtful lines, and those that were read to find out how the page lies, have none, no line has any.
    """
    asked = [reading for reading in readings if reading.is_known_in_full or reading.is_doubtful]
    if not any(_east_asian_letters(reading) for reading in asked):
        return True
    eastern = sum(_east_asian_letters(reading) for reading in readings)
    return eastern <= _EAST_ASIAN_SHARE * sum(found.text.isalnum() for reading in readings for found in reading.full)


def _east_asian_letters(reading: Reading) -> int:
    return sum(
        found.text.isalnum() and is_east_asian(found.text) and found.confidence >= _SURE for found in reading.full
    )


def _placed(piece: Cut, words: list[list[Character]]) -> list[OcrWord]:
    edges = word_edges(piece.pixels, [(word[0].place, word[-1].place) for word in words])
    return [
        OcrWord("".join(character.text for character in word), piece.box(left, right), confidence_of(word))
        for word, (left, right) in zip(words, edges, strict=True)
    ]
