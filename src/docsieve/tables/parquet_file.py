"""Parquet, with the types of the schema."""

import queue
import threading
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import IO, TYPE_CHECKING, Any, cast

from docsieve.domain.schemas.fields import Scalar
from docsieve.tables.columns import Column, Kind
from docsieve.tables.layout import Row
from docsieve.tables.sink import Sink

if TYPE_CHECKING:
    from arro3.core import Array, DataType, RecordBatch

_ROW_GROUP = 5_000
_COMPRESSION = "zstd(1)"
_INT64 = range(-(2**63), 2**63)
_EPOCH = date(1970, 1, 1)


class ParquetFile:
    """The rows of a group are held in memory until it is complete.

    Rows are pushed, but the library pulls them. So it runs in a thread that starts with the first group.
    """

    extension = "parquet"

    def __init__(self, columns: Sequence[Column]) -> None:
        from arro3.core import Field, Schema

        self._columns = columns
        self._schema = Schema([Field(each.name, _type_of(each.kind), nullable=True) for each in columns])
        self._rows: list[Row] = []
        self._sink = Sink()
        self._batches: queue.Queue[RecordBatch | None] = queue.Queue()
        self._ready = threading.Semaphore(0)
        self._failure: BaseException | None = None
        self._thread: threading.Thread | None = None

    def write(self, rows: Iterable[Row]) -> bytes:
        self._rows += rows
        while len(self._rows) >= _ROW_GROUP:
            self._push(self._batch(self._rows[:_ROW_GROUP]))
            del self._rows[:_ROW_GROUP]
        return self._sink.take()

    def finish(self) -> bytes:
        self._push(self._batch(self._rows))
        self.close()
        if self._failure is not None:
            raise self._failure
        return self._sink.take()

    def close(self) -> None:
        """End the thread."""
        if self._thread is not None:
            self._batches.put(None)
            self._thread.join()
            self._thread = None

    def _push(self, batch: "RecordBatch") -> None:
        """Returns once the batch is written, so that at most one is held."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="parquet", daemon=True)
            self._thread.start()
            self._ready.acquire()
        self._batches.put(batch)
        self._ready.acquire()

    def _run(self) -> None:
        from arro3.core import RecordBatchReader
        from arro3.io import write_parquet

        try:
            reader = RecordBatchReader.from_batches(self._schema, self._pulled())
            write_parquet(reader, cast(IO[bytes], self._sink), compression=_COMPRESSION, max_row_group_size=_ROW_GROUP)
        except BaseException as error:  # noqa: BLE001  raised again where the file is finished
            self._failure = error
        finally:
            self._ready.release()

    def _pulled(self) -> "Iterator[RecordBatch]":
        self._ready.release()
        while (batch := self._batches.get()) is not None:
            yield batch
            self._ready.release()

    def _batch(self, rows: Sequence[Row]) -> "RecordBatch":
        from arro3.core import RecordBatch

        columns = zip(*rows, strict=True) if rows else ((),) * len(self._columns)
        arrays = [_array(each.kind, cells) for each, cells in zip(self._columns, columns, strict=True)]
        return RecordBatch.from_arrays(arrays, schema=self._schema)


def _type_of(kind: Kind) -> "DataType":
    from arro3.core import DataType

    return {
        "number": DataType.float64,
        "share": DataType.float64,
        "integer": DataType.int64,
        "boolean": DataType.bool,
        "date": DataType.date32,
    }.get(kind, DataType.utf8)()


def _array(kind: Kind, cells: Sequence[Scalar]) -> "Array":
    """A value that is not of the column's type is left out, as there is no place for it."""
    from arro3.core import Array, DataType

    if kind == "date":
        return Array([_days(each) for each in cells], DataType.int32()).cast(DataType.date32())
    return Array([_CONVERT.get(kind, _text)(each) for each in cells], _type_of(kind))


def _days(value: Scalar) -> int | None:
    try:
        return (date.fromisoformat(value) - _EPOCH).days if isinstance(value, str) else None
    except ValueError:
        return None


def _number(value: Scalar) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _integer(value: Scalar) -> int | None:
    return value if type(value) is int and value in _INT64 else None


def _boolean(value: Scalar) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: Scalar) -> str | None:
    if isinstance(value, str):
        return value if value.isascii() else value.encode(errors="replace").decode()
    return None if value is None else str(value)


_CONVERT: dict[Kind, Any] = {"number": _number, "share": _number, "integer": _integer, "boolean": _boolean}
