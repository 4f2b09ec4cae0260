"""Checks of `docsieve doctor` outside the database."""

import asyncio
import resource
import shutil
from pathlib import Path

import httpx

from docsieve.blobs.registry import open_store
from docsieve.cli.console.configuration import server_url
from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.disk import require_room_for_work
from docsieve.engines.registry import found_engines
from docsieve.errors import DiskFull, DocsieveError
from docsieve.errors.blobs import BlobStoreDenied
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.sealer import open_sealer
from docsieve.settings import Settings
from docsieve.tasks import registry
from docsieve.tasks.probe import ProbeLoading

_MIN_FREE_BYTES = 5 * 1024**3
_MIN_FREE_SHARE = 0.1
_MIN_OPEN_FILES = 1024
_MIN_KEY_LENGTH = 24
_BLOB_SECONDS = 30.0
_API_SECONDS = 5.0
_LOADING_SECONDS = 60
_CREDENTIALS = (
    "Check the credentials in the environment (AWS_*, AZURE_* or GOOGLE_*), that they may read, write, list and delete "
    "there, and the clock of this machine."
)


async def blob_store(settings: Settings) -> Finding:
    check = "blob store"
    where = settings.blob_url.partition("://")[0] + "://" if settings.blob_url else str(settings.data_dir / "blobs")
    if settings.blob_url is None and not (settings.data_dir / "blobs").exists():
        # Not created here, because it might then belong to a different account than the server's.
        return doubtful(check, f"{where} does not exist yet", "The first start of `docsieve up` creates it.")
    remedy = "Give the account that runs Docsieve write access, or set DOCSIEVE_BLOB_URL to a different store."
    try:
        store = open_store(settings.blob_location)
        try:
            async with asyncio.timeout(_BLOB_SECONDS):
                await store.check()
        finally:
            await store.close()
    except TimeoutError:
        return bad(check, f"{where} did not respond within {_BLOB_SECONDS:.0f} s", remedy)
    except BlobStoreDenied as error:
        return bad(check, f"{where}: {error.detail}", _CREDENTIALS)
    except DocsieveError as error:
        return bad(check, f"{where}: {error.detail}", remedy)
    return good(check, f"{where} is readable and writable")


def engines() -> Finding:
    found = found_engines()
    if not found.broken:
        return good("engines", f"loaded: {', '.join(found.working)}")
    reasons = "; ".join(f"{name}: {reason}" for name, reason in found.broken.items())
    return bad("engines", f"cannot be loaded: {reasons}", "Repair or uninstall the package, then restart the server.")


async def api(settings: Settings) -> Finding:
    check, url = "API", server_url(settings)
    try:
        async with httpx.AsyncClient(timeout=_API_SECONDS) as client:
            response = await client.get(f"{url}/readyz")
    except (httpx.RequestError, httpx.InvalidURL) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        return doubtful(check, f"no response from {url} ({why})", "Start `docsieve up`, or set DOCSIEVE_URL.")
    if response.status_code in (httpx.codes.OK, httpx.codes.UNAUTHORIZED):
        return good(check, f"{url} responds")
    return doubtful(check, f"{url}/readyz responds with {response.status_code}", "Check the log of `docsieve api`.")


async def sandbox(settings: Settings) -> Finding:
    """Whether documents can be read at all: a process in which they are read starts and has what it needs."""
    check = "sandbox"
    limits = Limits(settings.parser_memory_mb, wall_seconds=_LOADING_SECONDS, cpu_seconds=_LOADING_SECONDS)
    try:
        async with Sandbox(limits, tasks=registry, children=1) as children:
            problem = (await children.run(ProbeLoading())).problem
    except DocsieveError as error:
        problem = error.detail
    if problem is None:
        return good(check, "a sandboxed process starts and loads all parsers and the local engine")
    return bad(check, problem, "Install Docsieve again, with its dependencies, and check the packages with parsers.")


def disk(settings: Settings) -> Finding:
    folder = settings.data_dir.absolute()
    while not folder.exists():
        folder = folder.parent
    usage = shutil.disk_usage(folder)
    reason = f"{usage.free / 1024**3:.1f} GB free under {settings.data_dir} ({usage.free / usage.total:.0%})"
    try:
        require_room_for_work(settings)
    except DiskFull as error:
        return bad("disk", error.detail, "Free some space. Uploads are rejected and documents wait until then.")
    if usage.free < _MIN_FREE_BYTES or usage.free < _MIN_FREE_SHARE * usage.total:
        return doubtful("disk", reason, "Free some space or move DOCSIEVE_DATA_DIR. A full disk stops uploads.")
    return good("disk", reason)


def secret_key(settings: Settings) -> Finding:
    check, path = "secret key", settings.data_dir / "secret.key"
    if settings.secret_key is None and not path.exists():
        return doubtful(check, f"{path} does not exist yet", "The first start creates it, or set DOCSIEVE_SECRET_KEY.")
    try:
        open_sealer(settings)
    except (DocsieveError, OSError) as error:
        reason = error.detail if isinstance(error, DocsieveError) else f"{path}: {error.strerror}"
        return bad(check, reason, "Restore it from a backup. Stored passwords cannot be decrypted without it.")
    if settings.secret_key is not None:
        return good(check, "from DOCSIEVE_SECRET_KEY")
    return _private(check, path)


def _private(check: str, path: Path) -> Finding:
    if path.stat().st_mode & 0o077:
        return doubtful(check, f"other users can read {path}", f"Run `chmod 600 {path}`.")
    return good(check, f"from {path}")


def open_files() -> Finding:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < _MIN_OPEN_FILES:
        return doubtful("open files", f"at most {soft}", f"Raise the limit: `ulimit -n {_MIN_OPEN_FILES}` or more.")
    return good("open files", "no limit" if soft == resource.RLIM_INFINITY else f"at most {soft}")


def api_key(settings: Settings) -> Finding:
    if settings.api_key is None:
        return good("API key", "DOCSIEVE_API_KEY is not set; only keys in the database are valid")
    length = len(settings.api_key.get_secret_value())
    if length < _MIN_KEY_LENGTH:
        return doubtful(
            "API key",
            f"DOCSIEVE_API_KEY has {length} characters and might be guessed",
            "Unset it and run `docsieve keys create`, or generate one with `openssl rand -hex 24`.",
        )
    return good("API key", f"DOCSIEVE_API_KEY has {length} characters")
