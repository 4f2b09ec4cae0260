"""How real, damaged and protected documents open. Their pages are read in the corpora run."""

import json
from pathlib import Path
from typing import Any

import pytest

from docsieve.errors import DocsieveError, EmptyDocument, PasswordRequired
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "pdf_robustness"


def documents() -> list[dict[str, Any]]:
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        pytest.skip("the corpora are not next to the repository")
    return [entry for entry in json.loads(manifest.read_text())["files"] if entry["role"] == "document"]


def outcome(entry: dict[str, Any]) -> type[DocsieveError] | None:
    try:
        PDF.read(CORPUS / entry["file"], ReadOptions())
    except DocsieveError as error:
        return type(error)
    return None


def test_documents_that_another_reader_opens_open_here_too() -> None:
    openable = [entry for entry in documents() if entry["probe"]["open"] == "ok" and entry["probe"].get("pages")]

    failed = [entry["file"] for entry in openable if outcome(entry) is not None]

    assert openable
    assert failed == []


def test_protected_documents_ask_for_a_password() -> None:
    protected = [entry for entry in documents() if "needs_password" in entry["traits"]]

    assert protected
    assert {outcome(entry) for entry in protected} == {PasswordRequired}


def test_a_document_without_pages_is_empty() -> None:
    assert {outcome(entry) for entry in documents() if "zero_pages" in entry["traits"]} == {EmptyDocument}
