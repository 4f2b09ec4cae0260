"""The OCR engine interface: an image in, lines of words out.

An engine is one file here and one line in `registry.py`, or an installed package with an entry point of group
`docsieve.ocr_engines` that names a class taking no arguments. Engines are created once per process that loads models.
Boxes are `(x0, y0, x1, y1)` in pixels of the image that was given, the origin at the upper left.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from docsieve.domain.pages.page import Box

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class OcrWord:
    """`confidence` is between 0 and 1."""

    text: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class OcrLine:
    """The words of one line from left to right; never empty."""

    words: list[OcrWord]


@dataclass(frozen=True, slots=True)
class Orientation:
    """The orientation of the text on an image.

    `turn` is by how many degrees clockwise (0, 90, 180, 270) the image must be rotated for its text to be upright,
    `skew` by how many more, between -45 and 45, for its lines to be level. `found` is what the engine saw on the way,
    and gets back when it reads the same image untouched.
    """

    turn: int = 0
    skew: float = 0.0
    found: object = field(default=None, repr=False)


class OcrEngine(Protocol):
    """`version` covers everything that shapes the words, because stored pages are looked up by it.

    `reads_slanted` says that lines need not be level to be read well.
    """

    name: str
    version: str
    reads_slanted: bool

    def check(self, languages: tuple[str, ...]) -> None:
        """Raise OcrLanguageMissing for a language (ISO 639-2, such as `eng`) that cannot be read."""
        ...

    def detect_orientation(self, image: "Image", languages: tuple[str, ...]) -> Orientation:
        """Detect how the text of an image in mode RGB or L is oriented; `Orientation()` if the engine cannot tell."""
        ...

    def read(self, image: "Image", languages: tuple[str, ...], orientation: Orientation | None = None) -> list[OcrLine]:
        """Read the lines of an image with upright text, in any order.

        `orientation` is given only if `detect_orientation` saw this same image.
        """
        ...


@runtime_checkable
class Preloadable(Protocol):
    """An engine whose models can be loaded ahead of the first page."""

    @property
    def is_loaded(self) -> bool: ...

    def load(self) -> None: ...
