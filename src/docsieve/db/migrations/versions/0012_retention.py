"""Retention: how long things are kept, legal holds, deleted tenants, and savings of the response cache."""

from pathlib import Path

from docsieve.db.migrations.isolation import EDIT, SAME_PROJECT, hide, isolate
from docsieve.db.migrations.runner import run_script

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("legal_holds", SAME_PROJECT, EDIT)
    hide("tenant_deletions")
