"""The bare loop: `httpx` posts the same number of signed messages, with the same number at a time."""

import asyncio
import json
import sys
import time
from uuid import uuid4

import httpx

from docsieve.services.webhooks.gates import MAX_AT_ONCE
from docsieve.webhooks import new_secret, sign


async def main(url: str, count: int) -> None:
    secret = new_secret()
    numbers = iter(range(count))

    async def post(client: httpx.AsyncClient) -> None:
        for number in numbers:
            message_id, timestamp = str(uuid4()), int(time.time())
            body = json.dumps({"id": message_id, "type": "budget.exceeded", "data": {"number": number}}).encode()
            headers = {
                "content-type": "application/json",
                "webhook-id": message_id,
                "webhook-timestamp": str(timestamp),
                "webhook-signature": sign(secret, message_id, timestamp, body),
            }
            (await client.post(url, content=body, headers=headers)).raise_for_status()

    async with httpx.AsyncClient() as client:
        await asyncio.gather(*(post(client) for _ in range(MAX_AT_ONCE)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
