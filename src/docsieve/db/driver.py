"""Names for asyncpg's types, whose generics exist for the type checker only."""

from typing import TYPE_CHECKING, TypeAlias

import asyncpg

if TYPE_CHECKING:
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    OwnConnection: TypeAlias = asyncpg.Connection[asyncpg.Record]
    Connection: TypeAlias = OwnConnection | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]
else:
    Pool = OwnConnection = Connection = object

Record: TypeAlias = asyncpg.Record
