"""RapidOCR's two models, loaded from its wheel: where text is on an image, and what one line of it says."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import rapidocr
from rapidocr import EngineType, RapidOCR

from docsieve.parsers.ocr.characters import Character, decode, is_east_asian
from docsieve.parsers.ocr.quads import Pixels, Quad

_LINE_HEIGHT = 48
_STRIDE = 32
_RELEASED_ABOVE = 1_000_000
_SHAPES_KEPT = "200"


@dataclass(frozen=True, slots=True)
class Reading:
    """One line read with every character the model knows, and read without those of East Asia."""

    full: list[Character]
    western: list[Character]


def load() -> RapidOCR:
    """Models are named by path, because RapidOCR downloads what it is not told to find."""
    folder = Path(rapidocr.__file__).parent / "models"
    backend = EngineType.OPENVINO if find_spec("openvino") else EngineType.ONNXRUNTIME
    return RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Global.use_preprocess_img": False,
            "Global.use_vertical_padding": False,
            "Det.engine_type": backend,
            "Det.model_path": str(folder / "PP-OCRv6_det_small.onnx"),
            "Det.limit_side_len": _STRIDE,
            "Rec.engine_type": backend,
            "Rec.model_path": str(folder / "PP-OCRv6_rec_small.onnx"),
            "EngineConfig.openvino.inference_num_threads": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


class Detector:
    """`least` and `most` bound the pixels looked at: smaller images are enlarged, larger ones made smaller."""

    def __init__(self, models: RapidOCR, *, least: float, most: float, enlarge: float) -> None:
        self._models: Any = models
        self._least, self._most, self._enlarge = least, most, enlarge

    def __call__(self, image: Pixels) -> list[Quad]:
        height, width = image.shape[:2]
        scale = self._scale(height * width)
        size = _strides(width * scale), _strides(height * scale)
        method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        seen = self._models(cv2.resize(image, size, interpolation=method), use_det=True, use_cls=False, use_rec=False)
        if size[0] * size[1] > _RELEASED_ABOVE:
            self._release()
        if seen.boxes is None:
            return []
        back = np.array([width / size[0], height / size[1]], dtype=np.float32)
        return [np.asarray(quad, dtype=np.float32) * back for quad in seen.boxes]

    def _release(self) -> None:
        """Give back what OpenVINO keeps for the next page: several times what recognising takes."""
        request = self._models.text_det.session.session
        if hasattr(request, "get_compiled_model"):
            request.get_compiled_model().release_memory()

    def _scale(self, pixels: int) -> float:
        if pixels > self._most:
            return float((self._most / pixels) ** 0.5)
        return float(min(self._enlarge, max(1.0, (self._least / pixels) ** 0.5)))


def _strides(length: float) -> int:
    return max(1, round(length / _STRIDE)) * _STRIDE


def _keep_few_shapes(session: Any) -> None:
    """Bound what OpenVINO keeps for every width of a line that it has seen.

    By itself it would reserve ten megabytes for each of hundreds. A width that comes again after it was dropped takes
    a third longer, once.
    """
    if hasattr(session.session, "get_compiled_model"):
        import openvino

        options = {"INFERENCE_NUM_THREADS": "1", "CPU_RUNTIME_CACHE_CAPACITY": _SHAPES_KEPT}
        session.session = openvino.Core().compile_model(session.model, "CPU", options).create_infer_request()


class Recogniser:
    def __init__(self, models: Any) -> None:
        # The first call loads the model.
        blank = np.full((_LINE_HEIGHT, 2 * _LINE_HEIGHT, 3), 255, dtype=np.uint8)
        models(blank, use_det=False, use_cls=False, use_rec=True)
        self._session: Any = models.text_rec.session
        _keep_few_shapes(self._session)
        # Class 0 is the blank.
        self._alphabet: list[str] = models.text_rec.postprocess_op.character[1:]
        western = [index for index, text in enumerate(self._alphabet) if not is_east_asian(text)]
        self._western_alphabet = [self._alphabet[index] for index in western]
        self._western_classes = np.array([0, *(index + 1 for index in western)])

    def __call__(self, line: Pixels) -> Reading:
        """Read a line that is 48 pixels high and a multiple of 8 wide."""
        values = line.astype(np.float32).transpose(2, 0, 1)[np.newaxis] / 127.5 - 1
        scores = np.asarray(self._session(np.ascontiguousarray(values)))[0]
        column = line.shape[1] / len(scores)
        return Reading(
            decode(scores, self._alphabet, column),
            decode(scores[:, self._western_classes], self._western_alphabet, column),
        )
