"""The two that are compared: our whole image path, and the engine below it run plainly on the same file."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rapidocr import EngineType, RapidOCR

from docsieve.parsers.image.format import IMAGE
from docsieve.parsers.ocr.backends import LADDER
from docsieve.parsers.port import ReadOptions

Reader = Callable[[Path], list[str]]


def docsieve(image: Path, backend: str = LADDER[0].name) -> list[str]:
    options = ReadOptions(ocr_backend=backend)
    return [line.text for page in IMAGE.read(image, options).pages for line in page.lines]


def raw_engine() -> Reader:
    """RapidOCR with its own defaults, on the same models, backend and number of threads; only its classifier is off."""
    backend = EngineType.OPENVINO if find_spec("openvino") else EngineType.ONNXRUNTIME
    engine: Any = RapidOCR(
        params={
            "Global.use_cls": False,
            "Global.log_level": "error",
            "Det.engine_type": backend,
            "Rec.engine_type": backend,
            "EngineConfig.openvino.inference_num_threads": 1,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    return lambda image: list(engine(str(image)).txts or ())
