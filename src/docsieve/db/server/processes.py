"""The processes of a PostgreSQL on its data directory: which live, what they report, and how to end stray ones."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from docsieve.logs import get_logger

STOP_SECONDS = 10.0
POLL_SECONDS = 0.02

log = get_logger()


def recorded_state(cluster: Path) -> tuple[int, str]:
    """Pid and state as the server itself records them, the way pg_ctl reads them; (0, "") without a server."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return 0, ""
    pid = int(lines[0]) if lines and lines[0].isdigit() else 0
    return pid, lines[7].strip() if len(lines) > 7 else ""


def processes_of(cluster: Path) -> set[int]:
    """The server processes on a cluster: the name may be anyone's, but a server works in its data directory."""
    found = set()
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if (
                entry.name.isdigit()
                and (entry / "comm").read_text() == "postgres\n"
                and (entry / "cwd").readlink() == cluster
            ):
                found.add(int(entry.name))
    return found


def end_leftovers(cluster: Path) -> None:
    """End what a killed owner left behind: a server still shutting down, or the children of a killed one."""
    left = processes_of(cluster)
    postmaster, _ = recorded_state(cluster)
    if postmaster in left:
        log.info("database_leftover_stopped", pid=postmaster)
        # To the postmaster alone: its children take SIGINT for other orders.
        left = _signal_and_wait({postmaster}, signal.SIGINT, cluster)
    for order in (signal.SIGQUIT, signal.SIGKILL):
        if left:
            left = _signal_and_wait(left, order, cluster)
    if left:
        raise TimeoutError(f"Processes {sorted(left)} of an earlier PostgreSQL on {cluster} do not end")


def _signal_and_wait(pids: set[int], order: signal.Signals, cluster: Path) -> set[int]:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, order)
    deadline = time.monotonic() + STOP_SECONDS
    while (left := processes_of(cluster)) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return left
