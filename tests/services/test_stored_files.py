"""Files are compared with what was uploaded, wherever they are read."""

from pathlib import Path

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows
from docsieve.domain.scope import Scope
from docsieve.errors import OriginalDamaged
from docsieve.services.stored_files import stream_original
from tests.api.conftest import acme, api, client
from tests.api.running import Running, uploaded

__all__ = ["acme", "api", "client"]

SIZE = 3 * 1024**2


async def test_a_changed_file_breaks_off_before_it_looks_complete(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    sent = await uploaded(client, b"a" * SIZE, "a.txt")
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        document = await rows.find(session, sent["id"])
    assert document is not None
    [stored] = [path for path in tmp_path.rglob(sent["id"]) if path.is_file()]
    stored.write_bytes(b"a" * (SIZE - 1) + b"b")
    received = 0

    with pytest.raises(OriginalDamaged):
        async for chunk in stream_original(api.resources.blobs, acme.id, document):
            received += len(chunk)

    assert received < SIZE
