"""Uploads that are recorded together."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
