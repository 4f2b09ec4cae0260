"""Opens an image file and finds its pages; every limit is checked before a pixel is decoded.

Pillow's own bomb check is off, because ours follows the options and gives a clear error. Truncated files are
decoded as far as they go.
"""

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pi_heif
from PIL import Image, ImageFile

from docsieve.errors import CorruptDocument, DocumentError, EmptyDocument, TooManyPages, TooManyPixels, UnsupportedType
from docsieve.parsers.image.types import type_of
from docsieve.parsers.port import HEAD_BYTES, ReadOptions

Image.MAX_IMAGE_PIXELS = None
ImageFile.LOAD_TRUNCATED_IMAGES = True
pi_heif.register_heif_opener(thumbnails=False)
# Pillow warns about repairs, and output of a parser would be taken for signs of a crash.
warnings.filterwarnings("ignore", module=r"PIL\.")

# What Pillow's readers and the libraries below raise on damaged files.
DAMAGED = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    EOFError,
    RuntimeError,
    AssertionError,
    struct.error,
    zlib.error,
)

# Pages are decoded one at a time, so a document may have this many times the pixels of one page.
_PAGES_OF_PIXELS = 25
_SUBFILE_TYPE = 254
_REDUCED = 1


@dataclass(frozen=True, slots=True)
class Frame:
    """A page's place in a file of many; `problem` says why it cannot be decoded."""

    index: int | None
    problem: DocumentError | None = None

    def seek(self, image: Image.Image) -> None:
        if self.index is not None:
            image.seek(self.index)


@contextmanager
def opened(source: Path, options: ReadOptions) -> Iterator[tuple[Image.Image, list[Frame]]]:
    """Open the image and list its pages.

    Raises CorruptDocument, EmptyDocument, TooManyPages, TooManyPixels or UnsupportedType.
    """
    with source.open("rb") as file:
        head = file.read(HEAD_BYTES)
        if not head:
            raise EmptyDocument()
        found = type_of(head)
        if found is None:
            raise UnsupportedType("The document is not an image of a known type.")
        file.seek(0)
        try:
            image = Image.open(file, formats=found.formats)
        except DAMAGED as error:
            raise CorruptDocument("The image is damaged and cannot be opened.") from error
        with image:
            frames = _pages(image, options) if found.many_pages else [Frame(None, _too_large(image, options))]
            if len(frames) == 1 and frames[0].problem is not None:
                raise frames[0].problem
            yield image, frames


def decodes_whole(source: Path, frame: Frame, options: ReadOptions) -> bool:
    """Whether the frame is complete: a truncated one decodes too, even to nothing but its background."""
    with opened(source, options) as (image, _):
        frame.seek(image)
        ImageFile.LOAD_TRUNCATED_IMAGES = False
        try:
            image.load()
        except DAMAGED:
            return False
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = True
    return True


def _pages(image: Image.Image, options: ReadOptions) -> list[Frame]:
    frames: list[Frame] = []
    reduced: list[Frame] = []
    pixels = 0
    for index, problem, is_reduced in _walk(image, options):
        (reduced if is_reduced else frames).append(Frame(index, problem))
        if len(frames) > options.max_pages or len(reduced) > options.max_pages:
            raise TooManyPages(f"The document has more than {options.max_pages} pages.")
        pixels += 0 if problem or is_reduced else image.width * image.height
        if pixels > _PAGES_OF_PIXELS * options.max_pixels:
            raise TooManyPixels(f"The pages have more than {_PAGES_OF_PIXELS * options.max_pixels} pixels in total.")
    image.seek(0)
    # Smaller copies of a page are not pages, unless there is nothing else.
    return frames or reduced


def _walk(image: Image.Image, options: ReadOptions) -> Iterator[tuple[int, DocumentError | None, bool]]:
    index = 0
    while True:
        try:
            image.seek(index)
        except EOFError:
            return
        except DAMAGED:
            yield index, CorruptDocument("The page is damaged and cannot be read."), False
            return
        yield index, _too_large(image, options), _is_reduced(image)
        index += 1


def _too_large(image: Image.Image, options: ReadOptions) -> TooManyPixels | None:
    if image.width * image.height <= options.max_pixels:
        return None
    return TooManyPixels(
        f"The image has {image.width} x {image.height} pixels; at most {options.max_pixels} are allowed."
    )


def _is_reduced(image: Image.Image) -> bool:
    tags = getattr(image, "tag_v2", None)
    value = tags.get(_SUBFILE_TYPE, 0) if tags is not None else 0
    return isinstance(value, int) and bool(value & _REDUCED)
