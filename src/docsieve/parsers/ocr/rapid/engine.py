"""The models of RapidOCR: neural ones for western and East Asian scripts, run by one of the backends."""

from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from docsieve.errors import OcrBackendUnset, OcrLanguageMissing
from docsieve.parsers.ocr.backends import Backend
from docsieve.parsers.ocr.port import Lie, OcrLine, OcrWord
from docsieve.parsers.ocr.rapid.bearing import find_skew, find_turn
from docsieve.parsers.ocr.rapid.characters import Character, confidence_of, is_east_asian, split_words
from docsieve.parsers.ocr.rapid.models import LINE_HEIGHT, LINE_STEP, Detector, Reading, Recogniser, load
from docsieve.parsers.ocr.rapid.quads import Cut, Quad, cut, stands
from docsieve.parsers.ocr.rapid.strokes import word_edges

if TYPE_CHECKING:
    from PIL.Image import Image

_WIDEST_LINE = 3200
_USUAL_SIZE = (992, 1408)
_MIN_CONFIDENCE = 0.5
_EAST_ASIAN_SHARE = 0.15
_SURE = 0.8
_LANGUAGES = (
    "afr aze bos cat ces chi_sim chi_tra cym dan deu eng est eus fin fra gle glg hrv hun ind isl ita jpn lat lav lit "
    "ltz mlt mri msa nld nor oci pol por que roh ron slk slv spa sqi swa swe tgl tur uzb vie zho"
)


@dataclass(slots=True)
class _Sight:
    """What is known of an image so far: its text regions, and how those were read that were tried."""

    image: "Image"
    quads: list[Quad]
    readings: dict[tuple[int, int], tuple[Cut, Reading]] = field(default_factory=dict)


class RapidOcrEngine:
    name = "rapidocr"
    version = f"3-{version('rapidocr')}"
    # Each line is cut out along its own slant.
    reads_slanted = True

    def __init__(self, backend: Backend | None = None) -> None:
        self._backend = backend

    @property
    def is_loaded(self) -> bool:
        return "_models" in self.__dict__

    def load(self) -> None:
        """Also prepares what the first detection would: it takes longer than all later ones."""
        from PIL import Image

        detect, _ = self._models
        detect(Image.new("RGB", _USUAL_SIZE, "white"))

    @cached_property
    def _models(self) -> tuple[Detector, Recogniser]:
        # Loaded when the first page with ink comes: it takes a second and most of the memory.
        if self._backend is None:
            raise OcrBackendUnset
        return load(self._backend)

    def check(self, languages: tuple[str, ...]) -> None:
        """One model reads all its languages at once, so they need not be told apart beyond this."""
        for language in languages:
            if language not in _LANGUAGES.split():
                raise OcrLanguageMissing(f"The OCR engine rapidocr does not read {language!r}.")

    def look(self, image: "Image", languages: tuple[str, ...]) -> Lie:
        sight = self._see(image)
        places = {id(quad): index for index, quad in enumerate(sight.quads)}
        turn = find_turn(sight.quads, lambda quad, turn: self._try(sight, places[id(quad)], turn)[1].full)
        return Lie(turn, find_skew(sight.quads, turn), sight)

    def read(self, image: "Image", languages: tuple[str, ...], lie: Lie | None = None) -> list[OcrLine]:
        sight = lie.found if lie is not None and isinstance(lie.found, _Sight) else self._see(image)
        read = [self._best(sight, index) for index in range(len(sight.quads))]
        western = _is_western([reading for _, reading in read])
        lines = []
        for piece, reading in read:
            characters = reading.western if western else reading.full
            words = split_words(characters)
            if words and confidence_of(characters) >= _MIN_CONFIDENCE:
                lines.append(OcrLine(_placed(piece, words)))
        return lines

    def _see(self, image: "Image") -> _Sight:
        detect, _ = self._models
        image = image.convert("RGB")
        return _Sight(image, detect(image))

    def _try(self, sight: _Sight, index: int, turn: int) -> tuple[Cut, Reading]:
        found = sight.readings.get((index, turn))
        if found is None:
            _, recognise = self._models
            piece = cut(sight.image, sight.quads[index], LINE_HEIGHT, turn=turn, step=LINE_STEP, widest=_WIDEST_LINE)
            found = sight.readings[index, turn] = piece, recognise(piece.pixels)
        return found

    def _confidence(self, sight: _Sight, index: int, turn: int) -> float:
        return confidence_of(self._try(sight, index, turn)[1].full)

    def _best(self, sight: _Sight, index: int) -> tuple[Cut, Reading]:
        """A line that stands on an upright page is written upwards, or else downwards."""
        if not stands(sight.quads[index]):
            return self._try(sight, index, 0)
        best = max((90, 270), key=lambda turn: self._confidence(sight, index, turn))
        return self._try(sight, index, best)


def _is_western(readings: list[Reading]) -> bool:
    """Whether the few East Asian characters of a page are mistakes, such as one for an asterisk."""
    letters = [found for reading in readings for found in reading.full if found.text.isalnum()]
    eastern = sum(is_east_asian(letter.text) and letter.confidence >= _SURE for letter in letters)
    return eastern <= _EAST_ASIAN_SHARE * len(letters)


def _placed(piece: Cut, words: list[list[Character]]) -> list[OcrWord]:
    edges = word_edges(piece.pixels, [(word[0].place, word[-1].place) for word in words])
    return [
        OcrWord("".join(character.text for character in word), piece.box(left, right), confidence_of(word))
        for word, (left, right) in zip(words, edges, strict=True)
    ]
