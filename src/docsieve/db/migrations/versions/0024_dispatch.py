"""Events that no one wants webhooks for cost less."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0024"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
