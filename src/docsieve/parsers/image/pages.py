"""The pages of an image file: decoded one at a time, measured in points, read by OCR."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import ExifTags, Image
from PIL.TiffImagePlugin import AppendingTiffWriter

from docsieve.domain.packets import PageRange
from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument, NotFound
from docsieve.parsers.flow.canvas import image_size
from docsieve.parsers.image.frames import DAMAGED, Frame, decodes_whole, opened
from docsieve.parsers.image.pixels import is_transposed, upright_pixels
from docsieve.parsers.ocr.ink import is_blank
from docsieve.parsers.ocr.page import read_image, turned_clockwise
from docsieve.parsers.port import Reading, ReadOptions

_POINTS_AN_INCH = 72.0
# Cameras and programs write 72 if they do not know; scanners and faxes write values between these.
_MIN_DPI, _MAX_DPI = 90.0, 1300.0
_ASSUMED_DPI = 96.0
_MAX_SIDE = 2400.0
# Faxes have pixels twice as tall as wide. No real image goes further.
_MAX_PIXEL_ASPECT = 2.6
_ALMOST_SQUARE = 1.2
_ENOUGH_PIXELS = 18_000_000
_UNREADABLE = "The page is damaged and cannot be read."


def read(source: Path, options: ReadOptions) -> Reading:
    with opened(source, options) as (_, frames):
        count = len(frames)
    return Reading(page_count=count, pages=_pages(source, options))


def _pages(source: Path, options: ReadOptions) -> Iterator[Page]:
    with opened(source, options) as (image, frames):
        readable = False
        for number, frame in enumerate(frames, start=1):
            page = _read_page(source, image, frame, number, options)
            readable = readable or page.error is None
            if number == len(frames) and not readable:
                raise CorruptDocument("The image is damaged and cannot be decoded.")
            yield page


def _read_page(source: Path, image: Image.Image, frame: Frame, number: int, options: ReadOptions) -> Page:
    if frame.problem is not None:
        return Page(number, 0.0, 0.0, error=frame.problem.detail, origin="ocr")
    try:
        pixels, width, height = _decoded(image, frame)
        if is_blank(pixels) and not decodes_whole(source, frame, options):
            return Page(number, width, height, error=_UNREADABLE, origin="ocr")
    except DAMAGED:
        return Page(number, 0.0, 0.0, error=_UNREADABLE, origin="ocr")
    read = read_image(pixels, width_points=width, height_points=height, options=options)
    return Page(number, read.width, read.height, read.lines, origin=read.origin, turned=read.turned, codes=read.codes)


def render(source: Path, page: Page, width: int, options: ReadOptions) -> Image.Image:
    upright = upright_image(source, page, options)
    size = image_size(page, width)
    return upright.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0).convert("RGB")


def upright_image(source: Path, page: Page, options: ReadOptions) -> Image.Image:
    """The pixels of a page as they are in the file, but upright and square."""
    with opened(source, options) as (image, frames):
        if not 1 <= page.number <= len(frames):
            raise NotFound(f"The document has no page {page.number}.")
        frame = frames[page.number - 1]
        if frame.problem is not None:
            raise frame.problem
        try:
            pixels, _, _ = _decoded(image, frame)
        except DAMAGED as error:
            raise CorruptDocument(_UNREADABLE) from error
    return turned_clockwise(pixels, page.turned)


def _decoded(image: Image.Image, frame: Frame) -> tuple[Image.Image, float, float]:
    """Return the frame's pixels, square and upright, and its width and height in points."""
    frame.seek(image)
    (width, height), (across, down) = image.size, _resolution(image)
    if is_transposed(image):
        width, height, across, down = height, width, down, across
    if image.width * image.height > _ENOUGH_PIXELS:
        # JPEG decodes to a half or a quarter at once; others ignore this.
        shrink = math.sqrt(_ENOUGH_PIXELS / (image.width * image.height))
        image.draft(image.mode, (math.ceil(image.width * shrink), math.ceil(image.height * shrink)))
    pixels = _squared(upright_pixels(image), across / down)
    points = width * _POINTS_AN_INCH / across, height * _POINTS_AN_INCH / down
    scale = min(1.0, _MAX_SIDE / max(points))
    return pixels, max(1.0, round(points[0] * scale, 2)), max(1.0, round(points[1] * scale, 2))


def _resolution(image: Image.Image) -> tuple[float, float]:
    """Return pixels per inch across and down, if the file states plausible values."""
    try:
        across, down = (float(value) for value in image.info.get("dpi", ()))
    except DAMAGED:
        return _ASSUMED_DPI, _ASSUMED_DPI
    credible = all(_MIN_DPI <= value <= _MAX_DPI for value in (across, down))
    if not credible or not 1 / _MAX_PIXEL_ASPECT <= across / down <= _MAX_PIXEL_ASPECT:
        return _ASSUMED_DPI, _ASSUMED_DPI
    return across, down


def _squared(pixels: Image.Image, shape: float) -> Image.Image:
    """Return the image with square pixels; `shape` is their height divided by their width."""
    if 1 / _ALMOST_SQUARE < shape < _ALMOST_SQUARE:
        return pixels
    stretched = (
        (pixels.width, round(pixels.height * shape)) if shape > 1 else (round(pixels.width / shape), pixels.height)
    )
    return pixels.resize(stretched, Image.Resampling.BICUBIC)


def write_part(source: Path, pages: PageRange, target: Path, options: ReadOptions) -> None:
    """Write frames as a TIFF, one in memory at a time, with their pixels, resolution and orientation."""
    with opened(source, options) as (image, frames), AppendingTiffWriter(str(target), new=True) as writer:
        try:
            for frame in frames[pages.first - 1 : pages.last]:
                frame.seek(image)
                how: dict[str, Any] = {"compression": "group4" if image.mode == "1" else "tiff_adobe_deflate"}
                if "dpi" in image.info:
                    how["dpi"] = image.info["dpi"]
                turned = image.getexif().get(ExifTags.Base.Orientation)
                image.copy().save(writer, "TIFF", tiffinfo={int(ExifTags.Base.Orientation): turned or 1}, **how)
                writer.newFrame()
        except DAMAGED as error:
            raise CorruptDocument("The pages are damaged and cannot be copied.") from error
