"""Media types of OOXML packages by the content type of their main part."""

import re
from typing import Literal

Family = Literal["word", "sheet", "slides", "binary_sheet"]

GENERIC = "application/vnd.openxmlformats-officedocument"
"""An OOXML package whose first bytes do not show its type."""

_STANDARD = f"{GENERIC}."
_MICROSOFT = "application/vnd.ms-"
_MACRO = ".macroEnabled"

_STANDARD_FAMILIES: dict[str, Family] = {
    "wordprocessingml.document": "word",
    "wordprocessingml.template": "word",
    "spreadsheetml.sheet": "sheet",
    "spreadsheetml.template": "sheet",
    "presentationml.presentation": "slides",
    "presentationml.slideshow": "slides",
    "presentationml.template": "slides",
}
_MACRO_FAMILIES: dict[str, Family] = {
    "word.document": "word",
    "word.template": "word",
    "excel.sheet": "sheet",
    "excel.template": "sheet",
    "excel.addin": "sheet",
    "excel.sheet.binary": "binary_sheet",
    "powerpoint.presentation": "slides",
    "powerpoint.slideshow": "slides",
    "powerpoint.template": "slides",
    "powerpoint.addin": "slides",
}

FAMILIES: dict[str, Family] = {
    **{_STANDARD + name: family for name, family in _STANDARD_FAMILIES.items()},
    **{f"{_MICROSOFT}{name}{_MACRO}.12": family for name, family in _MACRO_FAMILIES.items()},
}
"""The families by media type."""

PLAIN_TYPES: dict[str, str] = {
    "word": _STANDARD + "wordprocessingml.document",
    "xl": _STANDARD + "spreadsheetml.sheet",
    "ppt": _STANDARD + "presentationml.presentation",
}
"""The ordinary type by the folder of the main part."""

MAIN_PARTS: dict[str, str] = {
    "word/document.xml": PLAIN_TYPES["word"],
    "xl/workbook.xml": PLAIN_TYPES["xl"],
    "xl/workbook.bin": f"{_MICROSOFT}excel.sheet.binary{_MACRO}.12",
    "ppt/presentation.xml": PLAIN_TYPES["ppt"],
}

MAIN_CONTENT_TYPE = re.compile(rb"application/vnd\.[A-Za-z0-9.\-]+\.main(?:\+xml)?(?![A-Za-z+])", re.IGNORECASE)

_BY_LOWER_CASE = {media_type.lower(): media_type for media_type in FAMILIES}


def media_type_of(content_type: str) -> str | None:
    """`…document.main+xml` is the content type of the main part of a `…document`; with macros, of a `….12`."""
    stem = content_type.strip().lower().removesuffix("+xml").removesuffix(".main")
    # Word's templates repeat it.
    stem = stem.replace("macroenabledtemplate", "macroenabled")
    return _BY_LOWER_CASE.get(stem) or _BY_LOWER_CASE.get(f"{stem}.12")
