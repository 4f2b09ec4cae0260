"""Dashboard sessions: how they start, their rights, how they end, and protection against misuse."""

import asyncio
from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.scope import Scope
from docsieve.services.access import sessions
from tests.api.running import Running, assert_problem, uploaded

PLAIN, OVER_TLS = "docsieve", "__Host-docsieve"
UNSAFE = [
    ("POST", "/documents"),
    ("POST", "/documents/upload"),
    ("POST", "/samples"),
    ("POST", "/projects"),
    ("PATCH", "/projects/default"),
    ("PUT", "/schemas/invoice/current"),
    ("DELETE", "/keys/nosuchkey000"),
    ("DELETE", "/session"),
]


async def _signed_in(api: Running, key: str) -> tuple[httpx.AsyncClient, dict[str, Any]]:
    """A browser with the session's cookie, and what it was told."""
    browser = await api.client()
    answer = await browser.post("/session", json={"key": key})
    assert answer.status_code == 200, answer.text
    return browser, answer.json()


async def _link(api: Running, tenant: Tenant, *, key_id: str | None = None) -> str:
    async with api.resources.database.system() as connection, connection.transaction():
        return await sessions.new_link(connection, tenant.id, key_id=key_id)


async def _execute(api: Running, statement: str) -> None:
    async with api.resources.database.system() as connection:
        await connection.execute(statement)


async def test_a_key_begins_a_session_that_says_whose_it_is(api: Running, acme: Tenant) -> None:
    key = await api.key(acme, "write", project_id=await api.project(acme, "side"))
    browser, said = await _signed_in(api, key)
    assert said.pop("expires_at")
    assert len(said["csrf_token"]) == 64
    del said["csrf_token"]
    assert said == {
        "tenant": "acme", "project": "side", "scopes": ["write"], "key_id": key.split("_")[1], "key_name": "a key",
    }  # fmt: skip
    again = await browser.get("/session")
    assert again.status_code == 200
    assert again.headers["cache-control"] == "no-store"


async def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(api: Running, acme: Tenant) -> None:
    stranger, key = await api.client(), await api.key(acme, "read")
    plain = (await stranger.post("/session", json={"key": key})).headers["set-cookie"]
    assert plain.startswith(f"{PLAIN}=")
    for flag in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=604800"):
        assert flag in plain
    assert "Secure" not in plain
    assert "Domain" not in plain


@pytest.mark.parametrize("header", [{"X-Forwarded-Proto": "https"}, {"Origin": "https://docsieve"}])
async def test_over_tls_the_cookie_is_bound_to_host_and_tls(api: Running, acme: Tenant, header: dict[str, str]) -> None:
    stranger, key = await api.client(), await api.key(acme, "read")
    cookie = (await stranger.post("/session", json={"key": key}, headers=header)).headers["set-cookie"]
    assert cookie.startswith(f"{OVER_TLS}=")
    assert "Secure" in cookie
    assert "Path=/" in cookie
    assert "Domain" not in cookie
    token = cookie.split("=", 1)[1].split(";")[0]
    by_tls = {"Cookie": f"{OVER_TLS}={token}"}
    assert (await stranger.get("/session", headers=by_tls)).status_code == 200
    planted = {"Cookie": f"{PLAIN}={token}", "X-Forwarded-Proto": "https"}
    assert_problem(await stranger.get("/session", headers=planted), 401, "unauthorized")


async def test_a_wrong_revoked_or_empty_key_begins_no_session(api: Running, acme: Tenant) -> None:
    revoked = await api.key(acme, "admin")
    await (await api.admin(acme)).delete(f"/keys/{revoked.split('_')[1]}")
    stranger = await api.client()
    for key in (revoked, "ds_nosuchkey000_" + "0" * 48, "", "nonsense"):
        refused = await stranger.post("/session", json={"key": key})
        assert_problem(refused, 401, "unauthorized")
        assert "set-cookie" not in refused.headers
    both: list[dict[str, Any]] = [{}, {"key": "a", "link": "b"}, {"key": None}, {"link": 1}]
    for body in both:
        assert_problem(await stranger.post("/session", json=body), 422, "invalid_request")
    assert await api.count("sessions") == 0


async def test_a_link_signs_in_once(api: Running, acme: Tenant) -> None:
    link = await _link(api, acme)
    first, second = await api.client(), await api.client()
    answers = await asyncio.gather(*(each.post("/session", json={"link": link}) for each in (first, second)))
    assert sorted(each.status_code for each in answers) == [200, 401]
    (refused,) = [each for each in answers if each.status_code == 401]
    assert_problem(refused, 401, "link_expired")
    (said,) = [each.json() for each in answers if each.status_code == 200]
    assert (said["tenant"], said["scopes"], said["key_name"]) == ("acme", ["admin"], "dashboard")


