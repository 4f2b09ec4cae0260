import asyncio
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from docsieve import faults
from docsieve.db.server.embedded import EmbeddedServer
from tests.cli.terminal import CommandLine, Ran
from tests.service import Service

WITH_OCR = {"DOCSIEVE_OCR_ENGINE": "tesseract"}
"""Examined sooner than all the backends of the usual engine."""


@pytest.fixture
def docsieve(docsieve: CommandLine) -> CommandLine:
    """Without OCR, which is a problem: to read a test page takes two seconds of processor time."""
    return replace(docsieve, environment={**docsieve.environment, "DOCSIEVE_OCR_ENGINE": "abbyy"})


def problems(ran: Ran) -> set[str]:
    """The checks that found a problem, other than that of OCR."""
    return {finding["check"] for finding in ran.json() if finding["level"] == "problem"} - {"OCR"}


def by_check(ran: Ran) -> dict[str, dict[str, Any]]:
    return {finding["check"]: finding for finding in ran.json()}


def execute(url: str, statement: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(statement)
        await connection.close()

    asyncio.run(run())


def test_a_healthy_service_has_no_problem(docsieve: CommandLine) -> None:
    ran = docsieve("doctor", "--json", **WITH_OCR)
    found = by_check(ran)
    assert ran.code == 0
    for check in (
        "settings", "database", "extension vector", "extension pg_trgm", "migrations", "transactions", "roles",
        "tenant isolation", "leases", "queue", "dead rows", "blob store", "API", "sandbox", "OCR",
        "secret key", "API key",
    ):  # fmt: skip
        assert found[check]["level"] == "ok", found[check]


def test_a_healthy_service_is_shown_with_its_only_problem(docsieve: CommandLine) -> None:
    ran = docsieve("doctor")
    assert ran.code == 1
    assert "✓" in ran.out
    assert [line.split()[1] for line in ran.out.splitlines() if "✗" in line] == ["OCR"]


def test_a_wrong_database_url_is_a_problem_with_its_remedy(docsieve: CommandLine) -> None:
    ran = docsieve("doctor", DOCSIEVE_DATABASE_URL="postgresql://someone:geheim@127.0.0.1:1/docsieve")
    assert ran.code == 1
    assert "✗  database" in ran.out
    assert "→ Start PostgreSQL, or fix the host and port in DOCSIEVE_DATABASE_URL." in ran.out
    assert "geheim" not in ran.out


def test_a_missing_database_is_a_problem_with_its_remedy(docsieve: CommandLine, postgres: str) -> None:
    url = postgres.replace("/docsieve?", "/nosuch?")
    ran = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL=url)
    found = by_check(ran)
    assert problems(ran) == {"database"}
    assert "nosuch" in found["database"]["reason"]
    assert found["database"]["remedy"].startswith("Create it")


def test_an_invalid_url_is_a_problem_and_is_not_repeated(docsieve: CommandLine) -> None:
    ran = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL="postgresql://someone:ge:heim/@host/db")
    assert by_check(ran)["database"]["level"] == "problem"
    assert "heim" not in ran.out


def test_an_empty_database_is_a_problem_until_it_is_migrated(
    docsieve: CommandLine, empty_database: Callable[[], str]
) -> None:
    url = empty_database()
    before = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL=url)
    assert "migrations" in problems(before)
    assert by_check(before)["migrations"]["remedy"] == "Run `docsieve migrate`."
    assert docsieve("migrate", DOCSIEVE_DATABASE_URL=url).code == 0
    after = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL=url)
    assert (problems(after), by_check(after)["migrations"]["level"]) == (set(), "ok")


def test_a_table_without_its_wall_and_a_lost_lease_are_problems(
    docsieve: CommandLine, new_database: Callable[[], str]
) -> None:
    url = new_database()
    execute(
        url,
        """
        alter table jobs no force row level security;
        insert into jobs (id, tenant_id, job_type, args, queue, turn, status, max_attempts, lock_expires_at)
        values (gen_random_uuid(), gen_random_uuid(), 'k', '{}', 'q', 0, 'processing', 1, now() - interval '1 minute');
        insert into jobs (id, tenant_id, job_type, args, queue, turn, status, max_attempts, created_at)
        values (gen_random_uuid(), gen_random_uuid(), 'k', '{}', 'q', 0, 'pending', 1, now() - interval '1 hour');
        """,
    )
    ran = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL=url)
    found = by_check(ran)
    assert (ran.code, problems(ran)) == (1, {"tenant isolation", "leases"})
    assert "alter table jobs enable row level security" in found["tenant isolation"]["remedy"]
    assert (found["leases"]["level"], found["leases"]["reason"]) == ("problem", "1 expired without being rescued")
    assert (found["queue"]["level"], "60 minutes in queue q" in found["queue"]["reason"]) == ("warning", True)


