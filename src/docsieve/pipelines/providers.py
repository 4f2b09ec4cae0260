"""The providers that one extraction may call."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from docsieve.engines.llm.engine import ShownPages
from docsieve.errors.providers import NoModel
from docsieve.llm.port import Answer, ChatModel
from docsieve.llm.prices import Prices, cost
from docsieve.pipelines.model_calls import ModelCalls
from docsieve.pipelines.prebuilt import Original
from docsieve.providers.limits import Limits
from docsieve.providers.metered import Ledger, MeteredCalls
from docsieve.remote.azure.prebuilt import AzureAccount


@dataclass(frozen=True, slots=True)
class Providers:
    """Without a ledger and limits, as in a command that works on files, nothing is counted or cached.

    `originals` fetches the uploaded files, which only some engines need.
    """

    model: ChatModel | None = None
    prices: Prices | None = None
    ledger: Ledger | None = None
    limits: Limits | None = None
    shown: ShownPages | None = None
    account: AzureAccount | None = None
    originals: Callable[[], Awaitable[Sequence[Original]]] | None = None

    def model_calls(self) -> ModelCalls:
        """Raises NoModel."""
        model = self.model
        if model is None:
            raise NoModel
        calls = MeteredCalls(model.name, ledger=self.ledger, limits=self.limits)

        def price(answer: Answer) -> float | None:
            return cost(model.provider, model.model, answer, self.prices)

        return ModelCalls(model, calls, price)
