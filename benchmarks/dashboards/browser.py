"""A browser at the dashboard that measures itself: what was loaded, how long people waited, which frames came late."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page, async_playwright

from benchmarks.dashboards import chromium
from benchmarks.uploads.serving import KEY

# An interaction (a key, a click, a tap) lasts from the event to the next frame shown; the browser rounds it to 8 ms and
# keeps none below 16.
_WATCH = """
window.waited = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.waited.push(entry.duration);
})
  .observe({ type: "event", durationThreshold: 16, buffered: true });
"""
_LOADED = """() => performance.getEntriesByType("resource")
  .filter((entry) => /[.]js$/.test(new URL(entry.name).pathname))
  .reduce((sum, entry) => sum + entry.encodedBodySize, 0)"""
_SCROLL = """async ([selector, steps, step]) => {
  const scroller = document.querySelector(selector);
  const frames = [];
  let last = await new Promise(requestAnimationFrame);
  for (let each = 0; each < steps; each++) {
    scroller.scrollTop += step;
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - last);
    last = now;
  }
  return frames;
}"""
MIN_MS = 16.0


@asynccontextmanager
async def open_page(port: int) -> AsyncIterator[Page]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.executable(), args=chromium.FLAGS)
        context = await browser.new_context(
            viewport={"width": 1440, "height": 900}, base_url=f"http://127.0.0.1:{port}"
        )
        await context.add_init_script(_WATCH)
        page = await context.new_page()
        page.set_default_timeout(60_000)
        yield page
        await browser.close()


async def sign_in(page: Page) -> None:
    await page.goto("/documents")
    await page.get_by_label("API key").fill(KEY)
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_role("navigation", name="Pages").wait_for()


async def script_kilobytes(page: Page) -> float:
    """All scripts that this page has loaded, as they travelled."""
    loaded: float = await page.evaluate(_LOADED)
    return loaded / 1000


async def slowest_wait(page: Page) -> float:
    """The longest interaction since the last look, in milliseconds."""
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    waited: list[float] = await page.evaluate("() => window.waited.splice(0)")
    return max([MIN_MS, *waited])


async def scroll_frames(page: Page, selector: str, *, steps: int, step: int) -> list[float]:
    """Scroll by `step` pixels a frame and return how long each frame took, in milliseconds."""
    frames: list[float] = await page.evaluate(_SCROLL, [selector, steps, step])
    return frames
