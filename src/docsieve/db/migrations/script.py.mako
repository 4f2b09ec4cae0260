"""${message}"""

from docsieve.db.migrations.runner import run_script

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    run_script("")
