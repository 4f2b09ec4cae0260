"""Archives: the states of a document that is unpacked instead of read, and what became of its entries."""

from pathlib import Path

from docsieve.db.migrations.isolation import EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    for table in ("archives", "archive_entries"):
        isolate(table, SAME_PROJECT, EDIT)
