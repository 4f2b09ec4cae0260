"""What a receiver's name server can achieve, with the resolver of the operating system and a real name server."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.namespaces import obstacle
from tests.outbound.world import HANGING, PUBLIC, REFUSED
from tests.service import start_bound

OBSTACLE = obstacle("--net", "--mount")

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("world")
    command = ["unshare", "--net", "--mount", sys.executable, "-m", "tests.outbound.world", str(folder)]
    with start_bound(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True) as running:
        said, _ = running.communicate()
    assert running.returncode == 0
    results: dict[str, Any] = json.loads(said)
    return results


def test_a_public_name_is_reached(found: dict[str, Any]) -> None:
    assert (found["public"], found["public_reached"]) == ("200", [PUBLIC])


def test_a_name_that_rebinds_between_check_and_connection_reaches_nothing_else(found: dict[str, Any]) -> None:
    assert set(found["rebinding"]) == {"200", "address_not_allowed"}
    assert set(found["rebinding_reached"]) == {PUBLIC}


def test_the_same_name_leads_a_client_that_resolves_twice_to_the_loopback(found: dict[str, Any]) -> None:
    assert "127.0.0.1" in found["careless_reached"]


@pytest.mark.parametrize("host", REFUSED)
def test_a_hostile_host_is_refused(found: dict[str, Any], host: str) -> None:
    expected = {"receiver_unreachable"} if host == "missing.test" else {"address_not_allowed", "url_invalid"}
    assert found["refused"][host] in expected


def test_no_hostile_host_was_connected_to(found: dict[str, Any]) -> None:
    assert found["refused_reached"] == []


def test_names_that_hang_delay_neither_other_receivers_nor_other_threads(found: dict[str, Any]) -> None:
    assert found["hanging"] == {"decent": "200", "other": "ran", "waiting": HANGING, "hung": ["receiver_timeout"]}


def test_callers_of_a_name_share_a_lookup_that_does_not_end_with_one_of_them(found: dict[str, Any]) -> None:
    assert found["shared"] == {"lookups": 1, "outcomes": ["receiver_timeout"], "outlive_the_process": False}
