"""The client: `wrk` of Debian, installed for the benchmark only. A client in Python costs what a server does."""

import asyncio
import re
import shutil
import subprocess
from dataclasses import dataclass

SECONDS = 3
_UNITS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


@dataclass(frozen=True)
class Measured:
    """Requests answered per second, the slowest hundredth in milliseconds, and how many failed or timed out."""

    rate: float
    p99_ms: float
    failed: int


def install() -> str:
    """The program's path. Raises RuntimeError where it is missing and cannot be installed."""
    if shutil.which("wrk") is None and shutil.which("apt-get") is not None:
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "wrk"], check=False)
    found = shutil.which("wrk")
    if found is None:
        raise RuntimeError("wrk is not installed: it is in the package wrk")
    return found


async def measure(program: str, url: str, *, connections: int, headers: dict[str, str] | None = None) -> Measured:
    command = [program, "-t1", f"-c{connections}", f"-d{SECONDS}", "--timeout", "10s", "--latency"]
    for name, value in (headers or {}).items():
        command += ["-H", f"{name}: {value}"]
    process = await asyncio.create_subprocess_exec(*command, url, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    text = output.decode()
    rate, slowest = re.search(r"Requests/sec:\s+([\d.]+)", text), re.search(r"99%\s+([\d.]+)(us|ms|s|m)", text)
    if rate is None or slowest is None:
        raise RuntimeError(f"wrk printed no result:\n{text}")
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    errors = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
    failed = (int(refused[1]) if refused else 0) + (sum(map(int, errors.groups())) if errors else 0)
    return Measured(float(rate[1]), float(slowest[1]) * _UNITS[slowest[2]], failed)
