"""How real, damaged and protected documents open. Their pages are read in the corpora run."""

import json
from pathlib import Path
from typing import Any

import pytest

from docsieve.errors import DocsieveError, EmptyDocument, PasswordRequired
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from tests.native import in_child

CORPUS = Path(__file__).parents[4] / "shared" / "corpora" / "pdf_robustness"


def documents() -> list[dict[str, Any]]:
    manifest = CORPUS / "MANIFEST.json"
    if not manifest.exists():
        pytest.skip("the corpora are not next to the repository")
    return [entry for entry in json.loads(manifest.read_text())["files"] if entry["role"] == "document"]


def outcomes(entries: list[dict[str, Any]]) -> dict[str, type[DocsieveError] | None]:
    """By file, of a child: native code may die of a damaged document."""
    return in_child(_outcomes, [entry["file"] for entry in entries])


def _outcomes(files: list[str]) -> dict[str, type[DocsieveError] | None]:
    return {file: _outcome(CORPUS / file) for file in files}


def _outcome(path: Path) -> type[DocsieveError] | None:
    try:
        PDF.read(path, ReadOptions())
    except DocsieveError as error:
        return type(error)
    return None


def test_documents_that_another_reader_opens_open_here_too() -> None:
    openable = [entry for entry in documents() if entry["probe"]["open"] == "ok" and entry["probe"].get("pages")]

    found = outcomes(openable)

    assert found
    assert [file for file, error in found.items() if error is not None] == []


def test_protected_documents_ask_for_a_password() -> None:
    protected = [entry for entry in documents() if "needs_password" in entry["traits"]]

    assert protected
    assert set(outcomes(protected).values()) == {PasswordRequired}


def test_a_document_without_pages_is_empty() -> None:
    empty = [entry for entry in documents() if "zero_pages" in entry["traits"]]

    assert set(outcomes(empty).values()) == {EmptyDocument}
