"""Headers and footers of PowerPoint 97 to 2003, which are in separate records."""

from docsieve.parsers.office.legacy.slides.records import Record, Records

_HEADERS_AND_FOOTERS, _SHOWN, _STRING = 4057, 4058, 4026
_OF_SLIDES = 3
_DATE, _FOOTER = 0, 2
_SHOWS_ITS_DATE, _SHOWS_ITS_FOOTER = 0x04, 0x20


def footers_of(records: Records, slide: Record, document: Record) -> list[str]:
    """Return the footers of a slide: its own, else those that the document has for all slides."""
    own = _holder(records, slide, 0)
    holder = own if own is not None else _holder(records, document, _OF_SLIDES)
    if holder is None:
        return []
    parts = list(records.children(holder))
    flags = next((records.integers(part, 0)[0] >> 16 for part in parts if part.kind == _SHOWN), 0)
    wanted = {_DATE: flags & _SHOWS_ITS_DATE, _FOOTER: flags & _SHOWS_ITS_FOOTER}
    texts = (
        records.content(part).decode("utf-16-le", "replace").strip()
        for part in parts
        if part.kind == _STRING and wanted.get(part.instance)
    )
    return [text for text in texts if text]


def _holder(records: Records, parent: Record, instance: int) -> Record | None:
    found = (record for record in records.children(parent) if record.kind == _HEADERS_AND_FOOTERS)
    return next((record for record in found if record.instance == instance), None)
