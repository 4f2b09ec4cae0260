"""Open Packaging Conventions: the relations between the parts of an OOXML package, and its main part."""

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.office.markup import attribute, children, part
from docsieve.parsers.office.ooxml.types import MAIN_PARTS, media_type_of
from docsieve.parsers.office.package import Package

_IS_OURS = re.compile(r"(?:word|xl|ppt)/.*\.(?:xml|rels|bin)\Z")


@dataclass(frozen=True, slots=True)
class Relation:
    """`kind` is the last segment of its type, such as `slide`; `target` is the name of a part."""

    kind: str
    target: str


def relations_of(package: Package, name: str) -> dict[str, Relation]:
    """Return the relations of a part by id, in order, without external ones."""
    folder, _, file = name.rpartition("/")
    root = part(package, posixpath.join(folder, "_rels", f"{file}.rels"))
    found: dict[str, Relation] = {}
    for element in children(root, "Relationship") if root is not None else ():
        if (attribute(element, "TargetMode") or "").lower() == "external":
            continue
        kind = (attribute(element, "Type") or "").rpartition("/")[2]
        found[attribute(element, "Id") or ""] = Relation(kind, _resolve(folder, attribute(element, "Target") or ""))
    return found


def targets(relations: dict[str, Relation], kind: str) -> list[str]:
    return list(dict.fromkeys(relation.target for relation in relations.values() if relation.kind == kind))


def main_part_of(package: Package) -> tuple[str, str]:
    """Return the name of the main part and the media type of the document.

    Raises CorruptDocument if the package refers to a main part but has none, else UnsupportedType.
    """
    types = _content_types(package)
    for name in targets(relations_of(package, ""), "officeDocument"):
        media_type = media_type_of(types.get(name.lower(), "")) or MAIN_PARTS.get(name.lower())
        if media_type and name in package:
            return name, media_type
    for name, content_type in types.items():
        if (media_type := media_type_of(content_type)) and name in package:
            return name, media_type
    for name, media_type in MAIN_PARTS.items():
        if name in package:
            return name, media_type
    if any(map(media_type_of, types.values())) or any(map(_IS_OURS.match, package.entries)):
        raise CorruptDocument("The main part of the document is missing.")
    raise UnsupportedType("The document is a package, but not a text, spreadsheet or presentation.")


def _content_types(package: Package) -> dict[str, str]:
    """Return the content types of single parts by lower-case name."""
    root = part(package, "[Content_Types].xml")
    overrides = children(root, "Override") if root is not None else ()
    return {
        (attribute(element, "PartName") or "").lstrip("/").lower(): attribute(element, "ContentType") or ""
        for element in overrides
    }


def _resolve(folder: str, target: str) -> str:
    path = unquote(target.partition("#")[0]).replace("\\", "/")
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
