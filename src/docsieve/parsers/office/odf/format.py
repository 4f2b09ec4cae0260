"""OpenDocument: text, spreadsheets, slides and drawings, in a ZIP container or flat in one XML file."""

from docsieve.parsers.format import SPACE, Format
from docsieve.parsers.office.odf.types import FAMILIES, FLAT_ROOT, GENERIC, flat_type
from docsieve.parsers.office.zip_head import entries_in

_PARTS = frozenset({"content.xml", "styles.xml", "meta.xml", "settings.xml", "META-INF/manifest.xml"})
_ENOUGH_PARTS = 2


def _sniff(head: bytes) -> str | None:
    if flat := FLAT_ROOT.search(head):
        return flat_type(flat.group(1).decode("ascii"))
    parts = 0
    for entry in entries_in(head):
        if entry.name == "mimetype":
            stated = entry.content.strip().decode("ascii", "replace")
            return stated if stated in FAMILIES else None
        parts += entry.name in _PARTS
    return GENERIC if parts >= _ENOUGH_PARTS else None


ODF = Format(
    name="odf",
    version="3",
    media_types=frozenset({*FAMILIES, GENERIC}),
    sniff=_sniff,
    reader="docsieve.parsers.office.odf.document",
    begins=SPACE + b"P<",
)
