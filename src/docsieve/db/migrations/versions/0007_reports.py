"""Reports: extractions with a webhook, and engines that step in for others."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
