"""How much memory one large upload costs the server that takes it."""

import json
import re
from contextlib import suppress
from pathlib import Path

import httpx

from benchmarks.uploads.sending import LINE, Sender
from benchmarks.uploads.serving import KEY, Served

LARGE_BYTES = 1024**3
SMALL_BYTES = 1024**2


async def growth_mb(served: Served) -> float:
    """The peak while a gigabyte passes through, above what the process holds after a small upload."""
    sender = Sender(served.port, served.path, KEY, LINE)
    await _send_and_delete(sender, SMALL_BYTES)
    before = kilobytes(served.pid, "VmRSS")
    reset_peak(served.pid)
    await _send_and_delete(sender, LARGE_BYTES)
    return (kilobytes(served.pid, "VmHWM") - before) / 1024


async def _send_and_delete(sender: Sender, size: int) -> None:
    document = json.loads(await sender.stream(size))
    if document["size"] != size:
        raise RuntimeError(f"{document['size']} bytes arrived of {size}")
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=60) as client:
        url = f"http://127.0.0.1:{sender.port}{sender.path}/{document['id']}"
        (await client.delete(url)).raise_for_status()


def reset_peak(pid: int) -> None:
    # Where the kernel does not let us reset the peak, an earlier one can only make the figure larger.
    with suppress(PermissionError):
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def kilobytes(pid: int, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1])
