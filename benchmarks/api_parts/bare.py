"""The least that a request can be: `python -m benchmarks.api_parts.bare PORT DSN`.

A handler in the same framework, under the same server settings, with our own pool of connections, which lends them in
less time than the driver's. `/one-query` reads one row by its key. Nothing is authenticated, logged or measured.
"""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import uvicorn
from fastapi import FastAPI, Request, Response

from docsieve.db.connection.pool import Pool


async def _nothing(_: Request) -> Response:
    return Response("ok")


async def _one_query(request: Request) -> Response:
    row = await request.app.state.pool.fetchrow("select id, status from documents where id = $1", request.app.state.id)
    return Response(str(row["status"]))


@asynccontextmanager
async def _lifespan(app: FastAPI, *, dsn: str) -> AsyncIterator[None]:
    pool = app.state.pool = Pool(dsn, most=20, statement_cache_size=200, settings=None)
    app.state.id = await pool.fetchval("select id from documents limit 1")
    try:
        yield
    finally:
        await pool.close()


def main() -> None:
    port, dsn = sys.argv[1:]
    app = FastAPI(lifespan=partial(_lifespan, dsn=dsn))
    for path, handler in (("/readyz", _nothing), ("/nothing", _nothing), ("/one-query", _one_query)):
        app.get(path)(handler)
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
