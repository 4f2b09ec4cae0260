"""Keys that encrypt the blobs of tenants."""

from pathlib import Path

from docsieve.db.migrations.isolation import hide
from docsieve.db.migrations.runner import run_script

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    hide("data_keys")
