"""Pages that are shown while their document is being read."""

from pathlib import Path

from docsieve.db.migrations.isolation import EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0027"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("early_pages", SAME_PROJECT, EDIT)
