"""`docsieve backup` while a service runs, and `docsieve restore` on another machine."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
import zstandard

from docsieve.domain.ids import new_id
from tests import backends
from tests.cli.backup.conftest import Installation
from tests.cli.terminal import CommandLine
from tests.service import Service

MARKER = b"zqxmarker"
_URL = "DOCSIEVE_DATABASE_URL"
_OF_AN_INSTALLATION = (_URL, "DOCSIEVE_DATABASE_DIRECT_URL", "DOCSIEVE_DATA_DIR", "DOCSIEVE_BLOB_URL")
TEXT = b"Invoice " + MARKER + b"\nTotal 12.00 EUR\n"


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def _uploaded(service: Service, *contents: bytes) -> list[str]:
    answers = [service.upload(content, f"{number}.txt") for number, content in enumerate(contents)]
    documents = [answer.raise_for_status().json()["id"] for answer in answers]
    for document in documents:
        assert service.settled(document)["status"] == "ready"
    return documents


def test_an_encrypted_backup_is_restored_on_an_empty_machine(
    service: Service, running: Installation, empty: Installation, tmp_path: Path, start_service: Callable[..., Service]
) -> None:
    service.api()
    service.worker()
    first, second = _uploaded(service, TEXT, b"A letter.\n")
    key = tmp_path / "backup.key"
    key.write_bytes(os.urandom(32))

    assert "and the database" in running.backup("--key", f"file:{key}").out
    written = b"".join(path.read_bytes() for path in _files(running.place))
    assert MARKER not in written and first.encode() not in written

    assert empty.restore("--key", f"file:{key}", "--verify").code == 0
    restored = empty.restore("--key", f"file:{key}")
    assert (restored.code, restored.err) == (0, "")
    assert "4 files" in restored.out
    for process in service.processes:
        process.kill()

    copy = start_service(**{name: empty.environment.get(name, "") for name in _OF_AN_INSTALLATION})
    copy.api()
    copy.worker()
    assert copy.client.get(f"/documents/{first}/file").content == TEXT
    assert MARKER.decode() in copy.client.get(f"/documents/{first}/text").text
    assert [each["id"] for each in copy.client.get("/documents").json()["documents"]] == [second, first]
    _uploaded(copy, b"Uploaded after the restore.\n")


def test_only_new_files_are_copied_and_old_backups_can_be_removed(service: Service, running: Installation) -> None:
    service.api()
    service.worker()
    _, deleted = _uploaded(service, TEXT, b"A letter.\n")
    [before] = running.backup("--json").json()
    assert before["all_files"] == before["new_files"]

    service.client.delete(f"/documents/{deleted}").raise_for_status()
    [same] = running.backup("--json").json()
    assert same["new_files"]["files"] == 0 and same["all_files"]["files"] == 2

    _uploaded(service, b"Another letter.\n")
    [last] = running.backup("--keep", 1, "--json").json()
    assert last["new_files"]["files"] == 2 and last["all_files"]["files"] == 4
    listed = running.restore("--list", "--json").json()
    assert [each["id"] for each in listed] == [last["id"]]
    assert len(_files(running.place / "objects")) == 4
    assert not any(deleted.encode() in path.read_bytes() for path in _files(running.place))
    assert running.restore("--verify").code == 0


@pytest.mark.parametrize("damage", ["altered", "missing"])
def test_a_damaged_backup_restores_nothing_unless_asked_to(
    service: Service, running: Installation, empty: Installation, damage: str
) -> None:
    service.api()
    first, _ = [service.upload(content).json()["id"] for content in (TEXT, b"A letter.\n")]
    running.backup()
    [original] = [path for path in _files(running.place / "objects") if path.read_bytes() == TEXT]
    original.write_bytes(TEXT[:-2] + b"!\n") if damage == "altered" else original.unlink()

    verified = empty.restore("--verify")
    assert verified.code == 1 and "backup_damaged: Missing or altered: documents/" in verified.err
    assert first in verified.err
    refused = empty.restore()
    assert refused.code == 1 and "1 of 2 files" in refused.err

    restored = empty.restore("--skip-damaged")
    assert restored.code == 0 and first in restored.out


def test_an_altered_dump_is_not_loaded(service: Service, running: Installation, empty: Installation) -> None:
    service.api()
    running.backup()
    [dump] = running.place.glob("backups/*/database")
    content = dump.read_bytes()
    dump.write_bytes(zstandard.compress(b"create table planted (id int);"))

    assert "backup_damaged: database was altered" in empty.restore().err
    dump.write_bytes(content)
    assert empty.restore().code == 0


def test_mistakes_are_refused_with_a_reason(
    service: Service, running: Installation, empty: Installation, tmp_path: Path
) -> None:
    service.api()
    assert "backup_not_found" in running.restore("--list").err
    first, second = tmp_path / "first.key", tmp_path / "second.key"
    for key in (first, second):
        key.write_bytes(os.urandom(32))
    assert running.backup("--key", f"file:{first}").code == 0

    assert "backup_key_missing" in running.backup().err
    assert "backup_key_wrong" in running.backup("--key", f"file:{second}").err
    assert "backup_key_missing" in empty.restore().err
    assert "backup_key_wrong" in empty.restore("--key", f"file:{second}").err
    assert "There is no backup 2001" in empty.restore("--key", f"file:{first}", "--backup", "2001").err
    assert "restore_target_not_empty" in running.restore("--key", f"file:{first}").err
    inside = Installation(running.environment, service.data_dir / "backups")
    assert "inside DOCSIEVE_DATA_DIR" in inside.backup().err
    assert "write each one as env:NAME" in running.backup("--key", "secret").err
    assert "is not a folder" in Installation(running.environment, tmp_path / "none").restore().err
    assert "is empty, so there is nothing" in empty.backup().err


def test_one_place_holds_the_backups_of_one_installation(
    service: Service, running: Installation, new_database: Callable[[], str]
) -> None:
    service.api()
    running.backup()
    other = Installation({**running.environment, **backends.service_settings(new_database())}, running.place)
    assert "nothing to back up" in other.backup().err
    CommandLine(other.environment)("keys", "create")

    assert "backup_of_other" in other.backup().err
    assert len(running.restore("--list", "--json").json()) == 1


def test_an_owner_without_any_power_restores_and_backs_up(
    service: Service, running: Installation, empty: Installation, administer: Callable[[str], None], tmp_path: Path
) -> None:
    service.api()
    document = service.upload(TEXT).json()["id"]
    running.backup()
    owner = f"owner_{new_id().hex}"
    administer(f"create role {owner} login nosuperuser nobypassrls nocreaterole")
    administer(f"grant docsieve_app, docsieve_system to {owner}")
    owned = asyncio.run(_handed_over(empty, owner))

    assert owned.restore().err == ""

    again = Installation(owned.environment, tmp_path / "again")
    [made] = again.backup("--json").json()
    assert made["all_files"]["files"] == 1
    dump = (
        zstandard.ZstdDecompressor()
        .decompressobj()
        .decompress(next(again.place.glob("backups/*/database")).read_bytes())
    )
    assert f"\n{document}\t".encode() in dump


async def _handed_over(installation: Installation, owner: str) -> Installation:
    """The same, for an owner of the database who may do no more than that."""
    url = installation.environment.get("DOCSIEVE_DATABASE_DIRECT_URL") or installation.environment[_URL]
    connection = await asyncpg.connect(url)
    for each in ("vector", "pg_trgm", "btree_gin"):
        await connection.execute(f"create extension {each}")
    await connection.execute(f"alter database {urlsplit(url).path.strip('/')} owner to {owner}")
    await connection.close()
    own_url = url.replace("postgres@", f"{owner}@")
    return Installation({**installation.environment, _URL: own_url}, installation.place)
