"""`docsieve audit`, and the deletion of a tenant with its certificate."""

import asyncio
import csv
import json
from pathlib import Path

import asyncpg

from docsieve.domain.ids import new_id
from tests.cli.terminal import CommandLine
from tests.service import Service


def _tenant(docsieve: CommandLine) -> str:
    name = f"t{new_id().hex}"
    assert docsieve("tenants", "create", name).code == 0
    assert docsieve("projects", "create", "one", "--tenant", name).code == 0
    assert docsieve("projects", "set", "one", "--keep-documents", "30", "--tenant", name).code == 0
    return name


def test_what_was_done_on_the_command_line_is_listed(docsieve: CommandLine) -> None:
    tenant = _tenant(docsieve)
    listed = docsieve("audit", "list", "--tenant", tenant, "--json").json()
    assert [each["action"] for each in listed] == ["project.changed", "project.created"]
    assert listed[0]["actor"] == {"kind": "system", "id": None, "name": "command line"}
    assert listed[0]["details"] == {"name": "one", "keep_documents_days": 30}
    assert "project.changed" in docsieve("audit", "list", "--tenant", tenant, "--action", "project.changed").out


def test_the_log_is_exported_to_a_file(docsieve: CommandLine, tmp_path: Path) -> None:
    tenant = _tenant(docsieve)
    output = tmp_path / "audit.csv"
    assert docsieve("audit", "export", "--tenant", tenant, "--format", "csv", "--output", str(output)).code == 0
    with output.open(encoding="utf-8-sig", newline="") as file:
        assert [row["action"] for row in csv.DictReader(file)] == [
            "project.created",
            "project.changed",
            "audit.exported",
        ]


def test_the_oldest_entries_are_pruned_and_the_rest_is_sound(docsieve: CommandLine) -> None:
    tenant = _tenant(docsieve)
    prune = ("audit", "prune", "--tenant", tenant, "--before", "2999-01-01")
    assert docsieve(*prune, "--dry-run").out == "2 entries would be deleted.\n"
    assert docsieve(*prune, "--yes").out == "2 entries were deleted.\n"
    listed = docsieve("audit", "list", "--tenant", tenant, "--json").json()
    assert [(each["number"], each["action"]) for each in listed] == [(3, "audit.pruned")]
    verified = docsieve("audit", "verify", "--tenant", tenant)
    assert (verified.code, "sound" in verified.out) == (0, True)


def test_an_altered_entry_is_named_and_the_command_fails(docsieve: CommandLine, service: Service) -> None:
    tenant = _tenant(docsieve)
    sound = docsieve("audit", "verify", "--tenant", tenant)
    assert (sound.code, "sound" in sound.out) == (0, True)
    head = docsieve("audit", "list", "--tenant", tenant, "--json").json()[0]["hash"]
    assert docsieve("audit", "verify", "--tenant", tenant, "--expect", head).code == 0
    assert docsieve("audit", "verify", "--tenant", tenant, "--expect", "00").code == 1

    async def alter() -> None:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        await connection.execute(
            "update audit_log set object_type = 'other' where number = 2"
            " and tenant_id = (select id from tenants where name = $1)",
            tenant,
        )
        await connection.close()

    asyncio.run(alter())
    altered = docsieve("audit", "verify", "--tenant", tenant)
    assert altered.code == 1
    assert "Entry 2 was altered" in altered.out


def test_wrong_options_of_verify_are_refused(docsieve: CommandLine) -> None:
    assert docsieve("audit", "verify", "--expect", "00").err.startswith("invalid_request: --expect needs --tenant")
    assert docsieve("audit", "verify", "--tenant", "no-such").err == "not_found: Tenant no-such not found.\n"
    assert docsieve("audit", "verify", "--tenant", "default", "--expect", "xyz").code == 1


def test_a_tenant_is_deleted_and_its_certificate_printed(docsieve: CommandLine, service: Service) -> None:
    tenant = _tenant(docsieve)
    asked = docsieve("tenants", "delete", tenant, "--yes")
    assert asked.code == 0
    deletion = asked.out.split()[-1]
    service.worker("maintenance=1")
    service.wait_until(lambda: docsieve("tenants", "certificate", deletion).code == 0, what="the certificate")
    certificate = json.loads(docsieve("tenants", "certificate", deletion).out)
    assert certificate["tenant"]["name"] == tenant
    assert certificate["rows"]["projects"] == 2
    assert docsieve("tenants", "show", tenant).err == f"not_found: Tenant {tenant} not found.\n"


def test_the_operators_tenant_is_not_deleted(docsieve: CommandLine) -> None:
    assert docsieve("tenants", "delete", "default", "--yes").err.startswith("operator_tenant: ")
    assert docsieve("tenants", "certificate", str(new_id())).err == "not_found: Deletion not found.\n"
