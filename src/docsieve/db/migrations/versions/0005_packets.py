"""Packets: files that hold several documents, their cuts, and the parts that they are split into."""

from importlib import import_module
from pathlib import Path

from docsieve.db.migrations.runner import run_script

revision = "0005"
down_revision = "0002"
branch_labels = None
depends_on = None

_initial = import_module("docsieve.db.migrations.versions.0001_initial")


def upgrade() -> None:
    run_script(Path(__file__).with_suffix(".sql").read_text())
    run_script(_initial.ISOLATION.format(table="packets"))
    run_script(_initial.TENANT_ACCESS.format(table="packets", condition=_initial.SAME_PROJECT, rights=_initial.EDIT))
