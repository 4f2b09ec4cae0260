"""Which attempt's file becomes that of a document."""

from dataclasses import replace
from pathlib import Path

from docsieve.db.documents import downloads
from docsieve.db.documents.downloads import StagedFile
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.scope import Scope
from tests.api.running import WORKER, running

SOURCE = "https://files.example.com/a.txt"


async def test_only_the_attempt_that_holds_the_lease_records_its_file(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, sources_allow=("https://files.example.com",)) as api:
        client = await api.admin(await api.tenant("acme"))
        (await client.post("/documents", files={"source": (None, SOURCE)})).raise_for_status()
        database = api.resources.database
        async with database.system() as connection:
            (job,) = await queue_sql.claim(connection, "download", limit=1, worker_id=WORKER, lease_seconds=30.0)
        assert job.document_id is not None

        async with database.tenant(Scope(job.tenant_id)) as session:
            file = StagedFile("uploads/first", "text/plain", 1, "0" * 64)
            assert await downloads.record(session, job.document_id, file, job=job)
            for late in (job._replace(worker_id="another"), job._replace(attempt=job.attempt - 1)):
                other = replace(file, key="uploads/late")
                assert not await downloads.record(session, job.document_id, other, job=late)
            pending = await downloads.find(session, job.document_id)

        assert pending is not None and pending.staged == file
