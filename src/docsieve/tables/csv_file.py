"""CSV as RFC 4180 defines it."""

import csv
import io
from collections.abc import Iterable, Sequence

from docsieve.domain.schemas.fields import Scalar
from docsieve.tables.cells import SUSPECT, harmless
from docsieve.tables.columns import Column
from docsieve.tables.layout import Row

BOM = "\ufeff"


class CsvFile:
    """With a byte order mark, Excel reads UTF-8; without one it takes the system's legacy encoding."""

    extension = "csv"

    def __init__(self, columns: Sequence[Column], *, bom: bool) -> None:
        self._text = io.StringIO(BOM if bom else "", newline="")
        self._text.seek(0, io.SEEK_END)
        self._writer = csv.writer(self._text)
        self._writer.writerow([harmless(each.name) for each in columns])

    def write(self, rows: Iterable[Row]) -> bytes:
        self._writer.writerows(
            [
                each
                if each is None or type(each) is float or (type(each) is str and each[:1] not in SUSPECT)
                else _cell(each)
                for each in row
            ]
            for row in rows
        )  # fmt: skip
        written = self._text.getvalue()
        self._text.seek(0)
        self._text.truncate()
        return written.encode(errors="replace")

    def finish(self) -> bytes:
        return self.write(())

    def close(self) -> None:
        """Nothing is held."""


def _cell(value: Scalar) -> Scalar:
    if isinstance(value, str):
        return harmless(value)
    return str(value).lower() if isinstance(value, bool) else value
