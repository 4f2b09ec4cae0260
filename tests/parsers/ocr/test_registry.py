"""How a process that has loaded models names them for other processes to preload."""

import pytest

from docsieve.errors import OcrBackendUnset
from docsieve.parsers.ocr import registry
from docsieve.parsers.ocr.page import read_image
from docsieve.parsers.port import ReadOptions
from tests.native import in_new_child
from tests.parsers.image.samples import text_image


def loaded_before_and_after_reading(options: ReadOptions) -> tuple[str | None, str | None]:
    before = registry.loaded()
    read_image(text_image(), width_points=350, height_points=260, options=options)
    return before, registry.loaded()


def loaded_after_preloading(name: str) -> str | None:
    registry.preload(name)
    return registry.loaded()


def test_what_one_process_has_loaded_another_can_load_ahead() -> None:
    before, after = in_new_child(loaded_before_and_after_reading, ReadOptions(ocr_backend="openvino-f32"))

    assert (before, after) == (None, "rapidocr/openvino-f32")
    assert in_new_child(loaded_after_preloading, after) == after


def test_an_engine_with_backends_is_known_without_one_but_does_not_read() -> None:
    assert registry.engine("rapidocr").version == registry.engine("rapidocr", "openvino-f32").version

    with pytest.raises(OcrBackendUnset):
        in_new_child(loaded_before_and_after_reading, ReadOptions())
