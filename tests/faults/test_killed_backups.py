"""kill -9 at every step of a backup and a restore: what counts as a backup is whole, and a restore can be repeated."""

from pathlib import Path

from docsieve.faults import STEPS as ALL_STEPS
from tests.cli.backup.conftest import Installation, empty, running  # noqa: F401 fixtures
from tests.cli.terminal import CommandLine, Ran
from tests.service import Service

BACKUP_STEPS = [step for step in ALL_STEPS if step.startswith("backup.")]
RESTORE_STEPS = [step for step in ALL_STEPS if step.startswith("restore.")]
DOCUMENTS = 20


def _killed(installation: Installation, command: str, step: str) -> None:
    ran = CommandLine(installation.environment).as_process(command, installation.place, DOCSIEVE_FAULT=step)
    assert ran.code == -9, ran.err


def _run(installation: Installation, command: str) -> Ran:
    return CommandLine(installation.environment).as_process(command, installation.place, "--json")


def _documents(place: Path) -> list[Path]:
    return [path for path in (place / "blobs" / "documents").rglob("*") if path.is_file()]


def test_what_is_killed_leaves_no_backup_or_no_restored_database_and_the_next_try_completes_it(
    service: Service,
    running: Installation,  # noqa: F811
    empty: Installation,  # noqa: F811
) -> None:
    service.api()
    for number in range(DOCUMENTS):
        service.upload(f"Document {number}".encode()).raise_for_status()

    for step in BACKUP_STEPS:
        _killed(running, "backup", step)
        assert CommandLine(running.environment)("restore", running.place, "--list", "--json").json() == []
    [made] = _run(running, "backup").json()
    assert made["all_files"]["files"] == DOCUMENTS
    assert made["new_files"]["files"] == 0, "what the killed ones had stored is used"
    stored = [path for path in (running.place / "objects").rglob("*") if path.is_file()]
    assert len(stored) == DOCUMENTS, "what nothing refers to is removed"

    for step in RESTORE_STEPS[:-1]:
        _killed(empty, "restore", step)
        assert "is empty" in _run(empty, "backup").err
    [restored] = _run(empty, "restore").json()
    assert restored == made
    assert len(_documents(Path(empty.environment["DOCSIEVE_DATA_DIR"]))) == DOCUMENTS


def test_a_restore_killed_after_the_database_is_complete(
    service: Service,
    running: Installation,  # noqa: F811
    empty: Installation,  # noqa: F811
) -> None:
    service.api()
    service.upload(b"A letter.").raise_for_status()
    _run(running, "backup")

    _killed(empty, "restore", RESTORE_STEPS[-1])

    assert "restore_target_not_empty" in _run(empty, "restore").err
    assert len(_documents(Path(empty.environment["DOCSIEVE_DATA_DIR"]))) == 1
