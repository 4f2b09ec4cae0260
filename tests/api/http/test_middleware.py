"""Records about each request."""

import httpx
from prometheus_client import REGISTRY

from docsieve.api.routing import API_PREFIX


async def test_metrics_name_a_route_without_the_prefix_of_the_api(client: httpx.AsyncClient) -> None:
    assert (await client.get("/documents")).status_code == 200

    samples = [each for metric in REGISTRY.collect() for each in metric.samples]
    routes = {each.labels["route"] for each in samples if each.name == "docsieve_http_seconds_count"}
    assert "/documents" in routes
    assert not any(route.startswith(API_PREFIX) for route in routes)
