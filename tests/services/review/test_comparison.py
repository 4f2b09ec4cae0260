"""Two extractions, compared field by field."""

import httpx

from tests.api.extracting import VALUE, completed
from tests.api.running import Running


async def test_two_extractions_are_compared_field_by_field(api: Running, client: httpx.AsyncClient) -> None:
    here = await completed(api, client)
    other = {
        **VALUE,
        "number": " a1. ",
        "date": None,
        "paid": True,
        "count": 3,
        "lines": [{"text": "Tea", "price": 3.5}],
    }
    there = await completed(api, client, other, confidence=0.8)
    compared = (await client.get(f"/extractions/{here['id']}/compare/{there['id']}")).json()
    outcomes = {each["path"]: each["outcome"] for each in compared["fields"]}
    assert outcomes == {
        "number": "same",
        "date": "only_here",
        "kind": "same",
        "paid": "only_there",
        "count": "differs",
        "lines[0].text": "same",
        "lines[0].price": "same",
        "lines[1].text": "only_here",
        "lines[1].price": "only_here",
    }
    [count] = [each for each in compared["fields"] if each["path"] == "count"]
    assert (count["here"], count["there"]) == (2, 3)
    assert (count["confidence_here"], count["confidence_there"]) == (0.9, 0.8)
