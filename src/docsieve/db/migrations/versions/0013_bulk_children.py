"""Children of a document join its batches once per statement."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
