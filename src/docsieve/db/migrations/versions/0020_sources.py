"""Documents that are downloaded from where their upload says."""

from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