async def test_a_new_link_ends_the_earlier_one_of_the_same_key_and_no_other(api: Running, acme: Tenant) -> None:
    of_clerk = await _link(api, acme, key_id=(await api.key(acme, "read")).split("_")[1])
    of_other_tenant = await _link(api, await api.tenant("other"))
    earlier, later = await _link(api, acme), await _link(api, acme)
    refused = await (await api.client()).post("/session", json={"link": earlier})
    assert_problem(refused, 401, "link_expired")
    for link in (later, of_clerk, of_other_tenant):
        assert (await (await api.client()).post("/session", json={"link": link})).status_code == 200


async def test_of_links_that_are_made_at_once_one_is_left(api: Running, acme: Tenant) -> None:
    made = await asyncio.gather(*(_link(api, acme) for _ in range(5)))
    assert len(set(made)) == 5
    assert (await api.count("sign_in_links"), await api.count("api_keys")) == (1, 1)


async def test_after_ten_minutes_a_link_no_longer_signs_in(api: Running, acme: Tenant) -> None:
    link = await _link(api, acme)
    await _execute(api, "update sign_in_links set expires_at = expires_at - interval '10 minutes'")
    refused = await (await api.client()).post("/session", json={"link": link})
    assert_problem(refused, 401, "link_expired")


async def test_links_of_one_tenant_share_one_key(api: Running, acme: Tenant) -> None:
    await _link(api, acme)
    await _link(api, acme)
    assert await api.count("api_keys") == 1


async def test_an_old_or_unknown_link_or_one_of_a_revoked_key_does_not_sign_in(api: Running, acme: Tenant) -> None:
    stranger, key = await api.client(), await api.key(acme, "read")
    of_revoked = await _link(api, acme, key_id=key.split("_")[1])
    await (await api.admin(acme)).delete(f"/keys/{key.split('_')[1]}")
    for link in (of_revoked, "nonsense", ""):
        assert_problem(await stranger.post("/session", json={"link": link}), 401, "link_expired")
    old = await _link(api, acme)
    await _execute(api, "update sign_in_links set expires_at = clock_timestamp()")
    assert_problem(await stranger.post("/session", json={"link": old}), 401, "link_expired")


async def test_the_cookie_replaces_the_key_on_every_kind_of_route(api: Running, acme: Tenant) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    browser.headers["X-CSRF-Token"] = said["csrf_token"]
    document = await uploaded(browser, b"by cookie")
    replayed = await uploaded(browser, b"by cookie, with a key to repeat it", key="again")
    assert (await browser.get(f"/documents/{document['id']}")).status_code == 200
    assert (await browser.delete(f"/documents/{replayed['id']}")).status_code == 204
    assert (await browser.post("/projects", json={"name": "new"})).status_code == 201


async def test_a_session_may_no_more_than_its_key(api: Running, acme: Tenant) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "read"))
    browser.headers["X-CSRF-Token"] = said["csrf_token"]
    assert (await browser.get("/projects")).status_code == 200
    assert_problem(await browser.post("/documents", files={"file": b"x"}), 403, "forbidden")
    assert_problem(await browser.get("/keys"), 403, "forbidden")


async def test_sessions_of_two_tenants_never_meet(api: Running, acme: Tenant) -> None:
    theirs, _ = await _signed_in(api, await api.key(await api.tenant("theirs"), "admin"))
    document = await uploaded(await api.admin(acme))
    assert_problem(await theirs.get(f"/documents/{document['id']}"), 404, "not_found")
    assert_problem(await theirs.get("/documents", headers={"Tenant-ID": "acme"}), 403, "forbidden")


async def test_an_explicit_key_wins_over_the_cookie(api: Running, acme: Tenant) -> None:
    browser, _ = await _signed_in(api, await api.key(acme, "admin"))
    reader = await api.key(acme, "read")
    assert_problem(await browser.get("/keys", headers={"X-API-Key": reader}), 403, "forbidden")
    assert_problem(await browser.get("/keys", headers={"X-API-Key": "wrong"}), 401, "unauthorized")
    by_key = await browser.post("/documents", files={"file": b"x"}, headers={"X-API-Key": await api.key(acme, "write")})
    assert by_key.status_code == 200  # a key is not sent by accident, so it needs no second proof


@pytest.mark.parametrize(("method", "path"), UNSAFE)
async def test_what_changes_something_needs_the_session_s_own_token(
    api: Running, acme: Tenant, method: str, path: str
) -> None:
    key = await api.key(acme, "admin")
    browser, said = await _signed_in(api, key)
    _, of_another = await _signed_in(api, key)
    for token in (
        None,
        "",
        "ключ",
        of_another["csrf_token"],
        said["csrf_token"][:-1],
        said["csrf_token"].upper(),
    ):
        headers = {b"X-CSRF-Token": token.encode()} if token is not None else {}
        assert_problem(await browser.request(method, path, headers=headers), 403, "csrf_failed")
    assert (await browser.get("/session")).status_code == 200
    assert await api.count("documents") == 0


