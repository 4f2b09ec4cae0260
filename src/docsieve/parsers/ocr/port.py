"""What an OCR engine is: an image in, lines of words out.

An engine is one file here and one line in `registry.py`, or an installed package with an entry point of group
`docsieve.ocr_engines` that names a class taking no arguments. Engines are made once a process, where models are loaded.
Boxes are `(x0, y0, x1, y1)` in pixels of the image that was given, the origin at the upper left.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from docsieve.domain.pages import Box

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
    """Words of one line from left to right; never empty."""

    words: list[OcrWord]


@dataclass(frozen=True, slots=True)
class Lie:
    """How the text lies on an image.

    `turn` is by how many degrees clockwise (0, 90, 180, 270) the image must be turned for its text to stand upright,
    `skew` by how many more, between -45 and 45, for its lines to be level. `found` is what the engine saw on the way,
    and gets back when it reads the same image untouched.
    """

    turn: int = 0
    skew: float = 0.0
    found: object = field(default=None, repr=False)


class OcrEngine(Protocol):
    """`version` names everything that shapes the words, because stored pages are found again by it.

    `reads_slanted` says that lines need not be level to be read well.
    """

    name: str
    version: str
    reads_slanted: bool

    def check(self, languages: tuple[str, ...]) -> None:
        """Raise OcrLanguageMissing for a language (ISO 639-2, such as `eng`) that cannot be read."""
        ...

    def look(self, image: "Image", languages: tuple[str, ...]) -> Lie:
        """How the text of an image, in mode RGB or L, lies. An engine that cannot tell answers `Lie()`."""
        ...

    def read(self, image: "Image", languages: tuple[str, ...], lie: Lie | None = None) -> list[OcrLine]:
        """The lines of an image whose text stands upright, in any order; `lie` only if `look` saw this very image."""
        ...


@runtime_checkable
class Preloadable(Protocol):
    """An engine whose models can be loaded ahead of the first page."""

    @property
    def is_loaded(self) -> bool: ...

    def load(self) -> None: ...
