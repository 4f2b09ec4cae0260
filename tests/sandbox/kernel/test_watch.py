"""What the launcher sees of the processes below it."""

import os
import signal
import subprocess
import sys

from docsieve.sandbox.kernel import watch

# More than the kernel tells in one read: it gives what fits into a page of memory.
_MANY = 900
_PARENT_OF_MANY = f"""
import os, signal
for _ in range({_MANY}):
    if os.fork() == 0:
        signal.pause()
print("ready", flush=True)
signal.pause()
"""


def test_all_processes_below_are_seen_however_many_there_are() -> None:
    parent = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PARENT_OF_MANY], stdout=subprocess.PIPE, start_new_session=True
    )
    try:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"ready\n"
        found = watch.descendants(parent.pid)
        assert len(set(found)) == _MANY
        assert watch.memory_bytes(found, enough=1 << 60) > watch.memory_bytes(found[:1], enough=1 << 60) > 0
    finally:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()


def test_a_process_that_has_gone_holds_nothing() -> None:
    gone = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    gone.wait()
    assert watch.descendants(gone.pid) == []
    assert watch.memory_bytes([gone.pid], enough=1) == 0
