"""A service with a worker that the tests of a module share, without documents at the start of each test."""

from collections.abc import Callable, Iterator

import pytest

from tests.service import Service


@pytest.fixture(scope="module")
def shared_service(share_service: Callable[..., Service]) -> Service:
    service = share_service(DOCSIEVE_SHUTDOWN_SECONDS="5", DOCSIEVE_MAX_ATTEMPTS="2")
    service.api()
    service.worker()
    return service


@pytest.fixture
def service(shared_service: Service) -> Iterator[Service]:
    yield shared_service
    shared_service.delete_documents()
