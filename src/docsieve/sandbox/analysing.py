"""Analysing pages inside a sandboxed child."""

from collections.abc import Iterable
from typing import Any

from docsieve.domain.pages import Page
from docsieve.sandbox.port import Report


def analyse(pages: Iterable[Page], wanted: dict[str, Any] | None) -> dict[str, Any] | None:
    for _ in pages:
        pass
    return None


def analyse_document(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    return {}
