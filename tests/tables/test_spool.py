"""Where the rows of lists wait."""

import os
from pathlib import Path

import pytest

from docsieve.tables import spool
from docsieve.tables.spool import Spool


def test_what_was_written_is_read_back() -> None:
    waiting = Spool()
    for number in range(1000):
        waiting.write(f"row {number}\n".encode())
    waiting.close()
    assert b"".join(waiting.read()) == b"".join(f"row {number}\n".encode() for number in range(1000))
    waiting.discard()


def test_a_large_one_is_a_file_without_a_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(spool, "_IN_MEMORY", 10)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    waiting = Spool()
    waiting.write(os.urandom(100_000))
    waiting.close()
    held = [os.readlink(each) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()]
    assert any(each.startswith(str(tmp_path)) and each.endswith("(deleted)") for each in held)
    assert list(tmp_path.iterdir()) == []
    assert len(b"".join(waiting.read())) == 100_000
    waiting.discard()
