"""Extractions that leave out documents that could not be read."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
