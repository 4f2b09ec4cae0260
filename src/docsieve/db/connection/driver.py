"""Names for asyncpg's types, whose generics exist for the type checker only."""

from typing import TYPE_CHECKING, TypeAlias

import asyncpg

if TYPE_CHECKING:
    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    Connection = asyncpg.Connection

Record: TypeAlias = asyncpg.Record
