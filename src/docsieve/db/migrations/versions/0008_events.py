"""Events: what happened to documents, extractions and batches, in the transaction in which it happened."""

from pathlib import Path

from docsieve.db.migrations.isolation import ADD, SAME_PROJECT, SAME_TENANT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    isolate("events", SAME_PROJECT, ADD)
    isolate("exceeded_budgets", SAME_TENANT, ADD)
