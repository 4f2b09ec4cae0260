"""Reads strings from PDFium, which first reports the buffer size and then fills the buffer."""

from collections.abc import Callable
from ctypes import c_ushort, create_string_buffer
from typing import Any

from docsieve.domain.text import clean

_MAX_BYTES = 4 * 1024**2

Ask = Callable[[Any, int], int]
"""Fills a buffer of a given size in bytes and returns the size it needs; without a buffer, only returns it."""


def wide_string(ask: Ask) -> str:
    """Read a string of UTF-16 units."""
    size = ask(None, 0)
    if not 0 < size <= _MAX_BYTES:
        return ""
    buffer = (c_ushort * (size // 2 + 1))()
    ask(buffer, size)
    return _cleaned(bytes(buffer)[:size].decode("utf-16-le", "replace"))


def narrow_string(ask: Ask) -> str:
    size = ask(None, 0)
    if not 0 < size <= _MAX_BYTES:
        return ""
    buffer = create_string_buffer(size)
    ask(buffer, size)
    return _cleaned(buffer.raw.decode("utf-8", "replace"))


def _cleaned(text: str) -> str:
    return clean(text.rstrip("\0")).strip()
