"""What only Gemini does."""

import pytest

from docsieve.errors.providers import ProviderBusy
from tests.llm.loopback import Reply, serving
from tests.llm.protocols.gemini import Gemini
from tests.llm.test_contract import QUESTION


async def test_the_time_to_wait_is_read_from_the_details_of_the_error() -> None:
    details = [
        {"@type": "type.googleapis.com/google.rpc.Help"},
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
    ]
    error = {"code": 429, "message": "Quota exceeded", "status": "RESOURCE_EXHAUSTED", "details": details}
    with serving(Gemini()) as provider:
        provider.replies = [Reply(429, {"error": error})]
        model = provider.protocol.open(provider.url)
        with pytest.raises(ProviderBusy, match="RESOURCE_EXHAUSTED") as caught:
            await model.ask(QUESTION)
        assert caught.value.seconds == 34.5
        await model.close()
