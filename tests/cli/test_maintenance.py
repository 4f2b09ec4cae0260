import pytest

from tests.cli.terminal import CommandLine
from tests.service import Service


@pytest.fixture(scope="module", autouse=True)
def _maintained(service: Service) -> None:
    """The worker of these tests has no slot for maintenance."""
    service.worker("maintenance=1")


def test_a_task_runs_and_its_counts_are_printed(docsieve: CommandLine) -> None:
    ran = docsieve("maintenance", "run", "sweep_blobs", "--wait")
    assert ran.code == 0, ran.err
    assert "completed" in ran.out
    assert "0 blobs" in ran.out


def test_a_dry_run_says_so(docsieve: CommandLine) -> None:
    job = docsieve("maintenance", "run", "prune_jobs", "--dry-run", "--limit", 5, "--wait", "--json").json()
    assert (job["status"], job["result"]["dry_run"], job["result"]["jobs"]) == ("completed", True, 0)
    shown = docsieve("jobs", "show", job["id"])
    assert "dry_run: True" in shown.out


def test_the_list_shows_every_task_with_its_schedule_and_last_result(docsieve: CommandLine) -> None:
    docsieve("maintenance", "run", "prune_sessions", "--wait")
    ran = docsieve("maintenance", "list")
    assert ran.code == 0
    for name in ("delete_abandoned_batches", "delete_opt_out_data", "delete_archive_originals", "prune_sessions"):
        assert name in ran.out
    [task] = [each for each in docsieve("maintenance", "list", "--json").json() if each["name"] == "prune_sessions"]
    assert (task["schedule"], task["last"]["status"]) == ("1h", "completed")
    assert task["next_run_at"] is not None


def test_an_unknown_task_is_one_clear_line(docsieve: CommandLine) -> None:
    ran = docsieve("maintenance", "run", "nonsense")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("not_found: There is no maintenance task nonsense. Known: check_files, ")


def test_a_processing_window_is_set_shown_and_removed(docsieve: CommandLine) -> None:
    docsieve("projects", "create", "nightly")
    ran = docsieve("projects", "set", "nightly", "--processing-window", "22:00-06:00 Europe/Berlin all")
    assert ran.code == 0, ran.err
    assert "22:00-06:00 Europe/Berlin all" in ran.out
    wrong = docsieve("projects", "set", "nightly", "--processing-window", "22:00")
    assert (wrong.code, "write it as START-END" in wrong.err) == (1, True)
    unknown = docsieve("projects", "set", "nightly", "--processing-window", "22:00-06:00 Mars/Olympus")
    assert "Time zone Mars/Olympus not found." in unknown.err
    assert "22:00" not in docsieve("projects", "set", "nightly", "--unset", "processing-window").out
