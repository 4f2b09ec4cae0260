"""`docsieve encryption`, and what `docsieve doctor` says about keys, on the database without any server."""

import asyncio
import os
from pathlib import Path

import pytest

from docsieve.cli.doctor.encryption_checks import examine
from docsieve.settings import Settings
from tests.cli.terminal import CommandLine


@pytest.fixture
def docsieve(database_url: str, tmp_path: Path) -> CommandLine:
    for name in ("old", "new"):
        (tmp_path / f"{name}.key").write_bytes(os.urandom(32))
    environment = {"DOCSIEVE_DATABASE_URL": database_url, "DOCSIEVE_DATA_DIR": str(tmp_path)}
    return CommandLine({**os.environ, **environment, "DOCSIEVE_MASTER_KEY": f"file:{tmp_path}/old.key"})


def test_a_rotation_is_shown_and_recorded(docsieve: CommandLine) -> None:
    docsieve("tenants", "create", "acme")
    docsieve("tenants", "create", "globex")
    before = docsieve("encryption", "status", "--json").json()
    assert [(each["tenant"], each["key_id"]) for each in before["tenants"]] == [
        ("acme", None),
        ("default", None),
        ("globex", None),
    ]

    assert "Tenant acme has a new data key." in docsieve("encryption", "rotate", "--tenant", "acme").out
    assert docsieve("encryption", "rotate", "--all").out.count("has a new data key") == 3

    after = docsieve("encryption", "status", "--json").json()
    [master] = after["master_keys"]
    assert (master["tenants"], master["problem"]) == (3, None)
    assert [each["retired"] for each in after["tenants"]] == [1, 0, 0]
    assert {(each["resealed"], *each["masters"]) for each in after["tenants"]} == {(0, master["fingerprint"])}
    assert "acme" in docsieve("encryption", "status").out
    listed = docsieve("audit", "list", "--action", "tenant.key_rotated", "--json").json()
    assert len(listed) == 4


def test_what_cannot_be_rotated_is_refused(docsieve: CommandLine) -> None:
    assert docsieve("encryption", "rotate").code == 2
    assert docsieve("encryption", "rotate", "--all", "--tenant", "acme").code == 2
    assert "not found" in docsieve("encryption", "rotate", "--tenant", "acme").err
    off = docsieve("encryption", "rotate", "--all", DOCSIEVE_MASTER_KEY="")
    assert off.code == 1 and "Encryption is off" in off.err
    assert "Encryption is off" in docsieve("encryption", "status", DOCSIEVE_MASTER_KEY="").out


def test_the_doctor_names_a_master_key_that_opens_nothing(
    docsieve: CommandLine, database_url: str, tmp_path: Path
) -> None:
    def said(master_key: str) -> tuple[str, str]:
        settings = Settings.model_validate({"master_key": master_key} if master_key else {})
        finding = asyncio.run(examine(settings, database_url))
        return finding.level, finding.reason

    assert said("") == ("ok", "off: files are stored as they are")
    assert said(f"file:{tmp_path}/old.key") == ("ok", "on; the master key opens 0 data keys")
    docsieve("encryption", "rotate", "--all")

    assert said(f"file:{tmp_path}/old.key") == ("ok", "on; the master key opens 1 data key")
    assert said(f"file:{tmp_path}/new.key,file:{tmp_path}/old.key")[0] == "ok"
    for wrong, reason in (
        ("", "encryption_key_unavailable: DOCSIEVE_MASTER_KEY is not set"),
        (f"file:{tmp_path}/new.key", "does not open the data key"),
        ("env:NOT_SET_HERE", "the variable is not set"),
    ):
        level, found = said(wrong)
        assert level == "problem" and reason in found
    status = docsieve("encryption", "status", DOCSIEVE_MASTER_KEY=f"file:{tmp_path}/new.key").out
    assert "not in DOCSIEVE_MASTER_KEY" in status.replace("\n", " ")
