"""`python -m docsieve.sandbox.child`: three processes that make one sandboxed child.

    launcher   the pool's own child; leaves the namespaces, then only waits, and ends what the others left behind
    keeper     process 1 of the new namespace: when it goes, the kernel kills everything in there; reports how the
               runner ended
    runner     runs tasks under the limits, one at a time, warm

Process 1 ignores signals that would kill another, so the runner is not process 1 itself. Frames travel over a socket
that arrives as standard input; how the runner ended is one line on standard output, which the runner does not have.
Nothing heavy is imported here before the fork.
"""

import json
import os
import signal
import socket
import sys
from typing import Any, NoReturn

from docsieve.sandbox import isolation
from docsieve.sandbox.limits import Limits

_DIAGNOSIS_BYTES = 64 * 1024
_OUT_OF_MEMORY_MARKS = (b"bad_alloc", b"out of memory", b"Out of memory", b"Cannot allocate memory", b"MemoryError")


def main() -> NoReturn:
    settings = json.loads(sys.argv[1])
    isolation.die_with_parent(settings["parent"], by=signal.SIGTERM)
    isolation.gain_no_privileges()
    isolation.adopt_orphans()
    isolated = isolation.leave_namespaces()
    launcher = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        _keep(Limits(**settings["limits"]), launcher, isolated)
    signal.signal(signal.SIGTERM, _end_all)
    _say({"group": keeper, "isolated": isolated})
    os.close(0)
    os.waitpid(keeper, 0)
    _end_all()


def _end_all(*_: object) -> NoReturn:
    """Where the kernel gives no namespace, this is what ends processes that left the group."""
    # A parent with threads dies thread by thread, and each one's death sends the signal again.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    import shutil  # only now: it is slow to load, and every start would wait for it

    isolation.kill_descendants()
    # The pool removes the working directory too, but a pool that was killed cannot.
    shutil.rmtree(os.getcwd(), ignore_errors=True)
    os._exit(0)


def _say(message: dict[str, Any]) -> None:
    os.write(1, json.dumps(message).encode() + b"\n")


def _keep(limits: Limits, launcher: int, isolated: list[str]) -> NoReturn:
    # A group of its own, so that the launcher outlives a kill and collects the dead.
    os.setpgid(0, 0)
    if "processes" in isolated:
        isolation.die_with_parent(0)  # a parent outside the namespace has no number in it
        isolation.hide_other_processes()
    else:
        isolation.die_with_parent(launcher)
    complaints, complain = os.pipe()
    os.set_blocking(complain, False)  # native code that prints without end loses the rest instead of waiting
    keeper = os.getpid()
    runner = os.fork()
    if runner == 0:
        isolation.die_with_parent(keeper)
        os.close(complaints)
        _run(limits, complain)
    os.close(0)
    os.close(complain)
    _say(_how_it_ended(runner, complaints))
    os._exit(0)


def _how_it_ended(runner: int, complaints: int) -> dict[str, Any]:
    while True:
        pid, status, usage = os.wait4(-1, 0)
        if pid == runner:
            break
    os.set_blocking(complaints, False)
    try:
        complaint = os.read(complaints, _DIAGNOSIS_BYTES)
    except BlockingIOError:
        complaint = b""
    return {
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "peak_mb": usage.ru_maxrss // 1024,
        "out_of_memory": any(mark in complaint for mark in _OUT_OF_MEMORY_MARKS),
    }


def _run(limits: Limits, complain: int) -> NoReturn:
    isolation.confine(limits)
    connection = socket.socket(fileno=os.dup(0))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    os.dup2(complain, 2)
    # What Python code prints might be document text and is dropped; only native last words are looked at.
    sys.stdout = sys.stderr = os.fdopen(nothing, "w")
    from docsieve.sandbox.runner import serve

    serve(connection, limits)
    os._exit(0)


if __name__ == "__main__":
    main()
