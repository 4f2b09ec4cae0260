"""Images of pages, made in the real sandbox."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import httpx
import pytest
from PIL import Image

from docsieve.domain.pages.page import OnProgress
from docsieve.pipelines.page_renderer import PageRenderer
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.sandbox.task import Task
from docsieve.services.maintenance.tasks import SweepBlobs
from docsieve.tasks import registry
from docsieve.tasks.render import RenderedPage, RenderPage
from tests.api.running import Running, assert_problem, uploaded
from tests.maintaining import run_task
from tests.parsers.pdf.samples import write_by_hand, write_pages

T = TypeVar("T")


class CountingSandbox(Sandbox):
    """A sandbox that remembers what it was asked for."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits, tasks=registry, children=2)
        self.runs: list[Task[Any]] = []

    async def run(self, task: Task[T], *, on_progress: OnProgress | None = None) -> T:
        self.runs.append(task)
        return await super().run(task, on_progress=on_progress)


class TakenOverSandbox(Sandbox):
    """A sandbox whose child does not do as it was told."""

    async def run(self, task: Task[T], *, on_progress: OnProgress | None = None) -> T:
        assert isinstance(task, RenderPage)
        task.image.write_text("<script>alert(1)</script>")
        return cast("T", RenderedPage(1, 1))


class DeletingSandbox(Sandbox):
    """A sandbox in which a document takes so long that its owner deletes it meanwhile."""

    def __init__(self, client: httpx.AsyncClient, document: str) -> None:
        super().__init__(Limits(), tasks=registry, children=1)
        self._client, self._document = client, document

    async def run(self, task: Task[T], *, on_progress: OnProgress | None = None) -> T:
        assert (await self._client.delete(f"/documents/{self._document}")).status_code == 204
        return await super().run(task, on_progress=on_progress)


@asynccontextmanager
async def rendering_by(api: Running, sandbox: Sandbox | None) -> AsyncIterator[None]:
    """The application with another renderer, or with none."""
    usual = api.resources.renderer
    assert usual is not None
    if sandbox is None:
        api.app.state.resources = replace(api.resources, renderer=None)
        yield
    else:
        async with PageRenderer(sandbox, usual.workdir) as renderer:
            api.app.state.resources = replace(api.resources, renderer=renderer)
            yield
    api.app.state.resources = api.resources


async def _ready(
    api: Running, client: httpx.AsyncClient, content: bytes = b"Hello.", *texts: str, sealed: bool = False, **given: str
) -> str:
    document = await uploaded(client, content, **given)
    (job,) = await api.claim()
    await api.complete(job, *(texts or ("page one",)), sealed=sealed)
    identifier: str = document["id"]
    return identifier


