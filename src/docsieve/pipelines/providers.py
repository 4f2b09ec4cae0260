"""The providers that one extraction may call."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from docsieve.engines.llm.engine import Showing
from docsieve.errors import Invalid
from docsieve.llm.port import Answer, ChatModel
from docsieve.llm.prices import Prices, cost
from docsieve.pipelines.asking import Asking
from docsieve.pipelines.paying import Ledger, Limits, Paying
from docsieve.pipelines.prebuilt import Original
from docsieve.remote.azure.prebuilt import AzureAccount


class NoModel(Invalid):
    """This engine asks a language model, and none is configured."""

    code = "no_model"


class NoAccount(Invalid):
    """This engine asks Azure Document Intelligence, which is not configured."""

    code = "no_account"


@dataclass(frozen=True, slots=True)
class Providers:
    """Without a ledger and limits, as in a command that works on files, nothing is counted or cached.

    With `use_kept` false, no answer cached for another extraction is used. `originals` fetches the uploaded files,
    which only some engines need.
    """

    model: ChatModel | None = None
    prices: Prices | None = None
    ledger: Ledger | None = None
    limits: Limits | None = None
    use_kept: bool = True
    showing: Showing | None = None
    account: AzureAccount | None = None
    originals: Callable[[], Awaitable[Sequence[Original]]] | None = None
    schema_name: str | None = None

    def asking(self) -> Asking:
        """Raises NoModel."""
        model = self.model
        if model is None:
            raise NoModel
        paying = Paying(model.name, ledger=self.ledger, limits=self.limits, use_kept=self.use_kept)

        def price(answer: Answer) -> float | None:
            return cost(model.provider, model.model, answer, self.prices)

        return Asking(model, paying, price)
