"""The two models in RapidOCR's wheel: text detection on an image, and recognition of one line.

Only the model files of that package are used. Its code, and the libraries that it needs, are not.
"""

import math
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from docsieve.parsers.ocr.backends import Backend, Model, open_model
from docsieve.parsers.ocr.rapid.alphabet import Alphabets, Reading
from docsieve.parsers.ocr.rapid.quads import Pixels, Quad, sides
from docsieve.parsers.ocr.rapid.regions import find_regions

if TYPE_CHECKING:
    from docsieve.parsers.ocr.backends import Values

DETECTOR, RECOGNIZER = "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
LINE_HEIGHT = 48
# OpenVINO prepares itself for each width it meets, which takes longer than reading several lines. So lines are
# stretched or squeezed, by an eighth at most, to one of a few widths. One column of output is made of eight pixels.
LINE_WIDTHS = tuple(8 * round(4 * 1.25**step) for step in range(21))
# Detection takes about 250 bytes of memory per pixel. Few pixels do for most pages. Fine print, whose regions come out
# lower than `_MIN_HEIGHT`, takes more. The model prepares itself for each size too, so images are stretched by a few
# percent to one of a few shapes. Two are those of paper.
_SMALL, _MEDIUM, _LARGE = 0.45e6, 0.9e6, 1.7e6
_MIN_HEIGHT, _LOW_SHARE = 15.5, 0.25
_RELEASED_ABOVE = 1_000_000
_ASPECTS = (1.0, 1.14, 1.294, 1.414, 1.6, 1.8, 2.05, 2.3, 2.6, 3.0, 3.4, 3.9, 4.4, 5.0)
_MAX_ENLARGE, _MAX_STRETCH = 3.0, 1.07
_STRIDE = 32
# Names in the recognizer's file: what goes into its last layer, and that layer's weights.
_FEATURES, _WEIGHTS, _BIAS = "p2o.pd_op.transpose.8.0", "linear_8.w_0", "linear_8.b_0"


def load(backend: Backend) -> "tuple[Detector, Recognizer]":
    """Raises OcrBackendUnusable."""
    folder = Path(str(distribution("rapidocr").locate_file("rapidocr/models")))
    detector = open_model(folder / DETECTOR, backend)
    recognizer = open_model(folder / RECOGNIZER, backend, output=_FEATURES)
    return Detector(detector), Recognizer(recognizer)


class Detector:
    def __init__(self, model: Model) -> None:
        self._model = model

    def __call__(self, image: Image.Image) -> list[Quad]:
        """Find the text regions of an image in mode RGB, scaled up or down first."""
        pixels = image.width * image.height
        is_small = pixels < (_SMALL + _MEDIUM) / 2
        found, back = self._find(image, _SMALL if is_small else _MEDIUM)
        if _is_fine_print(found) and (is_small or pixels > _MEDIUM):
            self._model.release()
            found, back = self._find(image, _MEDIUM if is_small else _LARGE)
        return [quad * back for quad in found]

    def _find(self, image: Image.Image, pixels: float) -> tuple[list[Quad], Quad]:
        """Return the regions as scaled to about so many pixels, and the factors to those of the image."""
        width, height = detector_size(image.width, image.height, pixels)
        method = Image.Resampling.BOX if width < image.width else Image.Resampling.BILINEAR
        scaled = np.asarray(image.resize((width, height), method))
        found = find_regions(self._model(_values(scaled))[0, 0])
        if width * height > _RELEASED_ABOVE:
            # The memory kept for the next page is several times what recognition takes.
            self._model.release()
        return found, np.array([image.width / width, image.height / height], dtype=np.float32)


def _is_fine_print(regions: list[Quad]) -> bool:
    return bool(regions) and float(np.quantile([min(sides(quad)) for quad in regions], _LOW_SHARE)) < _MIN_HEIGHT


def detector_size(width: int, height: int, pixels: float) -> tuple[int, int]:
    """A size of about so many pixels, and nearly the proportions of an image."""
    longer, shorter = max(width, height), max(1, min(width, height))
    aspect = min(_ASPECTS, key=lambda each: abs(math.log(longer / shorter / each)))
    if longer / shorter > _MAX_STRETCH * _ASPECTS[-1]:
        aspect = longer / shorter
    pixels = min(pixels, width * height * _MAX_ENLARGE**2)
    longer, shorter = _strides((pixels * aspect) ** 0.5), _strides((pixels / aspect) ** 0.5)
    return (longer, shorter) if width > height else (shorter, longer)


def _strides(length: float) -> int:
    return max(1, round(length / _STRIDE)) * _STRIDE


def _values(pixels: Pixels) -> "Values":
    """Return the pixels as in training: blue first, one plane per color, from -1 to 1."""
    planes = pixels[:, :, ::-1].transpose(2, 0, 1)[np.newaxis].astype(np.float32, order="C")
    planes /= 127.5
    planes -= 1
    return planes


class Recognizer:
    """The model without its last layer, which has a class for each of 18,709 characters; see `alphabet.py`."""

    def __init__(self, model: Model) -> None:
        self._model = model
        characters = [*model.metadata("character").splitlines(), " "]
        self._alphabets = Alphabets(characters, model.weights(_WEIGHTS), model.weights(_BIAS))

    def __call__(self, line: Pixels) -> Reading:
        """Read a line in RGB that is `LINE_HEIGHT` pixels high and has one of the `LINE_WIDTHS`."""
        values = _values(line)
        features = self._model(values)[0].copy()
        return Reading(features, values.shape[3] / len(features), self._alphabets)
