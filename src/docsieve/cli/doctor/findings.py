"""Findings of `docsieve doctor`: a fact and, for problems, a remedy."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    level: Literal["ok", "warning", "problem"]
    reason: str
    remedy: str | None = None


def good(check: str, reason: str) -> Finding:
    return Finding(check, "ok", reason)


def doubtful(check: str, reason: str, remedy: str) -> Finding:
    return Finding(check, "warning", reason, remedy)


def bad(check: str, reason: str, remedy: str) -> Finding:
    return Finding(check, "problem", reason, remedy)
