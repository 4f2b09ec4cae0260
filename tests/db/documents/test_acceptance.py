"""Uploads that arrive while another is being committed are recorded together, and none changes what another gets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import httpx

from docsieve import faults
from docsieve.domain.batches import PRIORITY_OFFSET
from tests.api.routes.batches.steps import created
from tests.api.running import Running, assert_problem, upload

T = TypeVar("T")


@asynccontextmanager
async def held_up(api: Running, client: httpx.AsyncClient) -> AsyncIterator[None]:
    """A commit is under way until the block ends."""
    async with api.resources.database.system() as connection:
        await connection.execute("begin; lock table documents in exclusive mode")
        first = await stored([upload(client, b"the one that is held up")])
        yield
        await connection.execute("rollback")
    for each in first:
        assert (await each).status_code == 200


async def stored(uploads: Sequence[Awaitable[T]]) -> list[asyncio.Task[T]]:
    """Send them one after the other, each when the file of the one before is stored and waits for the database."""
    tasks = []
    for each in uploads:
        is_stored = asyncio.Event()

        def observe(name: str, _: str, is_stored: asyncio.Event = is_stored) -> None:
            if name == "upload.blob_stored":
                is_stored.set()

        with faults.observed(observe):
            tasks.append(asyncio.ensure_future(each))
            await is_stored.wait()
    return tasks


async def transactions(api: Running) -> list[int]:
    """How many documents each transaction recorded."""
    async with api.resources.database.system() as connection:
        rows = await connection.fetch("select count(*) from documents group by xmin::text order by min(created_at)")
    return [row[0] for row in rows]


async def test_uploads_that_arrive_during_a_commit_share_the_next_one(api: Running, client: httpx.AsyncClient) -> None:
    other = await api.admin(await api.tenant("other"))
    async with held_up(api, client):
        waiting = await stored([upload(client, b"%d" % number) for number in range(5)])
        apart = await stored([upload(other, b"of another tenant"), upload(client, b"urgent", priority="100")])
    answers = [await each for each in (*waiting, *apart)]
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(await transactions(api)) == [1, 1, 1, 5]
    async with api.resources.database.system() as connection:
        jobs = await connection.fetch(
            "select document_id::text, turn, jobs.tenant_id = documents.tenant_id from jobs join documents "
            "on job_id = jobs.id where priority = 0 order by documents.created_at, turn"
        )
    ours = [row for row in jobs if row[0] in {each.json()["id"] for each in answers[:5]}]
    assert [row[0] for row in ours] == [each.json()["id"] for each in answers[:5]]
    assert [row[1] - ours[0][1] for row in ours] == [0, 1, 2, 3, 4]
    assert all(row[2] for row in jobs)


async def test_one_that_is_refused_is_refused_alone(api: Running, client: httpx.AsyncClient) -> None:
    async with held_up(api, client):
        waiting = await stored(
            [
                upload(client, b"one", key="k"),
                upload(client, b"two", key="k"),
                upload(client, b"one", key="k"),
                upload(client, b"three", key="other"),
                upload(client, b"four"),
            ]
        )
    one, two, again, three, four = [await each for each in waiting]
    assert_problem(two, 409, "idempotency_conflict")
    assert (one.json(), [each.status_code for each in (one, again, three, four)]) == (again.json(), [200] * 4)
    assert [await api.count(table) for table in ("documents", "jobs", "idempotency_keys")] == [4, 4, 2]
    assert len(await api.blobs()) == 4


async def test_the_second_of_two_with_the_same_content_is_a_duplicate_of_the_first(
    api: Running, client: httpx.AsyncClient
) -> None:
    async with held_up(api, client):
        waiting = await stored([upload(client, b"the same"), upload(client, b"other"), upload(client, b"the same")])
    first, other, second = [(await each).json() for each in waiting]
    assert (first["duplicate_of"], other["duplicate_of"], second["duplicate_of"]) == (None, None, first["id"])
    assert await transactions(api) == [1, 3]


async def test_a_client_that_leaves_takes_no_other_upload_with_it(api: Running, client: httpx.AsyncClient) -> None:
    async with held_up(api, client):
        gone, *waiting = await stored([upload(client, b"%d" % number, key=str(number)) for number in range(3)])
        gone.cancel()
    answers = [await each for each in waiting]
    assert {answer.status_code for answer in answers} == {200}
    again = await upload(client, b"0", key="0")
    assert again.status_code == 200
    assert (await api.count("documents"), await api.count("jobs"), len(await api.blobs())) == (4, 4, 4)


async def test_uploads_into_a_batch_share_a_transaction_and_get_its_settings(
    api: Running, client: httpx.AsyncClient
) -> None:
    batch = await created(client, priority=7, split="auto")
    async with held_up(api, client):
        splits: list[dict[str, str]] = [{}, {"split": "none"}, {}]
        waiting = await stored(
            [upload(client, b"x", "a.txt", key=None, batch=batch["id"], **split) for split in splits]
        )
    assert [(await each).status_code for each in waiting] == [200, 200, 200]
    assert sorted(await transactions(api)) == [1, 1, 2]
    async with api.resources.database.system() as connection:
        rows = await connection.fetch(
            "select priority, reading ->> 'split' from batch_documents join documents on documents.id = document_id "
            "join jobs on jobs.id = job_id order by documents.id"
        )
    assert [tuple(row) for row in rows] == [(7 - PRIORITY_OFFSET, split) for split in ("auto", "none", "auto")]
