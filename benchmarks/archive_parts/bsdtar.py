"""The reference: `bsdtar` of Debian's libarchive-tools, installed for the benchmark only."""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path


def install() -> str:
    """The program's path. Raises RuntimeError where it is missing and cannot be installed."""
    if shutil.which("bsdtar") is None and shutil.which("apt-get") is not None:
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "libarchive-tools"], check=False)
    found = shutil.which("bsdtar")
    if found is None:
        raise RuntimeError("bsdtar is not installed: it is in the package libarchive-tools")
    return found


def unpack_seconds(program: str, archive: Path, *, below: Path) -> float:
    """Unpack into a new folder and make it durable, as a store has to.

    The folder is left to be removed with `below`: for some minutes after many files were deleted, ext4 without a
    journal is many times slower at creating others, and that would be measured in the next round.
    """
    folder = tempfile.mkdtemp(dir=below)
    began = time.perf_counter()
    subprocess.run([program, "-xf", str(archive), "-C", folder], check=True)
    subprocess.run(["sync", "-f", folder], check=True)
    return time.perf_counter() - began
