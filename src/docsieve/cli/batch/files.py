"""Uploads the files of a folder, or an archive, into a batch; those that are in it already are left out."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

from docsieve.cli.batch.batches import pages
from docsieve.cli.console.http import Server
from docsieve.cli.submit.uploads import Letter, Outcome, Sender
from docsieve.cli.submit.uploads_view import SendingView

_PIECE = 1024 * 1024


async def upload_missing(
    server: Server, batch_id: str, files: Sequence[Path], *, fields: dict[str, str]
) -> dict[Path, Outcome]:
    """Every file with its document. A file is in the batch if one of its documents has its name and its content."""
    present = await _present(server, batch_id)
    outcomes: dict[Path, Outcome] = {}
    missing = []
    for path in files:
        known = present.get(_digest(path) if present else "", {}).get(path.name, [])
        if known:
            outcomes[path] = Outcome(str(path), "present", known.pop())
        else:
            missing.append(Letter(path, str(uuid4())))
    if missing:
        with SendingView(len(missing), quiet=False) as view:
            sender = Sender(server, view, {**fields, "batch": batch_id}, False, None, lambda _: None)
            await sender.send_all(missing, outcomes)
    return {path: outcomes[path] for path in files}


async def _present(server: Server, batch_id: str) -> dict[str, dict[str, list[str]]]:
    """By hash and name, the documents of the batch that are not inside another one."""
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    async for each in pages(server, f"/batches/{batch_id}/documents", "documents"):
        if each["parent_id"] is None:
            found[each["sha256"]][each["filename"]].append(each["id"])
    return found


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def folder_groups(root: Path, outcomes: dict[Path, Outcome]) -> list[dict[str, object]]:
    """One group per folder below the root; files directly in the root are in a group with its name."""
    found: dict[str, list[str]] = {}
    for path, outcome in outcomes.items():
        if outcome.document_id is not None:
            folder = path.parent.relative_to(root).as_posix()
            found.setdefault(root.resolve().name if folder == "." else folder, []).append(outcome.document_id)
    return [{"name": name[-255:], "documents": documents} for name, documents in found.items()]
