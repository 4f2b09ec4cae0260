"""Services whose leases are short, so that recovery can be watched."""

from collections.abc import Callable

import pytest

from tests.service import Service


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    return start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5", DOCSIEVE_PARSER_MEMORY_MB="512")
