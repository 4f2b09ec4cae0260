"""Limits and quotas of tenants, and the status of a document in one call."""

from pathlib import Path

from docsieve.db.migrations.isolation import READ, SAME_TENANT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("usage_counts", f"{SAME_TENANT} and (select scope_project()) is null", READ)
