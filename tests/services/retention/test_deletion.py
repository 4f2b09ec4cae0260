"""What goes with a deleted document, and what stays because another one needs it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.db.extractions import lessons
from docsieve.db.extractions.lessons import NewLessons
from docsieve.domain.documents import image_key, pages_key
from docsieve.domain.extraction import Doubt, Evidence, LeafMetadata, Result
from docsieve.domain.pages.chunks import Chunk
from docsieve.domain.scope import Scope
from docsieve.services.index import chunk_index
from tests.api.extracting import SCHEMA, begun, complete, completed
from tests.api.running import Running, once, uploaded


async def _read(api: Running, client: httpx.AsyncClient, content: bytes) -> str:
    document_id: str = (await uploaded(client, content))["id"]
    (job,) = await api.claim()
    await api.complete(job, content.decode())
    return document_id


async def _index(api: Running, scope: Scope, document_id: str, text: str) -> None:
    resources = api.resources
    async with resources.database.tenant(scope) as session:
        source = await documents.source(session, UUID(document_id))
    assert source is not None
    prepared = await chunk_index.prepare(
        resources.database, resources.embedders, scope.tenant_id, [Chunk(0, text, 1)], language=None,
        project_id=source.project_id,
    )  # fmt: skip
    async with resources.database.tenant(scope) as session:
        await prepared.record(session, UUID(document_id), source.project_id)


async def _words(api: Running) -> set[str]:
    async with api.resources.database.system() as connection:
        return {row[0] for row in await connection.fetch("select word from spellings")}


async def test_words_go_with_the_last_document_that_has_them(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    scope = Scope(acme.id)
    one, other = await _read(api, client, b"one"), await _read(api, client, b"other")
    await _index(api, scope, one, "shared secretword")
    await _index(api, scope, other, "shared public")
    assert await _words(api) == {"shared", "secretword", "public"}
    await client.delete(f"/documents/{one}")
    assert await _words(api) == {"shared", "public"}
    await client.delete(f"/documents/{other}")
    assert await _words(api) == set()


async def test_words_of_another_tenant_stay(api: Running, acme: Tenant, client: httpx.AsyncClient) -> None:
    theirs = await api.tenant("theirs")
    their_client = await api.admin(theirs)
    ours, other = await _read(api, client, b"one"), await _read(api, their_client, b"one")
    await _index(api, Scope(acme.id), ours, "secretword")
    await _index(api, Scope(theirs.id), other, "secretword")
    await client.delete(f"/documents/{ours}")
    assert await _words(api) == {"secretword"}


async def test_pages_of_every_parser_go_with_the_last_document_of_their_content(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    one, twin = await _read(api, client, b"same"), await _read(api, client, b"same")
    sha256 = (await client.get(f"/documents/{one}")).json()["sha256"]
    older = pages_key(acme.id, sha256, "text", "0")
    for key in (older, image_key(older, 1, 320), image_key(pages_key(acme.id, sha256, "text", "1"), 1, 320)):
        await api.resources.blobs.put(key, once(b"stored"))
    await client.delete(f"/documents/{one}")
    assert len([key for key in await api.blobs() if not key.startswith("documents/")]) == 4
    await client.delete(f"/documents/{twin}")
    assert await api.blobs() == set()
    (entry,) = (await client.get("/audit", params={"object_id": twin, "action": "document.files_deleted"})).json()[
        "entries"
    ]
    assert entry["details"] == {"objects": 5}


async def test_lessons_from_a_deleted_document_are_forgotten_at_once(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await client.post("/schemas", json={"name": "bill", "schema": SCHEMA})
    extraction = await completed(api, client, schema="bill")
    await client.post(f"/extractions/{extraction['id']}/verify")
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        await lessons.add(session, NewLessons("bill", "local", "1", {"words": ["secretword"]}, 2, 4, 0.9, 0.5))
    await client.delete(f"/documents/{extraction['documents'][0]}")
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        assert await lessons.active(session, "bill", "local") is None
    async with api.resources.database.system() as connection:
        assert await connection.fetchval("select string_agg(lessons::text, '') from lessons") == "{}"


def _leaf(*document_ids: str, text: str = "seen", doubts: Sequence[Doubt] = ()) -> LeafMetadata:
    places = _places(*document_ids, text=text)
    return LeafMetadata(0.9, bool(places), places, doubts=[*doubts], why=f"it says {text}", needs_review=False)


def _places(*document_ids: str, text: str) -> list[Evidence]:
    return [Evidence(each, 1, 612.0, 792.0, (1.0, 1.0, 2.0, 2.0), text) for each in document_ids]


def _doubts(doomed: str, kept: str) -> list[Doubt]:
    return [
        Doubt("two_candidates", "Two values fit: 'public' and 'private'.", "private", _places(doomed, text="private")),
        Doubt("two_candidates", "Two values fit: 'public' and 'private'.", "private", []),
        Doubt("two_candidates", "Two values fit: 'public' and 'open'.", "open", _places(kept, text="open")),
        Doubt("hard_to_read", "The scan is hard to read here.", None, []),
    ]


async def _over_both(api: Running, client: httpx.AsyncClient, doomed: str, kept: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("doomed", "kept", "both", "nowhere", "empty")},
    }
    started = await begun(client, doomed, kept, schema=schema)
    value = {"doomed": "private", "kept": "public", "both": "common", "nowhere": "derived", "empty": None}
    metadata = {
        "doomed": _leaf(doomed, text="private"),
        "kept": _leaf(kept, doubts=_doubts(doomed, kept)),
        "both": _leaf(doomed, kept),
        "nowhere": _leaf(),
        "empty": _leaf(),
    }
    await complete(api, started["id"], Result(value, metadata, 0.9))
    return started


async def test_of_an_extraction_over_several_documents_only_what_the_others_show_is_left(
    api: Running, client: httpx.AsyncClient
) -> None:
    doomed, kept = await _read(api, client, b"doomed"), await _read(api, client, b"kept")
    extraction = await _over_both(api, client, doomed, kept)
    path = f"/extractions/{extraction['id']}"
    for field in ("doomed", "kept"):
        fix = {"fields": [{"path": field, "value": f"{field} fixed"}]}
        assert (await client.patch(f"{path}/fields", json=fix)).status_code == 200
    assert (await client.delete(f"/documents/{doomed}")).status_code == 204
    left = (await client.get(path)).json()
    assert left["documents"] == [kept]
    assert left["value"] == {"doomed": None, "kept": "public", "both": "common", "nowhere": None, "empty": None}
    assert [each["path"] for each in left["corrections"]] == ["kept"]
    proofs = {name: [each["document_id"] for each in leaf["evidence"]] for name, leaf in left["metadata"].items()}
    assert proofs == {"doomed": [], "kept": [kept], "both": [kept], "nowhere": [], "empty": []}
    assert "private" not in (await client.get(path)).text
    fields = (await client.get(f"/documents/{kept}/fields")).json()["fields"]
    assert [each["path"] for each in fields] == ["kept", "both"]
    for remaining in (left["metadata"]["kept"], fields[0]):
        assert [(each["code"], each["other"]) for each in remaining["doubts"]] == [
            ("two_candidates", "open"),
            ("hard_to_read", None),
        ]
        assert remaining["why"] == "it says seen"
    assert "private" not in (await client.get(f"/documents/{kept}/fields")).text


async def test_a_deletion_by_a_person_is_recorded_with_what_it_removed(api: Running, client: httpx.AsyncClient) -> None:
    extraction = await completed(api, client)
    (document,) = extraction["documents"]
    await client.delete(f"/documents/{document}")
    entries = (await client.get("/audit", params={"object_id": document})).json()["entries"]
    assert [each["action"] for each in entries] == ["document.files_deleted", "document.deleted"]
    assert entries[1]["actor"]["kind"] == "key"
    assert entries[1]["details"] == {
        "rule": None,
        "rows": {"document_fields": 9, "jobs": 1, "extraction_documents": 1},
    }
    assert entries[0]["details"] == {"objects": 2}
