"""Packets: files that hold several documents, their cuts, and the parts that they are split into."""

from pathlib import Path

from docsieve.db.migrations.isolation import EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("packets", SAME_PROJECT, EDIT)
