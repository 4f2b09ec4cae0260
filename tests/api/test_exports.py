"""Exports over HTTP, each format read back by a program that others wrote."""

import asyncio
import csv
import io
import json
import zipfile
from datetime import date, datetime
from typing import Any
from uuid import UUID

import httpx
import openpyxl
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.connection.session import Session
from docsieve.db.extractions import exports as export_rows
from docsieve.db.extractions.rows import ExtractionFilter
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable
from docsieve.services.exports import export
from docsieve.services.exports.export import ExportOptions
from tests.api.extracting import begun, complete, result
from tests.api.running import Running, assert_problem, uploaded
from tests.tables.samples import parquet_column

BILL: Schema = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "total": {"type": "number"},
        "paid": {"type": "boolean"},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}}},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, "price": {"type": "number"}}},
        },
    },
}
VALUE: dict[str, Any] = {
    "number": "=1+1",
    "date": "2025-03-14",
    "total": -12.5,
    "paid": False,
    "seller": {"name": "Bäckerei Süd"},
    "lines": [{"text": "Brot", "price": 3.5}, {"text": "Käse", "price": 9.0}],
}


async def extracted(
    api: Running, client: httpx.AsyncClient, value: dict[str, Any] = VALUE, *, schema: Any = BILL, name: str = "a.txt"
) -> dict[str, Any]:
    document = await uploaded(client, filename=name)
    (job,) = await api.claim()
    await api.complete(job, "one")
    extraction = await begun(client, document["id"], schema=schema)
    await complete(api, extraction["id"], result(value, document["id"]))
    return {**extraction, "document_id": document["id"]}


async def exported(client: httpx.AsyncClient, format: str, **parameters: Any) -> bytes:
    answer = await client.get("/extractions/export", params={"format": format, **parameters})
    assert answer.status_code == 200, answer.text
    return answer.content


async def csv_rows(client: httpx.AsyncClient, **parameters: Any) -> list[dict[str, str]]:
    text = (await exported(client, "csv", **parameters)).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


async def test_a_csv_has_a_row_per_extraction_with_its_files_and_fields(
    api: Running, client: httpx.AsyncClient
) -> None:
    first = await extracted(api, client, name="first.txt")
    second = await extracted(api, client, {**VALUE, "number": "2"}, name="second.txt")
    rows = await csv_rows(client)
    assert [row["id"] for row in rows] == [first["id"], second["id"]]
    assert [row["files"] for row in rows] == ["first.txt", "second.txt"]
    assert (rows[0]["status"], rows[0]["confidence"], rows[0]["needs_review"]) == ("completed", "0.9", "false")
    assert (rows[0]["number"], rows[0]["total"], rows[0]["seller.name"]) == ("'=1+1", "-12.5", "Bäckerei Süd")
    assert json.loads(rows[0]["lines"]) == VALUE["lines"]
    assert rows[0]["group"] == ""


async def test_the_export_of_a_batch_has_a_row_per_group(api: Running, client: httpx.AsyncClient) -> None:
    batch = (await client.post("/batches", json={"name": "march", "schema": BILL})).json()
    other = (await client.post("/batches", json={"name": "april", "schema": BILL})).json()
    for name in ("one.txt", "two.txt"):
        await uploaded(client, filename=name, batch=batch["id"])
        (job,) = await api.claim()
        await api.complete(job, "one")
    await extracted(api, client)
    assert (await client.post(f"/batches/{batch['id']}/start")).status_code == 200
    answer = await client.get(f"/batches/{batch['id']}/export", params={"format": "jsonl"})
    rows = [json.loads(line) for line in answer.content.splitlines()]
    assert [(each["group"], each["status"]) for each in rows] == [("one.txt", "pending"), ("two.txt", "pending")]
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''march.jsonl"
    empty = await client.get(f"/batches/{other['id']}/export", params={"format": "json"})
    assert empty.json() == []
    stranger = await api.admin(await api.tenant("other"))
    for reader in (client, stranger):
        batch_id = batch["id"] if reader is stranger else UUID(int=7)
        assert_problem(await reader.get(f"/batches/{batch_id}/export", params={"format": "csv"}), 404, "not_found")


async def test_a_workbook_is_what_a_bookkeeper_can_calculate_with(api: Running, client: httpx.AsyncClient) -> None:
    await extracted(api, client)
    answer = await client.get("/extractions/export", params={"format": "xlsx"})
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''extractions.xlsx"
    assert answer.headers["content-type"].endswith("spreadsheetml.sheet")
    book = openpyxl.load_workbook(io.BytesIO(answer.content))
    assert book.sheetnames == ["extractions", "lines"]
    titles, cells = ([each.value for each in row] for row in book["extractions"].iter_rows())
    row = dict(zip(titles, cells, strict=True))
    assert row["date"] == datetime.fromisoformat("2025-03-14")
    assert (row["total"], row["paid"], row["number"]) == (-12.5, False, "=1+1")
    assert [row[-1].value for row in book["lines"].iter_rows(min_row=2)] == [3.5, 9.0]
    one_sheet = await exported(client, "xlsx", lists="json")
    assert openpyxl.load_workbook(io.BytesIO(one_sheet)).sheetnames == ["extractions"]


