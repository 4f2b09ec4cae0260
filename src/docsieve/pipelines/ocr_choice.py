"""The probe results of this machine's OCR backends, remembered in a file until machine, CPU or libraries change."""

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from docsieve.logs import get_logger

log = get_logger()

FALLBACK = "tesseract"

_LIBRARIES = ("docsieve", "openvino", "onnxruntime", "rapidocr", "tesserocr")
_CPU_FACTS = {"vendor_id", "cpu family", "model", "model name", "stepping", "flags"}
_CPU_FACTS |= {"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features"}
_MAX_FILES = 20
_RETRY_AFTER_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Probed:
    """The result of one backend, or of Tesseract: the `seconds` that the test page took, or the `problem`."""

    name: str
    seconds: float | None
    problem: str | None = None

    @property
    def works(self) -> bool:
        return self.problem is None


@dataclass(frozen=True, slots=True)
class Choice:
    """The probe results, in the order of the ladder."""

    probed: Sequence[Probed]

    @property
    def name(self) -> str | None:
        """The backend to use; None if nothing works."""
        return next((name for name in self.usable if self._works(name)), None)

    @property
    def usable(self) -> list[str]:
        """All that may be tried on a document: the fastest first, Tesseract last even if it was not probed."""
        fast = sorted((each.seconds or 0.0, each.name) for each in self.probed if each.works and each.name != FALLBACK)
        hopeless = any(each.name == FALLBACK and not each.works for each in self.probed)
        return [*(name for _, name in fast), *([] if hopeless else [FALLBACK])]

    def _works(self, name: str) -> bool:
        return any(each.name == name and each.works for each in self.probed)


def recall(folder: Path) -> Choice | None:
    """The choice that was saved on this machine; None if there is no valid file.

    A result in which only Tesseract works, or nothing, is used for an hour: the machine may have been too busy.
    """
    try:
        path = _path(folder)
        stored, age = json.loads(path.read_bytes()), time.time() - path.stat().st_mtime
        if stored["machine"] != _machine():
            return None
        choice = Choice([_checked(each) for each in stored["probed"]])
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return None if choice.name in (None, FALLBACK) and age > _RETRY_AFTER_SECONDS else choice


def remember(folder: Path, choice: Choice) -> bool:
    """Whether it was saved. If the folder cannot be written, that is logged and the next process probes again."""
    content = json.dumps({"machine": _machine(), "probed": [asdict(each) for each in choice.probed]}, indent=1)
    try:
        with tempfile.NamedTemporaryFile("w", dir=folder, prefix="ocr-", suffix=".new", delete=False) as file:
            file.write(content)
        os.chmod(file.name, 0o644)
        os.replace(file.name, _path(folder))
        for old in sorted(folder.glob("ocr-*.json"), key=lambda path: path.stat().st_mtime)[:-_MAX_FILES]:
            old.unlink(missing_ok=True)
    except OSError as error:
        log.warning("ocr_backend_not_remembered", folder=str(folder), reason=error.strerror)
        return False
    return True


def has_amx() -> bool:
    return any(flag.startswith("amx") for flag in str(_cpu().get("flags", "")).split())


def _checked(stored: dict[str, Any]) -> Probed:
    match stored:
        case {"name": str(name), "seconds": float() | int() | None as seconds, "problem": str() | None as problem}:
            return Probed(name, seconds, problem)
    raise ValueError("not a probe of ours")


def _path(folder: Path) -> Path:
    key = hashlib.sha256(json.dumps(_machine(), sort_keys=True).encode()).hexdigest()[:16]
    return folder / f"ocr-{key}.json"


@cache
def _machine() -> dict[str, Any]:
    system = os.uname()
    libraries = {name: _version(name) for name in _LIBRARIES}
    return {"host": system.nodename, "kernel": system.release, "cpu": _cpu(), "libraries": libraries}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


@cache
def _cpu() -> dict[str, str]:
    try:
        first, _, _ = Path("/proc/cpuinfo").read_text().partition("\n\n")
    except OSError:
        return {"machine": os.uname().machine}
    facts = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in facts if name.strip() in _CPU_FACTS}
