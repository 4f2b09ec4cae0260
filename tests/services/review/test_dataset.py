"""Verified extractions as an evaluation set."""

import io
import json
import zipfile

import httpx

from tests.api.extracting import SCHEMA, VALUE, completed
from tests.api.running import Running


async def test_verified_extractions_are_exported_as_an_evaluation_set(api: Running, client: httpx.AsyncClient) -> None:
    await client.post("/schemas", json={"name": "slip", "schema": SCHEMA})
    kept = await completed(api, client, schema="slip")
    await completed(api, client, schema="slip", confidence=0.8)
    await client.patch(f"/extractions/{kept['id']}/fields", json={"fields": [{"path": "number", "value": "A2"}]})
    await client.post(f"/extractions/{kept['id']}/verify")
    exported = await client.get("/extractions/dataset", params={"schema": "slip"})
    assert exported.status_code == 200
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert archive.testzip() is None
        [line] = [json.loads(line) for line in archive.read("ground_truth.jsonl").decode().splitlines()]
        assert line["fields"] == {**VALUE, "number": "A2"}
        assert archive.read(line["file"]) == b"A1 0.9"
        assert json.loads(archive.read("schema.json")) == SCHEMA
    everything = await client.get("/extractions/dataset", params={"schema": "slip", "verified": False})
    with zipfile.ZipFile(io.BytesIO(everything.content)) as archive:
        assert len(archive.read("ground_truth.jsonl").splitlines()) == 2
