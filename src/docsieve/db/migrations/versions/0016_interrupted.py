"""Interrupted attempts in the log of deliveries, schedulers in the audit log, and events by project."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0016"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