async def test_json_and_json_lines_hold_the_value_as_it_is(api: Running, client: httpx.AsyncClient) -> None:
    assert json.loads(await exported(client, "json")) == []
    assert await exported(client, "jsonl") == b""
    made = [await extracted(api, client), await extracted(api, client)]
    whole = json.loads(await exported(client, "json"))
    lines = [json.loads(line) for line in (await exported(client, "jsonl")).splitlines()]
    assert whole == lines
    assert [each["id"] for each in whole] == [each["id"] for each in made]
    assert whole[0]["value"] == VALUE
    assert whole[0]["documents"] == [{"id": made[0]["document_id"], "filename": "a.txt"}]
    assert "evidence" not in whole[0]


async def test_parquet_has_types(api: Running, client: httpx.AsyncClient) -> None:
    await extracted(api, client)
    content = await exported(client, "parquet")
    assert parquet_column(content, "date") == [date(2025, 3, 14)]
    assert parquet_column(content, "total") == [-12.5]


@pytest.mark.parametrize("format", ["csv", "parquet"])
async def test_lists_apart_make_a_zip_with_a_file_per_table(
    api: Running, client: httpx.AsyncClient, format: str
) -> None:
    await extracted(api, client)
    answer = await client.get("/extractions/export", params={"format": format, "lists": "sheets"})
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == [f"extractions.{format}", f"lines.{format}"]


async def test_evidence_says_where_each_value_was_found(api: Running, client: httpx.AsyncClient) -> None:
    await extracted(api, client)
    (row,) = await csv_rows(client, evidence=True)
    proof = {name: row[f"total.{name}"] for name in ("confidence", "page", "box", "text")}
    assert proof == {"confidence": "0.9", "page": "1", "box": "10.0 10.0 90.0 20.0", "text": "A1"}
    (whole,) = json.loads(await exported(client, "json", evidence=True))
    assert whole["evidence"]["lines[1].price"]["box"] == [10.0, 10.0, 90.0, 20.0]


async def test_corrected_values_win_and_their_evidence_is_the_persons(api: Running, client: httpx.AsyncClient) -> None:
    made = await extracted(api, client)
    fixes = [
        {"path": "total", "value": 99.5, "page": 1, "box": [1, 2, 3, 4]},
        {"path": "lines[0].text", "value": None},
        {"path": "lines[0].price", "value": None},
    ]
    answer = await client.patch(f"/extractions/{made['id']}/fields", json={"fields": fixes})
    assert answer.status_code == 200
    (row,) = await csv_rows(client, evidence=True)
    assert (row["total"], row["date"]) == ("99.5", "2025-03-14")
    assert json.loads(row["lines"]) == [{"text": "Käse", "price": 9.0}]
    assert (row["total.confidence"], row["total.page"], row["total.box"]) == ("", "1", "1.0 2.0 3.0 4.0")
    assert row["date.confidence"] == "0.9"
    (whole,) = json.loads(await exported(client, "json", evidence=True))
    assert whole["value"]["lines"] == [{"text": "Käse", "price": 9.0}]
    kept = [path for path in whole["evidence"] if path.startswith("lines")]
    assert kept == ["lines[0].text", "lines[0].price"]


async def test_versions_of_a_schema_make_one_table_newest_first(api: Running, client: httpx.AsyncClient) -> None:
    def version(*names: str) -> dict[str, Any]:
        return {"type": "object", "properties": {name: {"type": "string"} for name in names}}

    await client.post("/schemas", json={"name": "slip", "schema": version("number", "fee")})
    await extracted(api, client, {"number": "1", "fee": "old"}, schema="slip")
    await client.post("/schemas", json={"name": "slip", "schema": version("kind", "number")})
    await extracted(api, client, {"kind": "k", "number": "2"}, schema="slip@2")
    await extracted(api, client, {"sent": "x"}, schema=version("sent"))
    rows = await csv_rows(client)
    assert list(rows[0])[9:] == ["kind", "number", "fee", "sent"]
    assert [(row["schema"], row["number"], row["fee"], row["kind"]) for row in rows] == [
        ("slip@1", "1", "old", ""),
        ("slip@2", "2", "", "k"),
        ("", "", "", ""),
    ]
    (only,) = await csv_rows(client, schema="slip@1")
    assert list(only)[9:] == ["number", "fee"]


async def test_filters_of_the_list_apply_and_failed_ones_say_why(api: Running, client: httpx.AsyncClient) -> None:
    done = await extracted(api, client)
    document = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "one")
    waiting = await begun(client, document["id"], schema=BILL)
    (job,) = await api.claim()
    await api.fail(job)
    assert [row["id"] for row in await csv_rows(client, status="completed")] == [done["id"]]
    (failed,) = await csv_rows(client, document_id=document["id"])
    assert (failed["id"], failed["status"]) == (waiting["id"], "failed")
    assert failed["error"] == "corrupt_document: It cannot be opened."
    assert await csv_rows(client, needs_review=True) == []


