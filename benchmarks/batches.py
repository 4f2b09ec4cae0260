"""How fast a batch is started, cancelled and looked at, next to bare inserts of the same rows."""

import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.db.access import projects
from docsieve.db.batches import members, rows
from docsieve.db.batches.rows import NewBatch
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database, Session
from docsieve.domain.ids import new_ids
from docsieve.domain.scope import Scope
from docsieve.resources import Resources
from docsieve.services.access import tenants
from docsieve.services.batches import control, starting
from docsieve.services.batches.progress import progress_of
from docsieve.settings import Settings
from docsieve.wiring import open_resources

SIZES = (10_000, 100_000)
ROUNDS = 3
LOOKS = 20
MAX_START_SECONDS = 10.0
WANTED_SHARE = 0.25
COLUMNS = ("start, s", "jobs/s", "bare inserts, s", "share of bare", "progress, ms", "cancel, s")
METHOD = f"""A batch of documents that were read, one group each, with the built-in `invoice` schema, on the same
durable server. Start: grouping in the process, then extractions, their documents and jobs in one transaction. Bare
inserts: the same rows into the same tables and indexes by three `insert … select generate_series` in one transaction,
which no client had to send. Progress: the two queries of `GET /batches/{{id}}`, median of {LOOKS}. Cancel: everything,
right after the start. Median of {ROUNDS} rounds of the smaller size, one of the larger."""

_DOCUMENTS = """
insert into documents (id, tenant_id, project_id, status, filename, media_type, size, sha256, pages_key)
select id, $1, $2, 'ready', 'invoice ' || place || '.pdf', 'application/pdf', 1000, md5(id::text), 'pages'
from unnest($3::uuid[]) with ordinality as new (id, place)
"""
_PLACES = "select gen_random_uuid() as extraction, gen_random_uuid() as job, id from documents"
_BARE = f"""
create temporary table places on commit drop as {_PLACES};
insert into extractions (id, tenant_id, project_id, job_id, batch_id, batch_spec, group_name, document_count,
                         allow_missing, schema_name, engine, threshold)
select extraction, '{{tenant}}', '{{project}}', job, '{{batch}}', job, 'a', 1, true, 'invoice', 'local', 0.7
from places;
insert into extraction_documents (tenant_id, project_id, extraction_id, position, document_id)
select '{{tenant}}', '{{project}}', extraction, 1, id from places;
insert into jobs (id, tenant_id, project_id, job_type, args, queue, priority, max_attempts, turn, status)
select job, '{{tenant}}', '{{project}}', 'extract_fields', '{{{{"extraction_id": "{UUID(int=0)}"}}}}', 'default',
       -1000, 3, row_number() over (), 'pending' from places;
"""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    measured = []
    for size in SIZES:
        samples = [await _measure(server, size) for _ in range(ROUNDS if size == SIZES[0] else 1)]
        medians = {column: statistics.median(each[column] for each in samples) for column in COLUMNS}
        measured.append(Row(f"{size:,} groups", medians))
    first = measured[0].figures
    targets = [
        Target(f"start of {SIZES[0]:,} groups, s", MAX_START_SECONDS, first[COLUMNS[0]], at_most=True),
        Target(f"start of {SIZES[0]:,} groups, share of bare inserts", WANTED_SHARE, first[COLUMNS[3]]),
    ]
    return Section("Starting a batch", METHOD, COLUMNS, measured, targets)


async def _measure(server: BenchServer, size: int) -> dict[str, float]:
    async with server.fresh_database("batches") as dsn:
        await migrate(dsn)
        with tempfile.TemporaryDirectory() as folder:
            async with open_resources(Settings(data_dir=Path(folder), log_level="warning"), dsn) as resources:
                scope, batch_id, bare = await _fill(resources.database, size)
                bare_seconds = await _insert_bare(resources.database, bare)
                return await _look(resources, scope, batch_id, size, bare_seconds)


async def _fill(database: Database, size: int) -> tuple[Scope, UUID, str]:
    """A tenant with a batch that can be started, and the script of the bare inserts."""
    async with database.system() as connection, connection.transaction():
        scope = Scope((await tenants.create(connection, "bench")).id)
    async with database.tenant(scope) as session:
        project = await projects.find(session.connection, scope.tenant_id, "default")
        assert project is not None
        ids, (batch_id, other) = new_ids(size), new_ids(2)
        await session.connection.execute(_DOCUMENTS, scope.tenant_id, project.id, ids, timeout=600)
        for each in (batch_id, other):
            await rows.add(session, NewBatch(each, project.id, {"name": "bench", "schema_ref": "invoice"}))
        await members.add(session, batch_id, project.id, ids)
    async with database.system() as connection:
        await connection.execute("vacuum analyze", timeout=600)
    return scope, batch_id, _BARE.format(tenant=scope.tenant_id, project=project.id, batch=other)


async def _insert_bare(database: Database, script: str) -> float:
    """Seconds of the inserts alone; the rows are removed again."""
    async with database.system() as connection:
        begun = time.perf_counter()
        await connection.execute(f"begin; {script} commit", timeout=600)
        seconds = time.perf_counter() - begun
        await connection.execute("truncate extractions, extraction_documents, jobs cascade", timeout=600)
        await connection.execute("vacuum analyze", timeout=600)
    return seconds


async def _look(resources: Resources, scope: Scope, batch_id: UUID, size: int, bare_seconds: float) -> dict[str, float]:
    begun = time.perf_counter()
    async with resources.database.tenant(scope) as session:
        await starting.start(session, resources, batch_id)
    seconds = time.perf_counter() - begun
    async with resources.database.tenant(scope) as session:
        looks = [await _progress(session, batch_id, size) for _ in range(LOOKS)]
    begun = time.perf_counter()
    async with resources.database.tenant(scope) as session:
        await control.cancel(session, batch_id)
    cancelled = time.perf_counter() - begun
    values = (seconds, size / seconds, bare_seconds, bare_seconds / seconds, 1000 * statistics.median(looks), cancelled)
    return dict(zip(COLUMNS, values, strict=True))


async def _progress(session: Session, batch_id: UUID, size: int) -> float:
    begun = time.perf_counter()
    batch = await rows.find(session, batch_id)
    assert batch is not None
    progress = await progress_of(session, batch)
    assert progress.total == size
    return time.perf_counter() - begun
