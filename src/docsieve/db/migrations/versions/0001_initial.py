"""The schema of the first release: roles, tables, functions and triggers (in 0001_initial.sql), and who sees what."""

from pathlib import Path

from docsieve.db.migrations.isolation import ADD, CHANGE, EDIT, READ, SAME_PROJECT, SAME_TENANT, hide, isolate
from docsieve.db.migrations.roles import ROLES
from docsieve.db.migrations.runner import run_script

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Per table: the rows that a request can see, and its privileges on them.
VISIBLE_TO_TENANT = {
    "tenants": ("id = (select scope_tenant())", READ),
    "projects": (f"{SAME_TENANT} and ((select scope_project()) is null or id = (select scope_project()))", EDIT),
    "api_keys": (SAME_PROJECT, EDIT),
    "documents": (SAME_PROJECT, EDIT),
    "idempotency_keys": (SAME_TENANT, EDIT),
    "document_classes": (SAME_TENANT, EDIT),
    "jobs": (SAME_PROJECT, EDIT),
    "attempts": (SAME_PROJECT, READ),
    "embedders": ("(select scope_tenant()) is not null", READ),
    "chunks": (SAME_PROJECT, EDIT),
    "chunk_vectors": (SAME_PROJECT, EDIT),
    "spellings": (SAME_TENANT, EDIT),
    "schema_heads": (SAME_TENANT, CHANGE),
    "schemas": (SAME_TENANT, ADD),
    "prompt_heads": (SAME_TENANT, CHANGE),
    "prompts": (SAME_TENANT, ADD),
    "extractions": (SAME_PROJECT, EDIT),
    "extraction_documents": (SAME_PROJECT, EDIT),
    "document_fields": (SAME_PROJECT, EDIT),
    "corrections": (SAME_PROJECT, ADD),
    "lessons": (SAME_TENANT, EDIT),
    # shared by all projects, so that the same content is paid for once; hidden from keys limited to one project
    "cached_responses": (f"{SAME_TENANT} and (select scope_project()) is null", "select, insert, delete"),
    "spending": (SAME_PROJECT, ADD),
    "spending_months": (SAME_PROJECT, CHANGE),
    "spending_reservations": (SAME_PROJECT, "select, insert, delete"),
}

# The load of a provider would reveal the activity of other tenants. Sessions are looked up before the tenant is known.
HIDDEN_FROM_TENANTS = ("provider_limits", "provider_leases", "sessions", "sign_in_links")


def upgrade() -> None:
    run_script(ROLES)
    run_script(Path(__file__).with_suffix(".sql").read_text())
    for table, (condition, rights) in VISIBLE_TO_TENANT.items():
        isolate(table, condition, rights)
    for table in HIDDEN_FROM_TENANTS:
        hide(table)
