"""What a remote parser is: a provider that reads documents, spoken to over the network.

Its work is in two parts. The worker's own process, which has the network, sends the document and fetches the provider's
answer, and looks into neither. What the answer says becomes pages in a sandboxed child, by a parser in `parsers/` that
reads the type `answer_type`. An adapter is one file here and one line in `registry.py`, and imports the provider's
library only when it is used.
"""

from pathlib import Path
from typing import Protocol

from docsieve.domain.pages.page import OnProgress


class RemoteParser(Protocol):
    """`name` is what a sender asks for; with `version` it names everything that shapes the pages.

    `provider` is provider:model, by which all workers together keep within its limits.
    """

    name: str
    provider: str
    version: str
    media_types: frozenset[str]
    answer_type: str

    async def fetch(self, source: Path, answer: Path, *, password: str | None, on_progress: OnProgress) -> None:
        """Send the document, wait until it is read, and write the provider's answer; cancelling stops the wait.

        Raises the same errors about the document as other parsers, or ProviderBusy, ProviderRefused, ProviderError.
        """
        ...
