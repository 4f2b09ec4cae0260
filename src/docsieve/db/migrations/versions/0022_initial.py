"""The schema of the first release. Its number continues those of the development before it."""

from pathlib import Path

from docsieve.db.migrations.roles import ROLES
from docsieve.db.migrations.runner import run_script

revision = "0022"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(ROLES)
    run_script(Path(__file__).with_suffix(".sql").read_text())
