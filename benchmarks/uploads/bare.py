"""The least that a durable upload can be: `python -m benchmarks.uploads.bare PORT DSN FOLDER`.

A handler in the same framework, under the same server. The raw request body goes to a file which is synced with its
folder, because a file whose name is lost in a power failure is lost too. Then one row is committed. Nothing is parsed,
hashed, checked, authenticated, logged or queued.
"""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

import asyncpg
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

CONNECTIONS = 20
SYNC_THREADS = 16
TABLE = "create table uploads (id uuid primary key, size bigint not null, created_at timestamptz default now())"


async def _upload(request: Request) -> JSONResponse:
    upload_id, size = uuid4(), 0
    with (request.app.state.folder / str(upload_id)).open("wb") as file:
        async for chunk in request.stream():
            size += file.write(chunk)
        file.flush()
        await asyncio.get_running_loop().run_in_executor(
            request.app.state.threads, _sync, file, request.app.state.names
        )
    await request.app.state.pool.execute("insert into uploads (id, size) values ($1, $2)", upload_id, size)
    return JSONResponse({"id": str(upload_id), "size": size})


def _sync(file: BinaryIO, folder: int) -> None:
    os.fsync(file.fileno())
    os.fsync(folder)


async def _ready(_: Request) -> JSONResponse:
    return JSONResponse({})


@asynccontextmanager
async def _lifespan(app: FastAPI, *, dsn: str, folder: Path) -> AsyncIterator[None]:
    async with asyncpg.create_pool(dsn, min_size=1, max_size=CONNECTIONS) as pool:
        await pool.execute(TABLE)
        app.state.pool, app.state.folder = pool, folder
        app.state.names = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        with ThreadPoolExecutor(SYNC_THREADS) as app.state.threads:
            yield


def main() -> None:
    port, dsn, folder = sys.argv[1:]
    app = FastAPI(lifespan=partial(_lifespan, dsn=dsn, folder=Path(folder)))
    app.post("/documents")(_upload)
    app.get("/readyz")(_ready)
    # the settings of `docsieve api`
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=int(port),
        loop="uvloop",
        http="httptools",
        log_config=None,
        access_log=False,
        server_header=False,
    )


if __name__ == "__main__":
    main()
