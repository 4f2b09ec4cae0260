"""Azure's prebuilt models, which know one kind of document each: which one fits, what it costs, how it is asked."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass

from docsieve.remote.azure.client import API_VERSION, PROVIDER, AzureDocumentIntelligence, Pause

DOLLARS_A_PAGE = 0.01

_BY_WORD: Mapping[str, str] = {
    "invoice": "prebuilt-invoice",
    "receipt": "prebuilt-receipt",
    "w2": "prebuilt-tax.us.w2",
    "1099": "prebuilt-tax.us.1099Combo",
    "1098": "prebuilt-tax.us.1098",
    "tax": "prebuilt-tax.us",
    "bank": "prebuilt-bankStatement.us",
    "passport": "prebuilt-idDocument",
    "licence": "prebuilt-idDocument",
    "license": "prebuilt-idDocument",
    "id": "prebuilt-idDocument",
    "contract": "prebuilt-contract",
    "nda": "prebuilt-contract",
}


@dataclass(frozen=True, slots=True)
class AzureAccount:
    """Where prebuilt models are asked; opening one costs nothing."""

    endpoint: str
    key: str
    pause: Pause = asyncio.sleep

    def open(self, model: str) -> AzureDocumentIntelligence:
        return AzureDocumentIntelligence(f"{PROVIDER}:{model}", self.endpoint, self.key, model=model, pause=self.pause)

    def __repr__(self) -> str:
        return f"AzureAccount({self.endpoint!r})"


def prebuilt_model(schema_name: str | None, document_class: str | None) -> str | None:
    """The model for a schema of this name, else for a document of this class; None where there is none."""
    for said in (schema_name, document_class):
        words = set(re.findall(r"[a-z]+|\d+", (said or "").casefold()))
        words |= {"w2"} if {"w", "2"} <= words else set()
        for word, model in _BY_WORD.items():
            if word in words or f"{word}s" in words:
                return model
    return None


def analysis_key(sha256: str, model: str) -> str:
    """The cache key of an analysis: the bytes, the model and the API version."""
    return f"{PROVIDER} {model} {API_VERSION} {sha256}"
