"""Which lanes `docsieve worker` runs, and what it does not load."""

import subprocess
import sys

import pytest
import typer

from docsieve.cli.server.serve import _lanes
from docsieve.wiring import DEFAULT_LANES, POOLS


def test_a_pool_is_a_named_set_of_lanes() -> None:
    assert _lanes([], "archive") == {"archive": 1}
    assert _lanes([], "default") == {"default": 8, "download": 16, "webhook": 512, "maintenance": 1}


def test_the_pools_together_run_every_lane_once() -> None:
    assert sorted(queue for pool in POOLS.values() for queue in pool) == sorted(DEFAULT_LANES)
    assert _lanes([], None) == DEFAULT_LANES


@pytest.mark.parametrize(("queues", "pool"), [([], "zip"), (["default=1"], "default"), (["default"], None)])
def test_an_unknown_pool_a_pool_with_queues_and_a_malformed_queue_are_refused(queues: list[str], pool: str) -> None:
    with pytest.raises(typer.BadParameter):
        _lanes(queues, pool)


def test_a_worker_without_redis_does_not_load_arq() -> None:
    program = "import sys, docsieve.cli.server.serve, docsieve.wiring; print({'arq', 'redis'} & set(sys.modules))"
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "set()"
