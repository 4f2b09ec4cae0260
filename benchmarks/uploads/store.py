"""An S3 server on loopback, `python -m benchmarks.uploads.store`: prints its port and ends with its input."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

BUCKET = "bench"


@asynccontextmanager
async def s3_store() -> AsyncIterator[dict[str, str]]:
    """The settings of an API whose blob store it is."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.uploads.store", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        endpoint = f"http://127.0.0.1:{int(await process.stdout.readline())}"
        async with httpx.AsyncClient() as client:
            (await client.put(f"{endpoint}/{BUCKET}")).raise_for_status()
        yield {
            "DOCSIEVE_BLOB_URL": f"s3://{BUCKET}",
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_ACCESS_KEY_ID": "bench",
            "AWS_SECRET_ACCESS_KEY": "bench",
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }
    finally:
        process.stdin.close()
        await process.wait()


def main() -> None:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    print(server.get_host_and_port()[1], flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
