"""The texts that a master of PowerPoint 97 to 2003 shows on its slides."""

from collections.abc import Iterator

from docsieve.parsers.office.legacy.slides.records import Record, Records

_SHAPE, _PLACEHOLDER = 0xF004, 3011
_MASTER_ID, _FLAGS = 12, 20
_SHOWS_MASTER = 0x01


class Masters:
    """`known` has the masters by id. The texts of a master are returned once, with the first slide that shows them."""

    def __init__(self, records: Records, known: dict[int, Record]) -> None:
        self._records = records
        self._known = known
        self._given: set[int] = set()

    def shapes_behind(self, slide_atom: Record) -> Iterator[Record]:
        master_id, flags = self._records.integers(slide_atom, _MASTER_ID, _FLAGS)
        if flags & _SHOWS_MASTER and master_id in self._known and master_id not in self._given:
            self._given.add(master_id)
            shapes = (each for each in self._records.within(self._known[master_id]) if each.kind == _SHAPE)
            # A placeholder has a prompt that is not shown on slides.
            yield from (shape for shape in shapes if not self._is_placeholder(shape))

    def _is_placeholder(self, shape: Record) -> bool:
        return any(record.kind == _PLACEHOLDER for record in self._records.within(shape))
