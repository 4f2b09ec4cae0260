"""Adds entries to the audit log. Requests may do that and read it; they cannot change or delete entries."""

import json
from collections.abc import Sequence
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.domain.audit import Actor, NewEntry, details_text


async def append(connection: Connection, tenant_id: UUID, actor: Actor, entries: Sequence[NewEntry]) -> None:
    """Add entries in their order. Locks the end of the tenant's log, so this must be the transaction's last statement.

    Deferred triggers run first, because they take locks too.
    """
    if not entries:
        return
    who = {
        "actor_kind": actor.kind,
        "actor_id": actor.id,
        "actor_name": actor.name,
        "remote_address": actor.remote_address,
        "forwarded_for": actor.forwarded_for,
    }
    rows = [
        {
            **who,
            "project_id": str(each.project_id) if each.project_id is not None else None,
            "action": each.action,
            "object_type": each.object_type,
            "object_id": each.object_id,
            "details": details_text(each.details),
        }
        for each in entries
    ]
    await connection.execute("set constraints all immediate")
    await connection.execute("select append_audit($1, $2)", tenant_id, json.dumps(rows))
