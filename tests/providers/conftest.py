"""A project and its ledger."""

from tests.services.providers.conftest import ledger, project_id

__all__ = ["ledger", "project_id"]
