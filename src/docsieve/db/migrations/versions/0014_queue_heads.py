"""The queue remembers where its pending jobs begin, so that nothing reads over dead rows; finished jobs are counted."""

from pathlib import Path

from docsieve.db.migrations.isolation import ADD, SAME_PROJECT, hide, isolate
from docsieve.db.migrations.runner import run_script

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    hide("queue_heads")
    isolate("job_counts", SAME_PROJECT, ADD)