def test_a_blob_store_that_cannot_be_written_is_a_problem_with_its_remedy(
    docsieve: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    ran = docsieve("doctor", "--json", DOCSIEVE_BLOB_URL=(tmp_path / "file" / "blobs").as_uri())
    assert problems(ran) == {"blob store"}
    assert "set DOCSIEVE_BLOB_URL" in by_check(ran)["blob store"]["remedy"]


def test_a_setting_that_cannot_be_read_is_named(docsieve: CommandLine) -> None:
    ran = docsieve("doctor", "--json", DOCSIEVE_PORT="geheim")
    (finding,) = ran.json()
    assert (ran.code, finding["check"], finding["level"]) == (1, "settings", "problem")
    assert finding["reason"].startswith("DOCSIEVE_PORT: ")
    assert "geheim" not in ran.out


@pytest.mark.parametrize("command", ["up", "api", "worker", "migrate"])
def test_every_command_names_the_setting_that_cannot_be_read(docsieve: CommandLine, command: str) -> None:
    ran = docsieve(command, DOCSIEVE_LEASE_SECONDS="long")
    assert ran.code == 2
    assert ran.err.startswith("invalid_settings: DOCSIEVE_LEASE_SECONDS: ")


def test_what_may_be_guessed_or_does_not_answer_is_a_warning(docsieve: CommandLine) -> None:
    ran = docsieve("doctor", "--json", DOCSIEVE_API_KEY="secret", DOCSIEVE_URL="http://127.0.0.1:1")
    found = by_check(ran)
    assert problems(ran) == set()
    assert (found["API key"]["level"], found["API"]["level"]) == ("warning", "warning")


def test_without_a_database_nothing_is_made(docsieve: CommandLine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    ran = docsieve("doctor", "--json", DOCSIEVE_DATABASE_URL="", DOCSIEVE_DATA_DIR=str(data))
    assert (problems(ran), by_check(ran)["database"]["level"]) == (set(), "warning")
    assert not data.exists()


def test_a_directory_that_another_process_holds_is_a_problem_and_not_a_crash(
    docsieve: CommandLine, open_folder: Path, service: Service
) -> None:
    data = open_folder / "doctor-held"
    server = EmbeddedServer(data)
    server.start()
    settings = {"DOCSIEVE_DATABASE_URL": "", "DOCSIEVE_DATA_DIR": str(data)}
    try:
        attached = by_check(docsieve("doctor", "--json", **settings))
        assert attached["migrations"]["remedy"] == "Run `docsieve migrate`."
        # What the server records of itself goes, as it does at the start of a shutdown; its owner still holds the lock.
        (data / "postgres" / "postmaster.pid").rename(data / "postgres" / "aside")
        held = docsieve("doctor", "--json", **settings)
        assert problems(held) == {"database"}
        assert held.json()[1]["check"] == "database"
        assert held.json()[1]["remedy"].startswith("Wait until it has started")
    finally:
        (data / "postgres" / "aside").rename(data / "postgres" / "postmaster.pid")
        server.stop()
    temporary = by_check(docsieve("doctor", "--json", **settings))
    assert temporary["database"]["level"] == "ok"
    assert temporary["migrations"]["level"] == "problem"


def test_a_backend_that_dies_on_the_test_page_is_named_and_the_next_one_is_remembered(
    docsieve: CommandLine, tmp_path: Path
) -> None:
    settings = {"DOCSIEVE_OCR_ENGINE": "rapidocr", "DOCSIEVE_DATA_DIR": str(tmp_path)}

    ran = docsieve("doctor", "--json", **settings, **{faults.VARIABLE: faults.OCR_STEP})

    found = by_check(ran)["OCR"]
    chosen, _, tried = found["reason"].partition(" reads scans ")
    assert found["level"] == "ok" and chosen.startswith("openvino-")
    assert tried.startswith("(openvino: The sandboxed process was killed by signal 4.;")
    assert len(list(tmp_path.glob("ocr-*.json"))) == 1


def test_an_engine_that_is_not_there_is_a_problem_with_its_remedy(docsieve: CommandLine) -> None:
    found = by_check(docsieve("doctor", "--json", DOCSIEVE_OCR_ENGINE="abbyy"))["OCR"]

    assert found["level"] == "problem"
    assert "'abbyy'" in found["reason"] and "DOCSIEVE_OCR_ENGINE" in found["remedy"]


def test_a_package_whose_parser_cannot_be_loaded_is_named(docsieve: CommandLine, open_folder: Path) -> None:
    packages = Path(tempfile.mkdtemp(dir=open_folder))
    about = packages / "broken-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[docsieve.parsers]\nbroken = broken_parser:PARSER\n")
    (packages / "broken_parser.py").write_text("raise ValueError('no license for this parser')\n")
    for each in (packages, about, *about.iterdir(), packages / "broken_parser.py"):
        each.chmod(0o755)

    found = by_check(docsieve("doctor", "--json", PYTHONPATH=str(packages)))["sandbox"]

    assert found["level"] == "problem"
    assert found["reason"].startswith("warm up: ValueError: no license for this parser (in ")
    assert found["reason"].endswith("broken_parser.<module>)")
