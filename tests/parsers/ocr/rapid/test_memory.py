"""What OCR keeps of the lines that it has read."""

import numpy as np
import pytest

from docsieve.parsers.ocr.backends import backend
from docsieve.parsers.ocr.rapid.models import load
from docsieve.sandbox.kernel.isolation import reserved_mb
from tests.native import in_new_child, scan_options


def reserved_after(name: str, *parts: range) -> list[int]:
    """What the process has reserved with the models loaded, and then after lines of the widths of each part."""
    _, recognize = load(backend(name))
    reserved = [reserved_mb()]
    for widths in parts:
        for width in widths:
            recognize(np.full((48, width, 3), 255, dtype=np.uint8))
        reserved.append(reserved_mb())
    return reserved


def test_lines_of_ever_new_widths_do_not_reserve_ever_more_memory() -> None:
    name = scan_options().ocr_backend
    if name is None or not name.startswith("openvino"):
        pytest.skip("OpenVINO, which prepares for each width, is not what reads here")

    parts = range(32, 672, 32), range(672, 1312, 32), range(1312, 1952, 32)
    before, after_some, after_more, after_most = in_new_child(reserved_after, name, *parts)

    assert after_most - after_more < 0.8 * (after_some - before)
