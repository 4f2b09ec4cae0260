"""A master key wraps and unwraps, wherever it comes from, and says why if it cannot."""

import base64
import os
import sys
from pathlib import Path

import pytest

from docsieve.encryption import master_keys
from docsieve.encryption.master_keys import MasterKey, MasterKeyFailed
from docsieve.settings import Settings

SECRET = os.urandom(64)
KEY = os.urandom(32)

# What a wrapper around the command line of a key management service does.
COMMAND = """
import sys
given = sys.stdin.buffer.read()
mask = bytes(byte ^ 0x5A for byte in given)
sys.stdout.buffer.write(b"kms" + mask if sys.argv[1] == "wrap" else bytes(byte ^ 0x5A for byte in given[3:]))
"""


def master(text: str) -> MasterKey:
    [found] = master_keys.master_keys(Settings.model_validate({"master_key": text}).master_key)
    return found


@pytest.fixture
def command(tmp_path: Path) -> str:
    (tmp_path / "kms.py").write_text(COMMAND)
    return f"command:{sys.executable} {tmp_path}/kms.py"


@pytest.mark.parametrize(
    "written",
    [base64.b64encode(KEY), base64.urlsafe_b64encode(KEY) + b"\n", KEY],
    ids=["base64", "for URLs, with a line end", "as it is"],
)
async def test_a_file_holds_the_key_in_base64_or_as_it_is(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "master.key").write_bytes(written)
    found = master(f"file:{tmp_path}/master.key")

    wrapped = await found.wrap(SECRET)

    assert SECRET not in wrapped and wrapped != await found.wrap(SECRET)
    assert await found.unwrap(wrapped) == SECRET


async def test_a_variable_holds_the_key_and_the_fingerprint_tells_keys_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONE", base64.b64encode(KEY).decode())
    monkeypatch.setenv("SAME", base64.urlsafe_b64encode(KEY).decode())
    monkeypatch.setenv("OTHER", base64.b64encode(os.urandom(32)).decode())
    one, same, other = master("env:ONE"), master("env:SAME"), master("env:OTHER")

    assert await same.unwrap(await one.wrap(SECRET)) == SECRET
    assert await one.fingerprint() == await same.fingerprint() != await other.fingerprint()
    with pytest.raises(MasterKeyFailed, match="env:OTHER does not open"):
        await other.unwrap(await one.wrap(SECRET))


@pytest.mark.process
async def test_a_command_is_given_the_bytes_and_prints_the_result(command: str) -> None:
    wrapped = await master(command).wrap(SECRET)

    assert wrapped.startswith(b"kms") and SECRET not in wrapped
    assert await master(command).unwrap(wrapped) == SECRET


async def test_a_changed_wrapped_key_does_not_open(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(KEY)
    wrapped = bytearray(await master(f"file:{tmp_path}/key").wrap(SECRET))
    wrapped[-1] ^= 1
    for damaged in (bytes(wrapped), b"", b"short"):
        with pytest.raises(MasterKeyFailed):
            await master(f"file:{tmp_path}/key").unwrap(damaged)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("env:NOT_SET_HERE", "not set"),
        ("file:/nowhere/master.key", "No such file"),
        ("file:/etc/hostname", "32 bytes in base64"),
        pytest.param("command:/nowhere/kms", "cannot be started", marks=pytest.mark.process),
        pytest.param("command:false", "ended with status 1", marks=pytest.mark.process),
        pytest.param("command:true", "ended with status 0", marks=pytest.mark.process),
    ],
)
async def test_a_master_key_that_is_not_there_says_why(text: str, reason: str) -> None:
    with pytest.raises(MasterKeyFailed, match=reason):
        await master(text).wrap(SECRET)


@pytest.mark.process
async def test_a_command_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(master_keys, "_COMMAND_SECONDS", 0.2)
    with pytest.raises(MasterKeyFailed, match="took longer"):
        await master("command:sh -c 'exec sleep 1000'").wrap(SECRET)


def test_sources_are_separated_by_commas_which_a_path_or_command_may_contain() -> None:
    text = "file:/keys/2027,new.key, env:OLD,command:kms --tags a,b"
    assert [str(each) for each in Settings.model_validate({"master_key": text}).master_key] == [
        "file:/keys/2027,new.key",
        "env:OLD",
        "command:kms --tags a,b",
    ]


@pytest.mark.parametrize("text", ["hunter2", "env:", "vault:x", "command:kms 'x", "command: "])
def test_a_setting_that_names_no_source_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"env:NAME, file:PATH or command:PROGRAM|not balanced"):
        Settings.model_validate({"master_key": text})
