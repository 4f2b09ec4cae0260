"""Uploads that clients send to the blob store themselves."""

from pathlib import Path

from docsieve.db.migrations.isolation import EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0018"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("uploads", SAME_PROJECT, EDIT)
