"""The audit log: a chain of hashes per tenant, which requests can read and append to."""

from pathlib import Path

from docsieve.db.migrations.isolation import READ, SAME_PROJECT, SAME_TENANT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

VISIBLE_TO_TENANT = {
    "audit_log": (SAME_PROJECT, READ),
    "audit_heads": (f"{SAME_TENANT} and (select scope_project()) is null", READ),
}


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    for table, (condition, rights) in VISIBLE_TO_TENANT.items():
        isolate(table, condition, rights)
