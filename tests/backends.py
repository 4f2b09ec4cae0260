"""What the tests run on. `make test-matrix` sets these variables, and the same tests show every way to run Docsieve.

    TEST_DATABASE_URL   an administrator of a PostgreSQL server; default: an embedded one, started by the run
    TEST_POOLER_URL     where a pooler in transaction mode leads to all databases of that server
    TEST_REDIS_URL      a Redis that dispatches jobs; each service gets a database of it
    TEST_BLOB_URL       a bucket for blobs; each service gets a folder of it

A test that names one of these itself, for example by `DOCSIEVE_REDIS_URL`, gets what it names.
"""

import asyncio
import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

from pydantic import SecretStr

from docsieve.blobs.registry import open_store

REDIS_DATABASES = 4096
_redis_numbers = count(os.getpid() % 97 * 40 + 1)


def external_server() -> str | None:
    return os.environ.get("TEST_DATABASE_URL")


def pooled(database_url: str) -> str:
    """The same database through the pooler, if there is one."""
    if "TEST_POOLER_URL" not in os.environ:
        return database_url
    pooler = urlsplit(os.environ["TEST_POOLER_URL"])
    return urlunsplit(pooler._replace(path=urlsplit(database_url).path))


def service_settings(database_url: str) -> dict[str, str]:
    """The environment of a service on this database. Where Redis carries the news, no one has to listen directly."""
    settings = {"DOCSIEVE_DATABASE_URL": pooled(database_url)}
    if settings["DOCSIEVE_DATABASE_URL"] != database_url and "TEST_REDIS_URL" not in os.environ:
        settings["DOCSIEVE_DATABASE_DIRECT_URL"] = database_url
    for name, value in in_process_settings().items():
        settings[f"DOCSIEVE_{name.upper()}"] = value.get_secret_value() if isinstance(value, SecretStr) else value
    return settings


def in_process_settings() -> dict[str, Any]:
    """The same for an application in the process of the test."""
    settings: dict[str, Any] = {}
    if "TEST_REDIS_URL" in os.environ:
        settings["redis_url"] = SecretStr(f"{os.environ['TEST_REDIS_URL']}/{next(_redis_numbers) % REDIS_DATABASES}")
    if "TEST_BLOB_URL" in os.environ:
        settings["blob_url"] = f"{os.environ['TEST_BLOB_URL']}/{uuid4()}"
    return settings


def stored_keys(environment: Mapping[str, str]) -> set[str]:
    """The keys of all blobs of a service, wherever it stores them."""
    url = environment.get("DOCSIEVE_BLOB_URL") or Path(environment["DOCSIEVE_DATA_DIR"], "blobs").as_uri()

    async def listed() -> set[str]:
        store = open_store(url)
        try:
            return {blob.key async for blob in store.list()}
        finally:
            await store.close()

    return asyncio.run(listed())
