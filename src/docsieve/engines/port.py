"""What an engine is: pages and a schema become values. Every engine passes `tests/engines/test_contract.py`.

There are two halves to it, as with parsers. An engine that thinks for itself is a `LocalEngine`: it is pure, and runs
in a sandboxed child. One that asks somebody outside runs in the worker, which has the network, and sees documents only
as what a child prepared to be sent. Neither proves anything: grounding does that for all.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from docsieve.domain.extraction import Material, Proposal
from docsieve.domain.schemas.fields import Schema


class LocalEngine(Protocol):
    """`version` changes whenever the same pages and schema would give another answer."""

    name: str
    version: str

    def propose(self, materials: Sequence[Material], schema: Schema, *, lessons: dict[str, Any] | None) -> Proposal:
        """Values for what was found; what was not found is left out. `lessons` is what corrections have taught."""
        ...