async def test_the_byte_order_mark_is_left_out_on_request(client: httpx.AsyncClient) -> None:
    assert (await exported(client, "csv")).startswith(b"\xef\xbb\xbf")
    assert (await exported(client, "csv", bom=False)).startswith(b"id,files,")


@pytest.mark.parametrize(
    "parameters",
    [{}, {"format": "xml"}, {"format": "json", "lists": "sheets"}, {"format": "xlsx", "bom": "false"}],
)
async def test_what_makes_no_sense_is_refused(client: httpx.AsyncClient, parameters: dict[str, str]) -> None:
    assert_problem(await client.get("/extractions/export", params=parameters), 422, "invalid_request")


async def test_a_table_that_is_too_wide_is_refused(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await extracted(api, client)
    monkeypatch.setattr(export, "MAX_COLUMNS", 10)
    answer = await client.get("/extractions/export", params={"format": "csv"})
    assert_problem(answer, 422, "too_many_columns")
    monkeypatch.setattr(export, "_MAX_SCHEMAS", 0)
    answer = await client.get("/extractions/export", params={"format": "xlsx"})
    assert "Filter by schema" in assert_problem(answer, 422, "too_many_columns")["detail"]


async def test_no_row_of_another_tenant_or_project_is_exported(api: Running, acme: Tenant) -> None:
    ours, theirs = await api.admin(acme), await api.admin(await api.tenant("other"))
    await extracted(api, theirs)
    mine = await extracted(api, ours)
    assert [row["id"] for row in await csv_rows(ours)] == [mine["id"]]
    elsewhere = await api.admin(acme, project_id=await api.project(acme, "side"))
    assert await csv_rows(elsewhere) == []


async def test_pages_of_rows_join_without_a_gap_or_a_double(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [await extracted(api, client) for _ in range(5)]
    monkeypatch.setattr(export_rows, "MAX_ROWS", 2)
    assert [row["id"] for row in await csv_rows(client)] == [each["id"] for each in made]
    monkeypatch.setattr(export_rows, "MAX_ROWS", 100)
    monkeypatch.setattr(export_rows, "_FIRST_ROWS", 1)
    monkeypatch.setattr(export_rows, "_MAX_SIZE", 1)
    assert [row["id"] for row in await csv_rows(client)] == [each["id"] for each in made]


async def test_between_pages_no_transaction_and_no_connection_is_held(
    api: Running, acme: Tenant, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_rows, "MAX_ROWS", 1)
    for _ in range(4):
        await extracted(api, client)
    content = await export.start(api.resources, Scope(acme.id), ExtractionFilter(), ExportOptions("csv"))
    first = await anext(content)
    late = await extracted(api, client)
    await asyncio.sleep(0)
    async with api.resources.database.system() as connection:
        held = "select count(*) from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()"
        while await connection.fetchval(f"{held} and datname = current_database()"):
            await asyncio.sleep(0.01)  # the next page may still be read
    rest = b"".join([each async for each in content])
    assert (first + rest).count(b"\r\n") == 5
    assert late["id"].encode() not in first + rest


async def test_a_reader_that_leaves_ends_the_reading(
    api: Running, acme: Tenant, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_rows, "MAX_ROWS", 1)
    for _ in range(3):
        await extracted(api, client)
    before = asyncio.all_tasks()
    content = await export.start(api.resources, Scope(acme.id), ExtractionFilter(), ExportOptions("xlsx"))
    await anext(content)
    await content.aclose()  # type: ignore[attr-defined]
    left = asyncio.all_tasks() - before
    if left:
        await asyncio.wait(left)
    with pytest.raises(StopAsyncIteration):
        await anext(content)


async def test_an_error_in_the_middle_does_not_look_like_the_end(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The application raises, upon which the server closes the connection without the last chunk."""
    monkeypatch.setattr(export_rows, "MAX_ROWS", 1)
    for _ in range(3):
        await extracted(api, client)
    read, pages = export_rows.page, 0

    async def fail_later(session: Session, wanted: ExtractionFilter, **options: Any) -> list[export_rows.ExportRow]:
        nonlocal pages
        pages += 1
        if pages == 3:
            raise DatabaseUnavailable("gone")
        return await read(session, wanted, **options)

    monkeypatch.setattr(export_rows, "page", fail_later)
    transport = httpx.ASGITransport(api.app, raise_app_exceptions=True)
    async with httpx.AsyncClient(transport=transport, base_url=client.base_url, headers=client.headers) as strict:
        with pytest.raises(RuntimeError, match="response already started"):
            await strict.get("/extractions/export", params={"format": "csv"})


async def test_the_schemas_of_nameless_extractions_are_each_found_once(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    for name in ("one", "two", "one"):
        schema: Schema = {"type": "object", "properties": {name: {"type": "string"}}}
        await extracted(api, client, {name: "x"}, schema=schema)
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        found = await export_rows.schemas(session, ExtractionFilter(), limit=10)
        assert sorted(name for each in found for name in each["properties"]) == ["one", "two"]
        assert await export_rows.last_id(session, ExtractionFilter(document_id=UUID(int=1))) is None
