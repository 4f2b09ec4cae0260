"""Batches: many extractions that are configured, started and counted together."""

from pathlib import Path

from docsieve.db.migrations.isolation import ADD, EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0004"
down_revision = "0002"
branch_labels = None
depends_on = None

VISIBLE_TO_TENANT = {
    "batches": (SAME_PROJECT, EDIT),
    "batch_documents": (SAME_PROJECT, EDIT),
    "batch_specs": (SAME_PROJECT, ADD),
    "batch_counts": (SAME_PROJECT, EDIT),
}


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    for table, (condition, rights) in VISIBLE_TO_TENANT.items():
        isolate(table, condition, rights)
