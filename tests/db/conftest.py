"""The application and its tenant, as the tests of the API have them."""

from tests.api.conftest import acme, api, client, walls

__all__ = ["acme", "api", "client", "walls"]
