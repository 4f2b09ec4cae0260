"""The dashboard by the browser's own timings: what it loads, how fast it answers; and what many cost the API."""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx
from playwright.async_api import Page

from benchmarks.dashboards.browser import open_page, script_kilobytes, scroll_frames, sign_in, slowest_wait
from benchmarks.dashboards.polling import Polling, poll
from benchmarks.dashboards.seeding import multiply
from benchmarks.readings.documents import write_pdf
from benchmarks.readings.service import Service, service
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer, postmaster
from benchmarks.uploads.serving import KEY, docsieve_api

DOCUMENTS = 5_000
PAGES = 300
DASHBOARDS = 200
POLLED_SECONDS = 30.0
SCROLL_STEPS, SCROLL_STEP = 240, 120
SCRIPT, WAIT, FRAME, LATE, RATE, SAME, CORES, P50, P99 = (
    "script KB",
    "slowest ms",
    "frame p95 ms",
    "late frames",
    "requests/s",
    "304",
    "cores",
    "p50 ms",
    "p99 ms",
)
COLUMNS = (SCRIPT, WAIT, FRAME, LATE, RATE, SAME, CORES, P50, P99)
METHOD = f"""Chromium without a screen at the real service. Script: all that the sign-in page and the list of documents
load, as it travels. Slowest: from an event to the next frame shown (Event Timing), over {DOCUMENTS:,} documents, of
typing, sorting, selecting and scrolling. Frames: a document of {PAGES} pages is scrolled {SCROLL_STEP} pixels a frame;
a frame of 50 ms or more is late; beside it a page of {PAGES} empty boxes in the same browser. {DASHBOARDS} dashboards
each watch a document that waits in the queue, for {POLLED_SECONDS:.0f} s; the cores are those of API and PostgreSQL."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    rows, targets = await _by_browser(server)
    polled = await _polled(server)
    rows.append(_polling_row(polled))
    targets.append(Target(f"cores for {DASHBOARDS} dashboards that wait", 0.5, polled.cores, at_most=True))
    return Section("Dashboard", METHOD, COLUMNS, rows, targets)


async def _by_browser(server: BenchServer) -> tuple[list[Row], list[Target]]:
    async with server.fresh_database("dashboard") as dsn:
        with tempfile.TemporaryDirectory(prefix="bench-web-") as name:
            folder = Path(name)
            async with service(dsn, folder) as running:
                thin = await _upload(running, write_pdf(folder / "thin.pdf", 1, seed=1))
                thick = await _upload(running, write_pdf(folder / "thick.pdf", PAGES, seed=2))
                await multiply(dsn, thin, DOCUMENTS)
                async with open_page(running.port) as page:
                    return await _measure(page, thick)


async def _upload(running: Service, path: Path) -> str:
    await running.read([path])
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
        url = f"http://127.0.0.1:{running.port}/api/v1/documents"
        answer = (await client.get(url, params={"name": path.name})).raise_for_status()
        return str(answer.json()["documents"][0]["id"])


async def _measure(page: Page, thick: str) -> tuple[list[Row], list[Target]]:
    await sign_in(page)
    await page.get_by_text("invoice-1.pdf").first.wait_for()
    script = await script_kilobytes(page)
    waits = await _interactions(page)
    await page.goto(f"/documents/{thick}")
    await page.get_by_role("group", name="Page view").locator("img").first.wait_for()
    ours = await scroll_frames(page, "[aria-label='Page view']", steps=SCROLL_STEPS, step=SCROLL_STEP)
    empty = await _empty_frames(page)
    rows = [
        Row("first load", {SCRIPT: script}),
        *(Row(f"{DOCUMENTS:,} documents: {what}", {WAIT: wait}) for what, wait in waits.items()),
        Row(f"{PAGES} pages, scrolled", _frame_figures(ours)),
        Row(f"{PAGES} empty boxes, scrolled", _frame_figures(empty)),
    ]
    targets = [
        Target("script of the first load, KB", 250, script, at_most=True),
        Target(f"slowest interaction with {DOCUMENTS:,} documents, ms", 100, max(waits.values()), at_most=True),
        Target(f"late frames of {PAGES} pages, share", 0.05, _late(ours), at_most=True),
    ]
    return rows, targets


async def _interactions(page: Page) -> dict[str, float]:
    waits: dict[str, float] = {}
    await slowest_wait(page)  # what came before does not count
    await page.get_by_label("Search by name").press_sequentially("invoice-49", delay=60)
    await page.get_by_text("invoice-499.pdf").first.wait_for()
    waits["typing a name"] = await slowest_wait(page)
    await page.get_by_label("Search by name").fill("")
    await page.get_by_text("invoice-1.pdf").first.wait_for()
    await slowest_wait(page)
    await page.get_by_role("columnheader", name="Name").get_by_role("button").click()
    await page.get_by_text("invoice-10.pdf").first.wait_for()
    waits["sorting"] = await slowest_wait(page)
    boxes = page.get_by_role("checkbox", name="Select invoice")
    await boxes.nth(0).click()
    await boxes.nth(6).click(modifiers=["Shift"])
    waits["selecting a range"] = await slowest_wait(page)
    await page.get_by_role("checkbox", name="Select all").click()
    await page.get_by_role("toolbar", name="Selected documents").wait_for()
    waits["selecting all"] = await slowest_wait(page)
    await page.mouse.move(800, 600)
    for _ in range(40):
        await page.mouse.wheel(0, 2_000)
        await page.wait_for_timeout(50)
    await page.get_by_role("checkbox", name="Select invoice").nth(3).click()
    waits["scrolling, then selecting"] = await slowest_wait(page)
    return waits


async def _empty_frames(page: Page) -> list[float]:
    """What this browser on this machine can do at best: boxes of the same size and nothing in them."""
    await page.goto("about:blank")
    await page.evaluate(
        """(count) => {
          const scroller = document.createElement("div");
          scroller.id = "empty";
          scroller.style.cssText = "height: 800px; overflow: auto";
          for (let each = 0; each < count; each++) {
            const box = document.createElement("div");
            box.style.cssText = "height: 900px; margin: 12px; background: #eee";
            scroller.append(box);
          }
          document.body.append(scroller);
        }""",
        PAGES,
    )
    return await scroll_frames(page, "#empty", steps=SCROLL_STEPS, step=SCROLL_STEP)


def _late(frames: list[float]) -> float:
    return sum(frame >= 50 for frame in frames) / len(frames)


def _frame_figures(frames: list[float]) -> dict[str, float]:
    return {FRAME: statistics.quantiles(frames, n=20)[18], LATE: _late(frames)}


async def _polled(server: BenchServer) -> Polling:
    """No worker runs, so that all documents wait as long as anybody looks."""
    async with server.fresh_database("polling") as dsn:
        with tempfile.TemporaryDirectory(prefix="bench-poll-") as folder:
            async with docsieve_api(dsn, Path(folder)) as api:
                async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
                    url = f"http://127.0.0.1:{api.port}{api.path}"
                    sent = [
                        await client.post(url, files={"file": (f"{number}.txt", f"Number {number}".encode())})
                        for number in range(DASHBOARDS)
                    ]
                ids = [answer.raise_for_status().json()["id"] for answer in sent]
                return await poll(api.port, ids, POLLED_SECONDS, [api.pid, await postmaster(dsn)])


def _polling_row(polled: Polling) -> Row:
    figures = {
        RATE: polled.requests / polled.seconds,
        SAME: polled.unchanged / polled.requests,
        CORES: polled.cores,
        P50: polled.p50_ms,
        P99: polled.p99_ms,
    }
    return Row(f"{DASHBOARDS} dashboards that wait", figures)
