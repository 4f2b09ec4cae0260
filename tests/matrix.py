"""`make test-matrix`: the tests of the service on every kind of database, pooler, dispatcher and blob store.

Starts what a column needs, runs each suite with the variables of `tests.backends`, and prints a table at the end.
`ARGS="pgbouncer redis"` runs some of the columns, and `ARGS="--suites queue,jobs s3"` some of the suites.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from docsieve.db.server.embedded import EmbeddedServer
from tests.backends import REDIS_DATABASES
from tests.emulators.stores import emulator
from tests.pgbouncer import pgbouncer
from tests.postgres_server import PostgresServer
from tests.redis_server import RedisServer

SUITES: Mapping[str, Sequence[str]] = {
    "queue": ["tests/queue", "--ignore=tests/queue/redis"],
    "db": ["tests/db/queue", "tests/db/documents", "tests/db/events", "tests/db/test_walls.py", "tests/db/index"],
    "api": [
        "tests/api/routes/documents/test_uploads.py",
        "tests/api/routes/test_jobs.py",
        "tests/api/test_lists.py",
    ],
    "jobs": ["tests/jobs/test_extract.py", "tests/jobs/unpack_archive"],
    "acceptance": ["tests/acceptance/test_archives_and_batches.py", "tests/acceptance/test_cleanups.py"],
    "faults": ["tests/faults/test_workers.py", "tests/faults/test_maintenance.py"],
}
ALL = tuple(SUITES)
WITH_SERVICES = ("api", "jobs", "acceptance", "faults")

Variables = dict[str, str]


@contextmanager
def _embedded(folder: Path) -> Iterator[Variables]:
    yield {}


@contextmanager
def _external(folder: Path) -> Iterator[Variables]:
    """`TEST_DATABASE_URL` of the caller, or a server of `TEST_POSTGRES_PROGRAMS`, or one of the embedded programs."""
    if "TEST_DATABASE_URL" in os.environ:
        yield {"TEST_DATABASE_URL": os.environ["TEST_DATABASE_URL"]}
        return
    programs = os.environ.get("TEST_POSTGRES_PROGRAMS")
    server = PostgresServer(folder, programs=Path(programs) if programs else None)
    server.create()
    server.start()
    print(f"external: {server.ask('select version()')}", flush=True)
    yield {"TEST_DATABASE_URL": server.url()}
    server.stop()


@contextmanager
def _pgbouncer(folder: Path) -> Iterator[Variables]:
    server = EmbeddedServer(folder / "server", parameters={"fsync": "off"})
    url = server.start()
    with pgbouncer(folder, url, default_pool_size=20, max_db_connections=40) as pooler_url:
        yield {"TEST_DATABASE_URL": url, "TEST_POOLER_URL": pooler_url}
    server.stop()


@contextmanager
def _redis(folder: Path) -> Iterator[Variables]:
    with RedisServer(databases=REDIS_DATABASES) as server:
        yield {"TEST_REDIS_URL": server.url.rpartition("/")[0]}


@contextmanager
def _bucket(scheme: str, folder: Path) -> Iterator[Variables]:
    with emulator(scheme, folder) as store:
        yield {**store.environment(), "TEST_BLOB_URL": f"{scheme}://{store.create_bucket()}"}


@dataclass(frozen=True)
class Column:
    """The parts to start for it, each in a folder, and the suites for which they matter."""

    parts: Sequence[Callable[[Path], AbstractContextManager[Variables]]]
    suites: Sequence[str]


COLUMNS: Mapping[str, Column] = {
    "embedded": Column([_embedded], ALL),
    "external": Column([_external], ALL),
    "pgbouncer": Column([_pgbouncer], ALL),
    "redis": Column([_redis], ALL),
    "redis+pgbouncer": Column([_pgbouncer, _redis], ALL),
    "s3": Column([partial(_bucket, "s3")], WITH_SERVICES),
    "azure": Column([partial(_bucket, "az")], WITH_SERVICES),
    "gcs": Column([partial(_bucket, "gs")], WITH_SERVICES),
}


@dataclass(frozen=True)
class Outcome:
    passed: int
    failed: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.seconds:.0f} s"


def run_column(name: str, suites: Sequence[str]) -> dict[str, Outcome]:
    column = COLUMNS[name]
    outcomes = {}
    with ExitStack() as stack:
        variables: Variables = {}
        for part in column.parts:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="docsieve-matrix-")))
            folder.chmod(0o755)
            variables |= stack.enter_context(part(folder))
        for suite in suites:
            if suite in column.suites:
                print(f"== {name}: {suite}", flush=True)
                outcomes[suite] = _run(SUITES[suite], variables)
    return outcomes


def _run(paths: Sequence[str], variables: Variables) -> Outcome:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        options = ["-q", "-m", "not slow", "-p", "no:cacheprovider", f"--junit-xml={report}"]
        begun = time.monotonic()
        subprocess.run([sys.executable, "-m", "pytest", *options, *paths], env={**os.environ, **variables}, check=False)
        seconds = time.monotonic() - begun
        if not report.exists():
            return Outcome(0, 1, seconds)
        [counts] = ElementTree.parse(report).getroot().iter("testsuite")
        number = {key: int(counts.attrib[key]) for key in ("tests", "failures", "errors", "skipped")}
        failed = number["failures"] + number["errors"]
        return Outcome(number["tests"] - failed - number["skipped"], failed, seconds)


def _print_table(outcomes: Mapping[str, Mapping[str, Outcome]]) -> None:
    print(f"\n| | {' | '.join(SUITES)} |")
    print(f"|---|{'---|' * len(SUITES)}")
    for name, by_suite in outcomes.items():
        print(f"| {name} | {' | '.join(str(by_suite.get(suite, '–')) for suite in SUITES)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("columns", nargs="*", choices=[[], *COLUMNS], default=[])
    parser.add_argument("--suites", default=",".join(SUITES))
    chosen = parser.parse_args()
    suites = chosen.suites.split(",")
    if unknown := set(suites) - SUITES.keys():
        parser.error(f"unknown suites: {', '.join(sorted(unknown))}; there are {', '.join(SUITES)}")
    outcomes = {name: run_column(name, suites) for name in chosen.columns or COLUMNS}
    _print_table(outcomes)
    sys.exit(any(outcome.failed for by_suite in outcomes.values() for outcome in by_suite.values()))


if __name__ == "__main__":
    main()
