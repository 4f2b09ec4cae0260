"""The dashboard's page and files as browsers get them, and the page that describes the API."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from docsieve.api.dashboard import Dashboard
from tests.api.running import Running, assert_problem

SCRIPT = b"console.log('hello');" * 50
PAGE = """<!doctype html><html><head><meta property="csp-nonce" nonce="__CSP_NONCE__">
<link rel="icon" href="/assets/mark-1.svg">
<script type="module" src="/assets/index-1.js" nonce="__CSP_NONCE__"></script>
<script src="/assets/other-1.js"></script></head><body><div id="app"></div></body></html>"""


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "dashboard"
    assets = folder / "assets"
    assets.mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "robots.txt").write_text("User-agent: *")
    (assets / "index-1.js").write_bytes(SCRIPT)
    (assets / "index-1.js.br").write_bytes(b"brotli")
    (assets / "index-1.js.gz").write_bytes(gzip.compress(SCRIPT))
    (assets / "plain-1.css").write_bytes(b"a { color: red }" * 50)
    (assets / "picture-1.png").write_bytes(b"\x89PNG")
    (tmp_path / "secret.key").write_text("not for you")
    return folder


@pytest.fixture
async def browser(api: Running, built: Path) -> AsyncIterator[httpx.AsyncClient]:
    router = api.app.router
    before, router.default = router.default, Dashboard(built, router.not_found)
    yield await api.client(prefix="")
    router.default = before  # so that the next test can use the application, which takes long to build


def _policy(answer: httpx.Response) -> dict[str, str]:
    directives = (each.strip().partition(" ") for each in answer.headers["content-security-policy"].split(";"))
    return {name: value for name, _, value in directives}


@pytest.mark.parametrize("path", ["/", "/sign-in", "/documents/01a1e2be", "/apidocs", "/assetsx", "/%00", "/a/../b"])
async def test_every_path_of_the_dashboard_is_its_page(browser: httpx.AsyncClient, path: str) -> None:
    answer = await browser.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert '<div id="app">' in answer.text


async def test_the_policy_allows_scripts_by_a_fresh_nonce_only(browser: httpx.AsyncClient) -> None:
    first, second = await browser.get("/"), await browser.get("/")
    policy = _policy(first)
    nonces = set(re.findall(r'nonce="([^"]*)"', first.text))
    (nonce,) = nonces
    assert len(nonce) >= 22
    assert nonce not in second.text
    assert policy["script-src"] == f"'nonce-{nonce}' 'strict-dynamic'"
    assert policy["style-src"] == f"'self' 'nonce-{nonce}'"
    assert policy["default-src"] == policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert policy["connect-src"] == policy["form-action"] == "'self'"
    assert policy["img-src"] == "'self' blob: data:"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in first.headers["content-security-policy"]
    assert len(re.findall(r"<(?:script|link|meta)\b[^>]*nonce=", first.text)) == 4
    assert first.headers["cache-control"] == "no-store"
    assert first.headers["x-content-type-options"] == "nosniff"
    assert first.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    ("accepts", "encoding"),
    [
        ("br, gzip", "br"),
        ("gzip, deflate", "gzip"),
        ("gzip;q=1.0, br;q=0", "gzip"),
        ("gzip, br; q=0.5", "br"),
        ("identity", None),
        ("", None),
    ],
)
async def test_files_come_packed_as_the_browser_takes_them(
    browser: httpx.AsyncClient, accepts: str, encoding: str | None
) -> None:
    request = browser.build_request("GET", "/assets/index-1.js", headers={"Accept-Encoding": accepts})
    answer = await browser.send(request, stream=True)
    raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    assert answer.headers.get("content-encoding") == encoding
    assert {"br": b"brotli", "gzip": gzip.compress(SCRIPT), None: SCRIPT}[encoding][10:] == raw[10:]
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["vary"] == "Accept-Encoding"
    assert re.match(r"(text|application)/javascript", answer.headers["content-type"])


async def test_files_that_were_not_compressed_at_build_time_are_compressed_if_it_helps(
    browser: httpx.AsyncClient,
) -> None:
    sheet = await browser.get("/assets/plain-1.css", headers={"Accept-Encoding": "gzip"})
    assert sheet.headers["content-encoding"] == "gzip"
    assert sheet.content == b"a { color: red }" * 50
    picture = await browser.get("/assets/picture-1.png", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in picture.headers
    assert picture.headers["content-type"] == "image/png"


async def test_a_file_without_a_hash_in_its_name_is_asked_for_again(browser: httpx.AsyncClient) -> None:
    answer = await browser.get("/robots.txt")
    assert answer.headers["cache-control"] == "no-cache"
    again = await browser.get("/robots.txt", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/assets/none.js", "/assets/", "/assets", "/api/v1/none", "/api",
             "/assets/%2e%2e/%2e%2e/secret.key", "/livez/x", "/docs/x"],
)  # fmt: skip
async def test_what_belongs_to_others_is_not_answered_with_the_page(browser: httpx.AsyncClient, path: str) -> None:
    request = browser.build_request("GET", "http://docsieve/")
    request.url = request.url.copy_with(raw_path=path.encode())
    assert_problem(await browser.send(request), 404, "not_found")


async def test_methods_that_no_route_knows_stay_problems(browser: httpx.AsyncClient) -> None:
    assert_problem(await browser.post("/documents"), 404, "not_found")
    assert_problem(await browser.put("/api/v1/documents"), 405, "method_not_allowed")
    assert_problem(await browser.get("/api/v1/extractions/x/verify"), 405, "method_not_allowed")
    assert (await browser.head("/")).status_code == 200


async def test_without_a_build_the_page_says_how_to_make_one(api: Running, tmp_path: Path) -> None:
    api.app.router.default = Dashboard(tmp_path / "nothing", api.app.router.not_found)
    browser = await api.client(prefix="")
    answer = await browser.get("/")
    assert answer.status_code == 200
    assert "make up" in answer.text
    assert_problem(await browser.get("/assets/index-1.js"), 404, "not_found")


async def test_the_api_reference_runs_no_scripts_and_loads_nothing(api: Running) -> None:
    browser = await api.client(prefix="")
    answer = await browser.get("/docs")
    assert answer.status_code == 200
    assert "<script" not in answer.text
    assert re.findall(r'(?:src|href)="([^#][^"]*)"', answer.text) == ["/api/v1/openapi.json"]
    policy = _policy(answer)
    assert policy["default-src"] == "'none'"
    assert "script-src" not in policy
    assert "unsafe" not in answer.headers["content-security-policy"]
    for path in api.app.openapi()["paths"]:
        assert f"<code>{path}</code>" in answer.text
