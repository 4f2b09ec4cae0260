"""How to call each operation of the OpenAPI document. The matrix fails for an operation that is not listed here."""

from dataclasses import dataclass, field
from typing import Any, Literal

import httpx

from docsieve.api.routing import API_PREFIX

Needs = Literal["no key", "read", "write", "admin", "operator"]
Noun = Literal[
    "document", "job", "key", "project", "class", "tenant", "schema", "prompt", "extraction", "report", "desk", "batch",
    "endpoint", "delivery", "hold", "deletion", "upload",
]  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """`names` is the kind of thing that the path's placeholders name; some belong to a whole tenant.

    A report is named by the job of its extraction, a desk (where reports are submitted) by its tenant and project.
    """

    needs: Needs
    names: Noun | None = None
    send: dict[str, Any] = field(default_factory=dict)

    @property
    def of_whole_tenant(self) -> bool:
        return self.names in ("class", "schema", "prompt")

    @property
    def by_uuid(self) -> bool:
        return self.names not in (None, "key", "project", "class", "tenant", "schema", "prompt", "desk")


_FILE = {"files": {"file": ("a.txt", b"Hello.")}}
_KEY = {"json": {"name": "new", "scopes": ["read"]}}
_SCHEMA = {"type": "object", "properties": {"total": {"type": "number"}}}
_ORDER = {"json": {"document_ids": ["00000000-0000-7000-8000-000000000000"], "schema": _SCHEMA}}
_FIXES = {"json": {"fields": [{"path": "total", "value": 1}]}}
_PATHS = {"json": {"paths": ["total"]}}
_IDS = {"json": {"ids": ["00000000-0000-7000-8000-000000000000"]}}
_FIRST = {"json": {"version": 1}}
_SINCE = {"json": {"since": "2026-01-01T00:00:00Z"}}
_DOCUMENTS = {"json": {"document_ids": ["00000000-0000-7000-8000-000000000000"]}}

_DOWNLOAD = {"tenant": "00000000-0000-7000-8000-000000000000", "expires": "0", "signature": "wrong"}
_SIGNED = {**_DOWNLOAD, "size": "1"}

