"""OpenAI's models in an Azure resource; a model is named by its deployment."""

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit, urlunsplit

from docsieve.llm.vendors.http_client import timeout
from docsieve.llm.vendors.openai import OpenAIModel

if TYPE_CHECKING:
    from httpx2 import AsyncClient

API_VERSION = "2024-10-21"
"""The last one that is dated and generally available; another is named in the endpoint: `https://…/?api-version=…`."""


class AzureOpenAIModel(OpenAIModel):
    provider = "azure"

    def _connect(self, http: "AsyncClient") -> Any:
        import openai

        endpoint, version = _endpoint(self._url)
        client = openai.AsyncAzureOpenAI(
            api_key=self._key.get_secret_value(),
            azure_endpoint=endpoint,
            azure_deployment=self.model,
            api_version=version,
            max_retries=0,
            timeout=timeout(self._seconds),
            http_client=http,
        )
        client.organization = client.project = None  # the SDK takes them from the environment
        return client


def _endpoint(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    [version] = parse_qs(parts.query).get("api-version", [API_VERSION])[-1:]
    return urlunsplit((parts.scheme, parts.netloc, parts.path, "", "")), version
