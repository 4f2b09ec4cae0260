"""Binary encoding of half-precision vectors, because sending them as text takes ten times as long.

The driver does not know the type, so the codec is registered once per connection.
"""

import struct
from weakref import WeakSet

import numpy
from numpy.typing import NDArray

from docsieve.db.connection.driver import Connection

_HEAD = struct.Struct(">HH")
_able: "WeakSet[Connection]" = WeakSet()


async def take_packed(connection: Connection) -> None:
    """Register the codec for halfvec parameters created by `packed`."""
    if connection in _able:
        return
    schema = await connection.fetchval(
        "select nspname from pg_type join pg_namespace on pg_namespace.oid = typnamespace"
        " where pg_type.oid = 'halfvec'::regtype"
    )
    await connection.set_type_codec("halfvec", schema=schema, encoder=bytes, decoder=bytes, format="binary")
    _able.add(connection)


def packed(vectors: NDArray[numpy.float32]) -> list[bytes]:
    head = _HEAD.pack(vectors.shape[1], 0) if len(vectors) else b""
    return [head + vector.tobytes() for vector in vectors.astype(">f2")]