# What removes things comes last, so that an owner who performs them in this order still has them before.
_VERSIONED = {
    "POST /documents": Operation("write", send=_FILE),
    "POST /documents/upload": Operation("write", send=_FILE),
    "GET /documents": Operation("read"),
    "GET /documents/{document_id}": Operation("read", "document"),
    "GET /documents/{document_id}/status": Operation("read", "document"),
    "GET /documents/{document_id}/text": Operation("read", "document"),
    "GET /documents/{document_id}/content": Operation("read", "document"),
    "GET /documents/{document_id}/chunks": Operation("read", "document"),
    "GET /documents/{document_id}/pages/{number}": Operation("read", "document"),
    "GET /documents/{document_id}/pages/{number}/image": Operation("read", "document"),
    "GET /documents/{document_id}/thumbnail": Operation("read", "document"),
    "GET /documents/{document_id}/details": Operation("read", "document"),
    "GET /documents/{document_id}/entries": Operation("read", "document"),
    "GET /documents/{document_id}/file": Operation("read", "document"),
    "GET /documents/{document_id}/download_url": Operation("read", "document"),
    "POST /uploads": Operation("write", send={"json": {"filename": "a.txt", "size": 6}}),
    "POST /uploads/{upload_id}/complete": Operation("write", "upload"),
    "DELETE /uploads/{upload_id}": Operation("write", "upload"),
    "GET /documents/{document_id}/splits": Operation("read", "document"),
    "PATCH /documents/{document_id}/splits": Operation("write", "document", send={"json": {"cuts": []}}),
    "POST /documents/{document_id}/redact": Operation("write", "document", send={"json": {"texts": ["one"]}}),
    "POST /documents/{document_id}/reprocess": Operation("write", "document"),
    "POST /documents/reprocess": Operation("write", send=_IDS),
    "POST /documents/cancel": Operation("write", send=_IDS),
    "POST /documents/delete": Operation("write", send=_IDS),
    "GET /documents/{document_id}/attempts": Operation("read", "document"),
    "GET /documents/{document_id}/fields": Operation("read", "document"),
    "GET /documents/{document_id}/extractions": Operation("read", "document"),
    "POST /tenants/{tenant}/projects/{project}/reports": Operation("write", "desk", send=_FILE),
    "GET /job/status/{job_id}": Operation("read", "report"),
    "POST /extractions": Operation("write", send=_ORDER),
    "GET /extractions": Operation("read"),
    "GET /extractions/export": Operation("read", send={"params": {"format": "csv"}}),
    "GET /extractions/dataset": Operation("read", send={"params": {"schema": "invoice"}}),
    "GET /extractions/{extraction_id}": Operation("read", "extraction"),
    "POST /extractions/{extraction_id}/cancel": Operation("write", "extraction"),
    "GET /extractions/{extraction_id}/compare/{other_id}": Operation("read", "extraction"),
    "GET /extractions/{extraction_id}/fields": Operation("read", "extraction"),
    "PATCH /extractions/{extraction_id}/fields": Operation("write", "extraction", send=_FIXES),
    "POST /extractions/{extraction_id}/fields/accept": Operation("write", "extraction", send=_PATHS),
    "POST /extractions/{extraction_id}/fields/undo": Operation("write", "extraction", send=_PATHS),
    "POST /extractions/{extraction_id}/verify": Operation("write", "extraction"),
    "POST /batches": Operation("write", send={"json": {"name": "new", "schema": _SCHEMA}}),
    "GET /batches": Operation("read"),
    "GET /batches/{batch_id}": Operation("read", "batch"),
    "PATCH /batches/{batch_id}": Operation("write", "batch", send={"json": {"name": "renamed"}}),
    "GET /batches/{batch_id}/documents": Operation("read", "batch"),
    "POST /batches/{batch_id}/documents": Operation("write", "batch", send=_DOCUMENTS),
    "GET /batches/{batch_id}/groups": Operation("read", "batch"),
    "POST /batches/{batch_id}/start": Operation("write", "batch"),
    "GET /batches/{batch_id}/results": Operation("read", "batch"),
    "GET /batches/{batch_id}/export": Operation("read", "batch", send={"params": {"format": "csv"}}),
    "POST /batches/{batch_id}/retry": Operation("write", "batch"),
    "POST /batches/{batch_id}/cancel": Operation("write", "batch"),
    "DELETE /batches/{batch_id}/documents/{document_id}": Operation("write", "batch"),
    "DELETE /batches/{batch_id}": Operation("write", "batch"),
    "GET /webhooks/endpoints": Operation("read"),
    "POST /webhooks/endpoints": Operation("admin", send={"json": {"url": "https://example.com/hook"}}),
    "GET /webhooks/endpoints/{endpoint_id}": Operation("read", "endpoint"),
    "PATCH /webhooks/endpoints/{endpoint_id}": Operation("admin", "endpoint", send={"json": {"payload": "full"}}),
    "POST /webhooks/endpoints/{endpoint_id}/rotate": Operation("admin", "endpoint"),
    "POST /webhooks/endpoints/{endpoint_id}/test": Operation("write", "endpoint"),
    "POST /webhooks/endpoints/{endpoint_id}/replay": Operation("write", "endpoint", send=_SINCE),
    "POST /webhooks/secret/rotate": Operation("admin"),
    "GET /webhooks/deliveries": Operation("read"),
    "GET /webhooks/deliveries/{delivery_id}": Operation("read", "delivery"),
    "POST /webhooks/deliveries/{delivery_id}/replay": Operation("write", "delivery"),
    "GET /events": Operation("read", send={"params": {"follow": "false"}}),
    "GET /engines": Operation("read"),
    "GET /fields": Operation("read"),
    "GET /search": Operation("read", send={"params": {"q": "Hello"}}),
    "GET /queues": Operation("read"),
    "GET /jobs": Operation("read"),
    "GET /jobs/{job_id}": Operation("read", "job"),
    "POST /jobs/{job_id}/cancel": Operation("write", "job"),
    "POST /jobs/{job_id}/retry": Operation("write", "job"),
    "POST /jobs/cancel": Operation("write", send={"json": {"status": "pending"}}),
    "POST /jobs/retry": Operation("write", send={"json": {"status": "failed"}}),
    "GET /maintenance": Operation("operator"),
    "POST /maintenance/{task}": Operation("operator"),
    "GET /projects": Operation("read"),
    "POST /projects": Operation("admin", send={"json": {"name": "new"}}),
    "GET /projects/{name}": Operation("read", "project"),
    "PATCH /projects/{name}": Operation("admin", "project", send={"json": {"threshold": 0.5}}),
    "GET /schemas": Operation("read"),
    "POST /schemas": Operation("admin", send={"json": {"name": "new", "schema": _SCHEMA}}),
    "POST /schemas/check": Operation("write", send={"json": {"schema": _SCHEMA}}),
    "GET /schemas/{name}": Operation("read", "schema"),
    "GET /schemas/{name}/versions": Operation("read", "schema"),
    "GET /schemas/{name}/versions/{version}": Operation("read", "schema"),
    "GET /schemas/{name}/lessons": Operation("read", "schema"),
    "PUT /schemas/{name}/current": Operation("admin", "schema", send=_FIRST),
    "GET /prompts": Operation("read"),
    "POST /prompts": Operation("admin", send={"json": {"name": "new", "template": "Be exact."}}),
    "GET /prompts/{name}": Operation("read", "prompt"),
    "GET /prompts/{name}/versions": Operation("read", "prompt"),
    "GET /prompts/{name}/versions/{version}": Operation("read", "prompt"),
    "PUT /prompts/{name}/current": Operation("admin", "prompt", send=_FIRST),
    "GET /classes": Operation("read"),
    "POST /classes": Operation("admin", send={"json": {"name": "new", "description": "x"}}),
    "GET /usage": Operation("read"),
    "GET /samples": Operation("read"),
    "POST /samples": Operation("write", send={"json": {"names": []}}),
    "GET /audit": Operation("admin"),
    "GET /audit/export": Operation("admin", send={"params": {"format": "csv"}}),
    "GET /holds": Operation("admin"),
    "POST /holds": Operation("admin", send={"json": {"project": "no-such", "reason": "a case"}}),
    "GET /keys": Operation("admin"),
    "POST /keys": Operation("admin", send=_KEY),
    "GET /tenants": Operation("operator"),
    "POST /tenants": Operation("operator", send={"json": {"name": "new"}}),
    "GET /tenants/{name}": Operation("operator", "tenant"),
    "PATCH /tenants/{name}": Operation("operator", "tenant", send={"json": {"weight": 2}}),
    "POST /tenants/{name}/keys": Operation("operator", "tenant", send=_KEY),
    "DELETE /documents/{document_id}": Operation("write", "document"),
    "DELETE /webhooks/endpoints/{endpoint_id}": Operation("admin", "endpoint"),
    "DELETE /classes/{name}": Operation("admin", "class"),
    "DELETE /schemas/{name}": Operation("admin", "schema"),
    "DELETE /prompts/{name}": Operation("admin", "prompt"),
    "DELETE /keys/{key_id}": Operation("admin", "key"),
    "DELETE /holds/{hold_id}": Operation("admin", "hold"),
    "DELETE /projects/{name}": Operation("admin", "project"),
    "GET /tenant-deletions": Operation("operator"),
    "GET /tenant-deletions/{deletion_id}": Operation("operator", "deletion"),
    "DELETE /tenants/{name}": Operation("operator", "tenant"),
    # these are for those who have no key in hand; `test_sessions.py` says who may what
    "PUT /uploads/{upload_id}/parts/{number}": Operation("no key", "upload", send={"params": _SIGNED, "content": b"x"}),
    "GET /downloads/{document_id}": Operation("no key", "document", send={"params": _DOWNLOAD}),
    "POST /session": Operation("no key", send={"json": {"key": "nonsense"}}),
    "GET /session": Operation("no key"),
    "DELETE /session": Operation("no key"),
}
_PUBLIC = {
    "GET /livez": Operation("no key"),
    "GET /readyz": Operation("no key"),
    "GET /metrics": Operation("no key"),
}

OPERATIONS = {**{name.replace(" ", f" {API_PREFIX}", 1): each for name, each in _VERSIONED.items()}, **_PUBLIC}
GUARDED = {name: operation for name, operation in OPERATIONS.items() if operation.needs != "no key"}


def filled(path: str, thing: str = "00000000-0000-7000-8000-000000000000") -> str:
    """The path with `thing` where it names something."""
    path = path.replace("{number}", "1").replace("{version}", "1").replace("{task}", "sweep_blobs")
    path = path.replace("{tenant}/projects/{project}", thing if "/" in thing else f"{thing}/projects/{thing}")
    names = (
        "document",
        "job",
        "key",
        "extraction",
        "other",
        "batch",
        "endpoint",
        "delivery",
        "hold",
        "deletion",
        "upload",
    )
    for placeholder in (*(f"{name}_id" for name in names), "name"):
        path = path.replace(f"{{{placeholder}}}", thing)
    return path


async def call(client: httpx.AsyncClient, name: str, thing: str, **headers: str) -> httpx.Response:
    """Perform an operation; `thing` is put where its path names something."""
    method, path = name.split(" ", 1)
    return await client.request(method, filled(path, thing), **OPERATIONS[name].send, headers=headers)
