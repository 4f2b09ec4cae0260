"""What `docsieve doctor` looks at beside the database."""

import asyncio
import resource
import shutil
from pathlib import Path

import httpx

from docsieve.blobs.registry import open_store
from docsieve.cli.console.configuration import server_url
from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.disk import require_room_for_work
from docsieve.errors import DiskFull, DocsieveError
from docsieve.sealing import open_sealer
from docsieve.settings import Settings

_LEAST_FREE_BYTES = 5 * 1024**3
_LEAST_FREE_SHARE = 0.1
_LEAST_OPEN_FILES = 1024
_SHORTEST_KEY = 24
_BLOB_SECONDS = 30.0
_API_SECONDS = 5.0


async def blob_store(settings: Settings) -> Finding:
    check = "blob store"
    where = settings.blob_url.partition("://")[0] + "://" if settings.blob_url else str(settings.data_dir / "blobs")
    if settings.blob_url is None and not (settings.data_dir / "blobs").exists():
        # Made here, the folder might belong to another account than the one the server runs as.
        return doubtful(check, f"there is no {where} yet", "The first start of `docsieve up` makes it.")
    remedy = "Let the account that runs Docsieve write there, or set DOCSIEVE_BLOB_URL to a store it can use."
    try:
        store = open_store(settings.blob_location)
        try:
            async with asyncio.timeout(_BLOB_SECONDS):
                await store.check()
        finally:
            await store.close()
    except TimeoutError:
        return bad(check, f"{where} did not answer within {_BLOB_SECONDS:.0f} s", remedy)
    except DocsieveError as error:
        return bad(check, f"{where}: {error.detail}", remedy)
    return good(check, f"{where} can be written and read")


async def api(settings: Settings) -> Finding:
    check, url = "API", server_url(settings)
    try:
        async with httpx.AsyncClient(timeout=_API_SECONDS) as client:
            response = await client.get(f"{url}/readyz")
    except (httpx.RequestError, httpx.InvalidURL) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        return doubtful(check, f"no answer from {url} ({why})", "Start `docsieve up`, or set DOCSIEVE_URL.")
    if response.status_code in (httpx.codes.OK, httpx.codes.UNAUTHORIZED):
        return good(check, f"{url} answers")
    return doubtful(check, f"{url}/readyz answers {response.status_code}", "Look at the log of `docsieve api`.")


def disk(settings: Settings) -> Finding:
    folder = settings.data_dir.absolute()
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    reason = f"{usage.free / 1024**3:.1f} GB free under {settings.data_dir} ({usage.free / usage.total:.0%})"
    try:
        require_room_for_work(settings)
    except DiskFull as error:
        return bad("disk", error.detail, "Free some space: uploads are refused, and documents wait to be read.")
    if usage.free < _LEAST_FREE_BYTES or usage.free < _LEAST_FREE_SHARE * usage.total:
        return doubtful("disk", reason, "Free some, or move DOCSIEVE_DATA_DIR: a full disk stops uploads.")
    return good("disk", reason)


def secret_key(settings: Settings) -> Finding:
    check, path = "secret key", settings.data_dir / "secret.key"
    if settings.secret_key is None and not path.exists():
        return doubtful(check, f"there is no {path} yet", "The first start makes it; or set DOCSIEVE_SECRET_KEY.")
    try:
        open_sealer(settings)
    except (DocsieveError, OSError) as error:
        reason = error.detail if isinstance(error, DocsieveError) else f"{path}: {error.strerror}"
        return bad(check, reason, "Restore it from a backup: passwords sealed with it cannot be read without it.")
    if settings.secret_key is not None:
        return good(check, "from DOCSIEVE_SECRET_KEY")
    return _private(check, path)


def _private(check: str, path: Path) -> Finding:
    if path.stat().st_mode & 0o077:
        return doubtful(check, f"others can read {path}", f"Run `chmod 600 {path}`.")
    return good(check, f"from {path}")


def open_files() -> Finding:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < _LEAST_OPEN_FILES:
        return doubtful("open files", f"at most {soft}", f"Raise the limit: `ulimit -n {_LEAST_OPEN_FILES}` or more.")
    return good("open files", "no limit" if soft == resource.RLIM_INFINITY else f"at most {soft}")


def api_key(settings: Settings) -> Finding:
    if settings.api_key is None:
        return good("API key", "DOCSIEVE_API_KEY is not set; keys are in the database")
    length = len(settings.api_key.get_secret_value())
    if length < _SHORTEST_KEY:
        return doubtful(
            "API key",
            f"DOCSIEVE_API_KEY has {length} characters and may be guessed",
            "Unset it and run `docsieve keys create`, or set one of `openssl rand -hex 24`.",
        )
    return good("API key", f"DOCSIEVE_API_KEY has {length} characters")
