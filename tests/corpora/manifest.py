"""What the corpora hold, and how each file should end.

The rule, from the traits that each set's MANIFEST.json gives a file and, where it gives none, from a look at its bytes:

    empty       no bytes: `empty_document`
    locked      `needs_password`, or an encrypted office file: `password_required`; where the manifest knows the
                password it is sent, and the file is as good as an open one
    damaged     `broken`, `broken_*`, `truncated_*`, `zero_pages`, and `disputed`, on which the manifest's own tools
                disagree: ready, or a reason that lies in the document; never a crash, a time-out or a lack of memory
    foreign     a format that Docsieve does not promise to read: ready, or `unsupported_type`
    open        everything else; `damaged_recoverable` and `encrypted_open` too, for a person can open them: ready, not
                with all pages failed, and with text where the file has text

The share that counts is that of the open files. Whether a file has text is what the manifest's probe found, a text that
comes with the set, or what `text_inside` sees in formats that are text or XML at heart; elsewhere text may be there or
not, as in photographs.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from tests.corpora.text_inside import is_locked, text_inside

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
SETS = ("pdf_robustness", "images", "office_mail")

_FOREIGN_FORMATS = frozenset({"ICO", "PSD", "PPM", "AVIF"})
_FOREIGN_NAMES = frozenset({".doc", ".ppt", ".xlsb", ".mbox", ".p7m", ".numbers", ".key", ".pages"})
# By which trait a PDF is listed: the first of these that it has.
_TELLING = (
    *("needs_password", "broken", "zero_pages", "disputed", "encrypted_open", "xfa", "acroform", "attachments"),
    *("rotated", "no_text_layer", "damaged_recoverable", "script_arabic", "script_hebrew", "script_cjk"),
)


class Kind(StrEnum):
    EMPTY = "empty"
    LOCKED = "locked"
    DAMAGED = "damaged"
    FOREIGN = "foreign"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Specimen:
    """A file of the corpora. `type` is the trait it is listed by; `text` is None if it is unknown."""

    set: str
    name: str
    path: Path
    type: str
    kind: Kind
    text: bool | None
    password: str | None


def specimens(sets: Iterable[str]) -> Iterator[Specimen]:
    for name in sets:
        folder = CORPORA / name
        manifest = json.loads((folder / "MANIFEST.json").read_text())
        for entry in manifest["files"]:
            if entry["role"] == "document":
                yield _specimen(name, folder, entry)


def sample(all_of_them: Iterable[Specimen], per_type: int) -> list[Specimen]:
    """The smallest files of each type, always the same."""
    by_type: dict[tuple[str, str], list[Specimen]] = {}
    for specimen in all_of_them:
        by_type.setdefault((specimen.set, specimen.type), []).append(specimen)
    return [
        specimen
        for group in by_type.values()
        for specimen in sorted(group, key=lambda each: (each.path.stat().st_size, each.name))[:per_type]
    ]


def _specimen(name: str, folder: Path, entry: dict[str, Any]) -> Specimen:
    traits, path = entry["traits"], folder / entry["file"]
    listed_by = next((trait for trait in _TELLING if trait in traits), traits[0])
    text = _has_text(folder, entry)
    return Specimen(name, entry["file"], path, listed_by, _kind(path, entry), text, entry.get("password"))


def _kind(path: Path, entry: dict[str, Any]) -> Kind:
    traits = set(entry["traits"])
    if path.stat().st_size == 0:
        return Kind.EMPTY
    if "needs_password" in traits or is_locked(path):
        return Kind.OPEN if entry.get("password") else Kind.LOCKED
    if traits & {"broken", "zero_pages", "disputed"} or any(
        trait.startswith(("broken_", "truncated_")) for trait in traits
    ):
        return Kind.DAMAGED
    if traits & _FOREIGN_NAMES or entry.get("probe", {}).get("format") in _FOREIGN_FORMATS:
        return Kind.FOREIGN
    return Kind.OPEN


def _has_text(folder: Path, entry: dict[str, Any]) -> bool | None:
    reference = entry.get("ground_truth")
    if reference:
        return bool((folder / reference).read_text(errors="replace").strip()) or None
    characters = entry.get("probe", {}).get("text_chars_5p")
    if characters is not None:
        return True if characters > 0 else None
    return text_inside(folder / entry["file"])