@pytest.mark.parametrize(
    "header",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://docsieve:3000"},
        {"Origin": "null"},
    ],
)
async def test_another_site_or_port_cannot_use_the_cookie(api: Running, acme: Tenant, header: dict[str, str]) -> None:
    key = await api.key(acme, "admin")
    browser, said = await _signed_in(api, key)
    proven = {**header, "X-CSRF-Token": said["csrf_token"]}
    assert_problem(await browser.post("/documents", files={"file": b"x"}, headers=proven), 403, "csrf_failed")
    assert_problem(await browser.get("/documents", headers=header), 403, "csrf_failed")
    assert_problem(await browser.get("/session", headers=header), 403, "csrf_failed")
    assert_problem(await browser.post("/session", json={"key": key}, headers=header), 403, "csrf_failed")
    assert_problem(await browser.delete("/session", headers=proven), 403, "csrf_failed")


@pytest.mark.parametrize(
    "header", [{"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}, {"Origin": "http://docsieve"}]
)
async def test_our_own_pages_can(api: Running, acme: Tenant, header: dict[str, str]) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    proven = {**header, "X-CSRF-Token": said["csrf_token"]}
    assert (await browser.post("/documents", files={"file": b"x"}, headers=proven)).status_code == 200


async def test_signing_out_ends_the_session_and_takes_the_cookie_back(api: Running, acme: Tenant) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    stolen = browser.cookies[PLAIN]
    signed_out = await browser.delete("/session", headers={"X-CSRF-Token": said["csrf_token"]})
    assert signed_out.status_code == 204
    assert all("Max-Age=0" in each for each in signed_out.headers.get_list("set-cookie"))
    assert PLAIN not in browser.cookies
    assert_problem(await browser.get("/session"), 401, "unauthorized")
    thief = await api.client(Cookie=f"{PLAIN}={stolen}")
    for path in ("/session", "/documents"):
        assert_problem(await thief.get(path), 401, "session_expired")
    assert (await browser.delete("/session")).status_code == 204  # signing out twice is harmless


async def test_signing_in_again_ends_the_session_before(api: Running, acme: Tenant) -> None:
    key = await api.key(acme, "admin")
    browser, _ = await _signed_in(api, key)
    assert (await browser.post("/session", json={"key": key})).status_code == 200
    assert await api.count("sessions") == 1


@pytest.mark.parametrize(
    "ending",
    [
        "update sessions set expires_at = clock_timestamp()",
        "update sessions set seen_at = clock_timestamp() - interval '13 hours'",
        "update api_keys set revoked_at = clock_timestamp()",
        "update api_keys set expires_at = clock_timestamp()",
        "delete from api_keys",
    ],
)
async def test_a_session_ends_by_age_by_idleness_and_with_its_key(api: Running, acme: Tenant, ending: str) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    await _execute(api, ending)
    browser.headers["X-CSRF-Token"] = said["csrf_token"]
    assert_problem(await browser.get("/session"), 401, "session_expired")
    assert_problem(await browser.get("/documents"), 401, "session_expired")
    assert_problem(await browser.post("/documents", files={"file": b"x"}), 401, "session_expired")


async def test_a_session_in_use_does_not_become_idle(api: Running, acme: Tenant) -> None:
    browser, _ = await _signed_in(api, await api.key(acme, "admin"))
    for _ in range(3):
        await _execute(api, "update sessions set seen_at = seen_at - interval '11 hours'")
        assert (await browser.get("/projects")).status_code == 200


async def test_a_session_ends_no_later_than_its_key(api: Running, acme: Tenant) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    await _execute(api, "update api_keys set expires_at = clock_timestamp() + interval '1 hour'")
    assert (await browser.get("/session")).json()["expires_at"] < said["expires_at"]


async def test_neither_token_is_in_the_database(api: Running, acme: Tenant) -> None:
    browser, said = await _signed_in(api, await api.key(acme, "admin"))
    link = await _link(api, acme)
    async with api.resources.database.system() as connection:
        rows = await connection.fetch("select s::text from sessions s union all select l::text from sign_in_links l")
    kept = "".join(row[0] for row in rows)
    for secret in (browser.cookies[PLAIN], said["csrf_token"], link):
        assert secret not in kept
        assert secret.encode().hex() not in kept


async def test_the_role_of_requests_sees_no_session(api: Running, acme: Tenant) -> None:
    await _signed_in(api, await api.key(acme, "admin"))
    for table in ("sessions", "sign_in_links"):
        for power in ("select", "insert", "update", "delete"):
            async with api.resources.database.tenant(Scope(acme.id)) as session:
                allowed = await session.connection.fetchval("select has_table_privilege($1, $2)", table, power)
            assert allowed is False, (table, power)
