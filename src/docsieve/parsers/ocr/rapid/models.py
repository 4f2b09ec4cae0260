"""The two models in RapidOCR's wheel: text detection on an image, and recognition of one line.

Only the model files of that package are used. Its code, and the libraries that it needs, are not.
"""

from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from docsieve.parsers.ocr.backends import Backend, Model, open_model
from docsieve.parsers.ocr.rapid.characters import Character, decode, is_east_asian
from docsieve.parsers.ocr.rapid.quads import Pixels, Quad
from docsieve.parsers.ocr.rapid.regions import find_regions

if TYPE_CHECKING:
    from docsieve.parsers.ocr.backends import Values

LINE_HEIGHT, LINE_STEP = 48, 8
# OpenVINO prepares itself for each width it meets, which takes as long as reading a short line. With few widths, a page
# is read in three quarters of the time.
_WIDTH_STEP = 32
# Detection takes about 250 bytes of memory per pixel, and more pixels than these do not find more lines.
_MIN_PIXELS, _MAX_PIXELS, _ENLARGE = 0.8e6, 1.9e6, 3.0
_STRIDE = 32
_RELEASED_ABOVE = 1_000_000


@dataclass(frozen=True, slots=True)
class Reading:
    """One line read with every character the model knows, and read without those of East Asia."""

    full: list[Character]
    western: list[Character]


def load(backend: Backend) -> "tuple[Detector, Recognizer]":
    """Raises OcrBackendUnusable."""
    folder = Path(str(distribution("rapidocr").locate_file("rapidocr/models")))
    detector = open_model(folder / "PP-OCRv6_det_small.onnx", backend)
    return Detector(detector), Recognizer(open_model(folder / "PP-OCRv6_rec_small.onnx", backend))


class Detector:
    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, image: Image.Image) -> list[Quad]:
        """Find the text regions of an image in mode RGB, scaled up or down first."""
        scale = _scale(image.width * image.height)
        size = _strides(image.width * scale), _strides(image.height * scale)
        method = Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR
        found = find_regions(self._model(_values(np.asarray(image.resize(size, method))))[0, 0])
        if size[0] * size[1] > _RELEASED_ABOVE:
            # The memory kept for the next page is several times what recognition takes.
            self._model.release()
        back = np.array([image.width / size[0], image.height / size[1]], dtype=np.float32)
        return [quad * back for quad in found]


def _scale(pixels: int) -> float:
    if pixels > _MAX_PIXELS:
        return float((_MAX_PIXELS / pixels) ** 0.5)
    return float(min(_ENLARGE, max(1.0, (_MIN_PIXELS / pixels) ** 0.5)))


def _strides(length: float) -> int:
    return max(1, round(length / _STRIDE)) * _STRIDE


def _values(pixels: Pixels) -> "Values":
    """Return the pixels as in training: blue first, one plane per color, from -1 to 1."""
    planes = pixels[:, :, ::-1].transpose(2, 0, 1)[np.newaxis].astype(np.float32, order="C")
    planes /= 127.5
    planes -= 1
    return planes


class Recognizer:
    def __init__(self, model: Model) -> None:
        self._model = model
        # Class 0 is the blank, the last one the space.
        self._alphabet = [*model.metadata("character").splitlines(), " "]
        western = [index for index, text in enumerate(self._alphabet) if not is_east_asian(text)]
        self._western_alphabet = [self._alphabet[index] for index in western]
        self._western_classes = np.array([0, *(index + 1 for index in western)])

    def __call__(self, line: Pixels) -> Reading:
        """Read a line in RGB that is `LINE_HEIGHT` pixels high and a multiple of `LINE_STEP` wide."""
        padded = np.pad(line, ((0, 0), (0, -line.shape[1] % _WIDTH_STEP), (0, 0)), mode="edge")
        scores = self._model(_values(padded))[0]
        column = padded.shape[1] / len(scores)
        return Reading(
            decode(scores, self._alphabet, column),
            decode(scores[:, self._western_classes], self._western_alphabet, column),
        )
