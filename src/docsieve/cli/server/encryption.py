"""`docsieve encryption`: show and rotate the keys that encrypt stored files."""

import json
from collections import Counter
from dataclasses import asdict
from typing import Annotated, Any

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import show_table
from docsieve.cli.server import operator
from docsieve.db.access import data_keys, tenants
from docsieve.db.access.data_keys import KeyState
from docsieve.db.audit.append import append
from docsieve.db.connection.session import Database
from docsieve.domain.audit import Action, NewEntry
from docsieve.encryption.master_keys import MasterKeyFailed, master_keys
from docsieve.errors import Invalid
from docsieve.jobs.maintenance.reseal_blobs import FOLDERS
from docsieve.settings import Settings
from docsieve.wiring import open_keyring

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Show and rotate the keys that encrypt stored files, directly in the database.",
)


@app.command("status")
def show_status(as_json: AsJson = False) -> None:
    """Show master keys, the data key of each tenant, and how much is encrypted with it."""
    settings = load_settings()

    async def work(database: Database) -> tuple[list[dict[str, Any]], list[KeyState]]:
        async with database.system() as connection:
            states = await data_keys.states(connection)
        return await _masters(settings, Counter(each for state in states for each in state.masters)), states

    masters, states = operator.run(work)
    if as_json:
        found = [{**asdict(state), "folders": len(FOLDERS)} for state in states]
        print(json.dumps({"master_keys": masters, "tenants": found}, indent=2, default=str))
        return
    if not settings.master_key:
        print("Encryption is off: DOCSIEVE_MASTER_KEY is not set. New files are stored as they are.")
    if masters:
        show_table(
            ["master key", "fingerprint", "tenants", "problem"],
            [(each["source"], each["fingerprint"], each["tenants"], each["problem"]) for each in masters],
            whole=["fingerprint"],
        )
    show_table(
        ["tenant", "data key", "created", "older keys", "encrypted with it"],
        [
            (each.tenant, each.key_id, each.created_at, each.retired, f"{each.resealed / len(FOLDERS):.0%}")
            for each in states
        ],
        whole=["tenant"],
    )


async def _masters(settings: Settings, used: Counter[str]) -> list[dict[str, Any]]:
    """The configured master keys, newest first, then those that only the database knows."""
    found: list[dict[str, Any]] = []
    for source, master in zip(settings.master_key, master_keys(settings.master_key), strict=True):
        fingerprint, problem = None, None
        try:
            fingerprint = await master.fingerprint()
        except MasterKeyFailed as error:
            problem = error.reason
        tenants_ = used.pop(fingerprint, 0) if fingerprint is not None else 0
        found.append({"source": str(source), "fingerprint": fingerprint, "tenants": tenants_, "problem": problem})
    for fingerprint, count in sorted(used.items()):
        problem = "not in DOCSIEVE_MASTER_KEY"
        found.append({"source": None, "fingerprint": fingerprint, "tenants": count, "problem": problem})
    return found


@app.command("rotate")
def rotate(
    tenant: Annotated[str | None, typer.Option(help="Name of the tenant.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All tenants.")] = False,
) -> None:
    """Give tenants a new data key. New files use it; the task `reseal_blobs` encrypts the others again."""
    if every == (tenant is not None):
        raise typer.BadParameter("use --tenant NAME or --all")
    settings = load_settings()

    async def work(database: Database) -> list[str]:
        keyring = open_keyring(settings, database)
        if not keyring.enabled:
            raise Invalid("Encryption is off: DOCSIEVE_MASTER_KEY is not set.")
        by = await operator.own_scope(database)
        if tenant is not None:
            chosen = [await operator.find_tenant(database, tenant)]
        else:
            async with database.system() as connection:
                chosen = [each for each in await tenants.list_all(connection) if each.deleted_at is None]
        for each in chosen:
            key_id = await keyring.rotate(each.id)
            entry = NewEntry(Action.tenant_key_rotated, "tenant", str(each.id), None, {"data_key": key_id})
            async with database.system() as connection, connection.transaction():
                await append(connection, by.tenant_id, by.actor, [entry])
        return [each.name for each in chosen]

    for name in operator.run(work):
        print(f"Tenant {name} has a new data key.")
