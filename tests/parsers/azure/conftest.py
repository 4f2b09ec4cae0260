"""The loopback service, and a parser that speaks to it."""

from tests.remote.azure.conftest import asking, service

__all__ = ["asking", "service"]
