"""The metrics of several processes on one page, exchanged through small files in one folder.

Not by the client library's memory-mapped files: writing to one of those on a full disk kills the process by SIGBUS.
Here a write that fails is logged, and the next one may succeed.
"""

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

from docsieve import faults
from docsieve.logs import get_logger

log = get_logger()

PREFIX = "docsieve_"
_PAUSE_SECONDS = 1.0
_SUFFIX = ".prom"


class _Families(Collector):
    """Families as they are, for a registry of one scrape."""

    def __init__(self, families: Iterable[Metric]) -> None:
        self._families = list(families)

    def collect(self) -> Iterator[Metric]:
        yield from self._families


def render(families: Iterable[Metric]) -> bytes:
    """The text that Prometheus reads."""
    registry = CollectorRegistry()
    registry.register(_Families(families))
    return generate_latest(registry)


@contextmanager
def published(folder: Path | None) -> Iterator[None]:
    """Write what this process has counted into the folder once a second, and once more at the end."""
    if folder is None:
        yield
        return
    ended = threading.Event()

    def repeat() -> None:
        while not ended.wait(_PAUSE_SECONDS):
            publish(folder)

    thread = threading.Thread(target=repeat, name="metrics", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        publish(folder)


def publish(folder: Path) -> None:
    file = folder / f"{_identity(os.getpid())}{_SUFFIX}"
    aside = file.with_suffix(f".{threading.get_ident()}")
    try:
        aside.write_bytes(render(_own()))
        aside.replace(file)
        faults.signal("metrics.published")
    except OSError as error:
        log.warning("metrics_not_written", error=error.strerror)
        aside.unlink(missing_ok=True)


def gather(folder: Path | None) -> list[Metric]:
    """Each family of ours once: this process as it is now, with the others as they last wrote. Blocks."""
    if folder is None:
        return _own()
    # a published value must still count if this process is killed, or the sum would look as if it had been reset
    publish(folder)
    merged = _Merged()
    merged.add(render(_own()), alive=True)
    own = _identity(os.getpid())
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        if file.stem != own:
            merged.add(file.read_bytes(), alive=_alive(file.stem))
    return merged.families()


def _own() -> list[Metric]:
    return [family for family in REGISTRY.collect() if family.name.startswith(PREFIX)]


class _Merged:
    """Families added up sample by sample."""

    def __init__(self) -> None:
        self._families: dict[str, Metric] = {}
        self._values: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], float]] = {}

    def add(self, page: bytes, *, alive: bool) -> None:
        for family in text_string_to_metric_families(page.decode()):
            if family.type == "gauge" and not alive:
                continue
            self._families.setdefault(family.name, family)
            values = self._values.setdefault(family.name, {})
            for sample in family.samples:
                series = sample.name, tuple(sorted(sample.labels.items()))
                values[series] = values.get(series, 0.0) + sample.value

    def families(self) -> list[Metric]:
        found = []
        for name, first in self._families.items():
            family = Metric(name, first.documentation, first.type)
            family.samples = [
                Sample(sample, dict(labels), value) for (sample, labels), value in self._values[name].items()
            ]
            found.append(family)
        return found


def _identity(pid: int) -> str:
    """A process by its id and the moment it started, because ids are used again."""
    return f"{pid}-{Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]}"


def _alive(identity: str) -> bool:
    try:
        return _identity(int(identity.partition("-")[0])) == identity
    except (FileNotFoundError, ProcessLookupError):
        return False
