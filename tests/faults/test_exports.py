"""An export that is interrupted: by kill -9, by an error, by its reader. It never looks complete and leaves nothing."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from docsieve.faults import STEPS as ALL_STEPS
from tests.service import Service, poll_until
from tests.signals import named

STEPS = [step for step in ALL_STEPS if step.startswith("export.")]
ROWS = 20_000
_SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "lines": {"type": "array", "items": {"type": "string"}}},
}
_VALUE = {"text": "x" * 500, "lines": ["a", "b"]}


@pytest.fixture
def service(start_service: Callable[..., Service], tmp_path: Path) -> Service:
    """Its temporary files are in a folder of the test."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    return start_service(TMPDIR=str(temporary))


def run_sql(service: Service, statement: str, *arguments: Any) -> None:
    async def work() -> None:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        await connection.execute(statement, *arguments)
        await connection.close()

    asyncio.run(work())


def fill(service: Service, rows: int) -> None:
    """As many completed extractions as a worker would need an hour for."""
    service.upload(b"Hello.")
    run_sql(
        service,
        """
        insert into extractions (id, tenant_id, project_id, job_id, status, document_count, schema, engine, threshold,
                                 value, metadata, confidence, needs_review)
        select gen_random_uuid(), tenant_id, id, gen_random_uuid(), 'completed', 1, $1::text::json, 'local', 0.7,
               $2::text::json, '{}', 0.9, false
        from (select tenant_id, id from projects limit 1) as project, generate_series(1, $3::int)
        """,
        json.dumps(_SCHEMA),
        json.dumps(_VALUE),
        rows,
    )


def leftovers(service: Service) -> list[Path]:
    temporary = Path(service.environment["TMPDIR"])
    work = Path(service.environment["DOCSIEVE_DATA_DIR"]) / "tmp"
    return [each for folder in (temporary, work) for each in folder.rglob("*") if each.is_file()]


def test_the_api_killed_at_any_step_of_an_export_leaves_no_file_and_no_complete_answer(service: Service) -> None:
    first = service.api()
    fill(service, 3_000)
    before = leftovers(service)
    first.terminate()
    first.wait(30)
    for step in STEPS:
        process = service.api(DOCSIEVE_FAULT=step)
        with pytest.raises(httpx.TransportError):
            service.client.get("/extractions/export", params={"format": "xlsx"})
        assert process.wait(10) == -9, step
        assert leftovers(service) == before, step


def test_an_error_after_the_first_rows_ends_the_connection_without_the_last_chunk(service: Service) -> None:
    service.api()
    fill(service, ROWS)
    with service.client.stream("GET", "/extractions/export", params={"format": "csv"}) as answer:
        assert answer.status_code == 200
        pieces = answer.iter_raw()
        assert next(pieces).startswith(b"\xef\xbb\xbfid,")
        run_sql(service, "alter table extractions rename to extractions_gone")
        with pytest.raises(httpx.RemoteProtocolError):
            for _ in pieces:
                pass


def test_a_reader_that_leaves_ends_the_export(service: Service) -> None:
    """Rows are read no faster than they are sent, and no more of them once their reader is gone."""
    service.api()
    fill(service, ROWS)
    with service.client.stream("GET", "/extractions/export", params={"format": "csv"}) as answer:
        next(answer.iter_raw())
    poll_until(partial(_is_idle, service), what="no query of the API")
    pages = sum(map(named("export.page_written"), service.signals.seen))
    assert 1 <= pages < ROWS / 1_000
    assert not service.signals.has(named("export.rows_written"))


def _is_idle(service: Service) -> bool:
    """Whether no page was read in the last two seconds, in which even a busy machine reads one."""

    async def busy() -> int:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        found: int = await connection.fetchval(
            """
            select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and query like '%extractions%' and (state <> 'idle' or state_change > now() - interval '2 seconds')
            """
        )
        await connection.close()
        return found

    return asyncio.run(busy()) == 0
