"""Schedules, results of jobs, deferred work, processing windows, and what clean-ups need to know."""

from pathlib import Path

from docsieve.db.migrations.isolation import hide
from docsieve.db.migrations.runner import run_script

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    hide("schedules")
