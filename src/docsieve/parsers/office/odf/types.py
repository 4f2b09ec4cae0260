"""Media types of OpenDocument files, of their flat form, and of the OpenOffice files they descend from."""

import re
from typing import Literal

OdfFamily = Literal["text", "spreadsheet", "presentation"]

GENERIC = "application/vnd.oasis.opendocument"
"""An OpenDocument package whose first bytes do not show its type."""

_OASIS = f"{GENERIC}."
_SUN = "application/vnd.sun.xml."

_OASIS_FAMILIES: dict[str, OdfFamily] = {
    "text": "text",
    "spreadsheet": "spreadsheet",
    "presentation": "presentation",
    "graphics": "presentation",
}
_SUN_FAMILIES: dict[str, OdfFamily] = {
    "writer": "text",
    "calc": "spreadsheet",
    "impress": "presentation",
    "draw": "presentation",
}

FAMILIES: dict[str, OdfFamily] = {
    **{_OASIS + name + kind: family for name, family in _OASIS_FAMILIES.items() for kind in ("", "-template")},
    **{f"{_OASIS}{name}-flat-xml": family for name, family in _OASIS_FAMILIES.items()},
    **{_SUN + name + kind: family for name, family in _SUN_FAMILIES.items() for kind in ("", ".template")},
    f"{_OASIS}text-master": "text",
    f"{_OASIS}text-web": "text",
    f"{_SUN}writer.global": "text",
}

BY_BODY: dict[str, str] = {
    "text": f"{_OASIS}text",
    "spreadsheet": f"{_OASIS}spreadsheet",
    "presentation": f"{_OASIS}presentation",
    "drawing": f"{_OASIS}graphics",
}
"""The type by the element that the body holds."""

# Only a prologue may come before it: a page about such files is not one.
FLAT_ROOT = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<[?!][^>]*>\s*)*<office:document\s[^>]*?office:mimetype\s*=\s*[\"']([\w.\-/+]+)[\"']",
    re.DOTALL,
)


def flat_type(mimetype: str) -> str | None:
    """`…text-template` in one XML file is still a flat `…text`."""
    stem = mimetype.strip().removesuffix("-template")
    flat = f"{stem}-flat-xml"
    return flat if flat in FAMILIES else None