def _opened(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/webp"
    return Image.open(io.BytesIO(answer.content)).convert("RGB")


async def _images(api: Running) -> set[str]:
    return {key for key in await api.blobs() if key.startswith("images/")}


async def test_a_page_of_text_has_an_image_of_the_next_size(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client, b"one\ftwo", "one", "two")
    for asked, given in ((16, 160), (160, 160), (161, 320), (500, 640), (4000, 4000)):
        image = _opened(await client.get(f"/documents/{document}/pages/2/image?width={asked}"))
        assert image.size == (given, round(given * 792 / 612))
        assert image.getextrema() != ((255, 255),) * 3
    assert _opened(await client.get(f"/documents/{document}/pages/1/image")).width == 960


async def test_a_page_of_a_pdf_looks_as_in_the_pdf(api: Running, client: httpx.AsyncClient, tmp_path: Path) -> None:
    red_square_upper_left = "1 0 0 rg 0 642 200 200 re f"
    pdf = write_by_hand(tmp_path / "a.pdf", red_square_upper_left).read_bytes()
    document = await _ready(api, client, pdf, "a square", filename="a.pdf")
    image = _opened(await client.get(f"/documents/{document}/pages/1/image?width=640"))
    assert image.width == 640
    (red, green, blue), white = image.getpixel((100, 100)), image.getpixel((600, 800))  # type: ignore[misc]
    assert red > 220
    assert max(green, blue) < 40
    assert white == (255, 255, 255)


async def test_a_thumbnail_is_the_first_page_small(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client, b"one\ftwo", "one", "two")
    thumbnail = await client.get(f"/documents/{document}/thumbnail")
    assert _opened(thumbnail).width == 320
    assert thumbnail.content == (await client.get(f"/documents/{document}/pages/1/image?width=320")).content


async def test_widths_out_of_bounds_are_422_and_pages_that_are_not_there_404(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await _ready(api, client)
    for width in ("15", "4001", "0", "-1", "wide", "1e3", "99999999999999999999"):
        answer = await client.get(f"/documents/{document}/pages/1/image?width={width}")
        assert_problem(answer, 422, "invalid_request")
    for number in ("0", "2", "-1", "99999999999999999999"):
        for headers in ({}, {"If-None-Match": "*"}):
            answer = await client.get(f"/documents/{document}/pages/{number}/image", headers=headers)
            assert_problem(answer, 404, "not_found")
    assert_problem(await client.get(f"/documents/{document}/pages/one/image"), 422, "invalid_request")
    assert await _images(api) == set()


async def test_a_document_that_was_not_read_yet_is_409(api: Running, client: httpx.AsyncClient) -> None:
    document = (await uploaded(client))["id"]
    for path in ("pages/1/image", "thumbnail"):
        assert_problem(await client.get(f"/documents/{document}/{path}"), 409, "document_not_ready")


@pytest.mark.usefixtures("walls")
async def test_another_tenant_gets_404_even_for_an_image_that_is_there(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    path = f"/documents/{document}/pages/1/image"
    etag = (await client.get(path)).headers["etag"]
    stranger = await api.admin(await api.tenant("stranger"))
    for headers in ({}, {"If-None-Match": etag}, {"If-None-Match": "*"}):
        assert_problem(await stranger.get(path, headers=headers), 404, "not_found")
        assert_problem(await stranger.get(f"/documents/{document}/thumbnail", headers=headers), 404, "not_found")


async def test_an_image_is_made_once_and_then_comes_from_the_store(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    path = f"/documents/{document}/pages/1/image"
    made = await client.get(f"{path}?width=320")
    async with rendering_by(api, None):
        assert (await client.get(f"{path}?width=300")).content == made.content
        assert_problem(await client.get(f"{path}?width=640"), 503, "unavailable")


async def test_an_image_is_answered_with_304_while_it_is_the_same(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    path = f"/documents/{document}/pages/1/image"
    first = await client.get(path)
    assert first.headers["cache-control"].startswith("private, max-age=")
    assert {"Authorization", "X-API-Key", "Cookie"} == set(first.headers["vary"].split(", "))
    again = await client.get(path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    other = await client.get(f"{path}?width=320", headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200


async def test_requests_for_one_image_at_once_make_it_once(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    sandbox = CountingSandbox(Limits())
    async with rendering_by(api, sandbox):
        answers = await asyncio.gather(*(client.get(f"/documents/{document}/thumbnail") for _ in range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert [type(each) for each in sandbox.runs] == [RenderPage]


async def test_a_renderer_that_takes_too_long_is_503_and_the_next_request_tries_again(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await _ready(api, client)
    async with rendering_by(api, Sandbox(Limits(wall_seconds=0.001), tasks=registry, children=1)):
        answers = await asyncio.gather(*(client.get(f"/documents/{document}/thumbnail") for _ in range(2)))
        for answer in answers:
            assert_problem(answer, 503, "parser_timeout")
    assert await _images(api) == set()
    assert (await client.get(f"/documents/{document}/thumbnail")).status_code == 200


async def test_output_that_is_not_an_image_is_never_sent(api: Running, client: httpx.AsyncClient) -> None:
    document = await _ready(api, client)
    async with rendering_by(api, TakenOverSandbox(Limits(), tasks=registry, children=1)):
        assert_problem(await client.get(f"/documents/{document}/thumbnail"), 503, "parser_crashed")
    assert await _images(api) == set()


async def test_a_damaged_original_is_the_parsers_problem_not_ours(
    api: Running, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    whole = write_pages(tmp_path / "a.pdf", [["Hello."]]).read_bytes()
    document = await _ready(api, client, whole[:80], "read before it was damaged", filename="a.pdf")
    assert_problem(await client.get(f"/documents/{document}/thumbnail"), 422, "corrupt_document")


async def test_a_protected_document_is_shown_by_its_own_password(
    api: Running, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    pdf = write_pages(tmp_path / "a.pdf", [["Secret."]], password="open sesame").read_bytes()
    ours = await _ready(api, client, pdf, sealed=True, filename="a.pdf", password="open sesame")
    assert _opened(await client.get(f"/documents/{ours}/thumbnail")).width == 320
    (key,) = await _images(api)
    assert ours in key


async def test_the_images_go_with_the_last_document_of_that_content(api: Running, client: httpx.AsyncClient) -> None:
    first, second = await _ready(api, client), await _ready(api, client)
    for width in (160, 640):
        await client.get(f"/documents/{first}/pages/1/image?width={width}")
    assert len(await _images(api)) == 2
    assert (await client.delete(f"/documents/{first}")).status_code == 204
    assert len(await _images(api)) == 2
    assert (await client.delete(f"/documents/{second}")).status_code == 204
    assert await api.blobs() == set()


async def test_the_images_of_a_protected_document_go_with_it_alone(api: Running, client: httpx.AsyncClient) -> None:
    protected = await _ready(api, client, sealed=True, password="open sesame")
    plain = await _ready(api, client)
    for document in (protected, plain):
        await client.get(f"/documents/{document}/thumbnail")
    assert (await client.delete(f"/documents/{protected}")).status_code == 204
    (left,) = await _images(api)
    assert protected not in left


async def test_an_image_that_was_made_while_its_document_was_deleted_is_not_kept(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await _ready(api, client)
    async with rendering_by(api, DeletingSandbox(client, document)):
        assert (await client.get(f"/documents/{document}/thumbnail")).status_code == 200
    assert await api.blobs() == set()


async def test_the_sweep_removes_orphaned_images(api: Running, client: httpx.AsyncClient) -> None:
    kept, gone = await _ready(api, client, b"kept"), await _ready(api, client, b"gone")
    for document in (kept, gone):
        await client.get(f"/documents/{document}/thumbnail")
    async with api.resources.database.system() as connection:
        await connection.execute("delete from documents where id = $1", gone)
    await run_task(api.resources, SweepBlobs(grace_seconds=-60))
    assert len(await _images(api)) == 1
    async with rendering_by(api, None):
        assert (await client.get(f"/documents/{kept}/thumbnail")).status_code == 200
