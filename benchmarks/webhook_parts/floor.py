"""The least that a delivery could be: `httpx` posts a signed message, and one row says so, at the rate of the case."""

import asyncio
import sys
import time
from uuid import uuid4

import asyncpg
import httpx

from docsieve.webhooks import new_secret, sign

AT_ONCE = 7
BURSTS = 100
PAUSE_SECONDS = 0.1


async def main(url: str, dsn: str) -> None:
    """Prints the processor time that it took, in seconds."""
    secret = new_secret()
    async with httpx.AsyncClient() as client, asyncpg.create_pool(dsn, min_size=AT_ONCE, max_size=AT_ONCE) as pool:
        await pool.execute("create table sent (id uuid primary key, status int, at timestamptz default now())")

        async def deliver() -> None:
            message_id, timestamp, body = uuid4(), int(time.time()), b"{}" + b" " * 300
            signature = sign(secret, str(message_id), timestamp, body)
            answer = await client.post(url, content=body, headers={"webhook-signature": signature})
            await pool.execute("insert into sent values ($1, $2)", message_id, answer.status_code)

        await asyncio.gather(*(deliver() for _ in range(AT_ONCE)))
        begun = time.process_time()
        for _ in range(BURSTS):
            await asyncio.gather(*(deliver() for _ in range(AT_ONCE)))
            await asyncio.sleep(PAUSE_SECONDS)
        print(time.process_time() - begun)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
