"""Webhooks: endpoints, their secrets, and one delivery per event and receiver with its attempts."""

from pathlib import Path

from docsieve.db.migrations.isolation import ADD, CHANGE, EDIT, SAME_PROJECT, isolate
from docsieve.db.migrations.runner import run_script

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

VISIBLE_TO_TENANT = {
    "webhook_endpoints": (SAME_PROJECT, EDIT),
    "webhook_secrets": (SAME_PROJECT, CHANGE),
    "webhook_deliveries": (SAME_PROJECT, CHANGE),
    "webhook_attempts": (SAME_PROJECT, ADD),
}


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    for table, (condition, rights) in VISIBLE_TO_TENANT.items():
        isolate(table, condition, rights)
