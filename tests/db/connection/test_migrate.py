"""A database server on which Docsieve cannot create its tables."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from docsieve.db.connection.migrate import migrate
from docsieve.errors.setup import ExtensionMissing
from tests.cli.terminal import CommandLine
from tests.postgres_server import PostgresServer

pytestmark = pytest.mark.process


@pytest.fixture
def without_extensions(open_folder: Path) -> Iterator[PostgresServer]:
    folder = Path(tempfile.mkdtemp(dir=open_folder))
    folder.chmod(0o755)
    # since version 18, a setting says where control files are; here is only that of a pgvector which is too old
    server = PostgresServer(folder, parameters={"extension_control_path": str(folder)})
    outdated = folder / "extension" / "vector.control"
    outdated.parent.mkdir()
    outdated.write_text("default_version = '0.7.4'\n")
    server.create()
    server.start()
    yield server
    server.stop()


async def test_a_missing_or_outdated_extension_is_named_with_its_package(
    without_extensions: PostgresServer, tmp_path: Path
) -> None:
    assert await _offered(without_extensions) == {"vector": "0.7.4"}
    wanted = (
        r"lacks vector, pg_trgm, btree_gin\. Install .* and pgvector 0\.8 or newer \(Debian: \S+-pgvector\) on it\."
    )
    with pytest.raises(ExtensionMissing, match=wanted):
        await migrate(without_extensions.url())

    settings = {"DOCSIEVE_DATABASE_URL": without_extensions.url(), "DOCSIEVE_DATA_DIR": str(tmp_path)}
    ran = CommandLine(settings).as_process("migrate")
    assert (ran.code, "lacks vector" in ran.err) == (2, True)


async def _offered(server: PostgresServer) -> dict[str, str]:
    connection = await asyncpg.connect(server.url())
    try:
        rows = await connection.fetch("select name, default_version from pg_available_extensions")
        return {row["name"]: row["default_version"] for row in rows}
    finally:
        await connection.close()
