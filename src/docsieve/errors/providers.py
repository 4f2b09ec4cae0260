"""Errors of external providers: language models, embedders and remote parsers, their settings, limits and prices."""

from typing import Any

from docsieve.errors import AttemptError, DocsieveError, Invalid

DEFAULT_WAIT_SECONDS = 15.0
"""How long to wait for a busy provider that does not say."""

_ASKED_ALREADY_WAIT_SECONDS = 5.0


class ProviderError(AttemptError):
    """The provider could not be reached or returned an unexpected response."""

    status = 503
    code = "provider_error"
    answered: int | None = None
    """The HTTP status of the provider's response, if there was one."""


class ProviderTimeout(ProviderError):
    """The provider accepted the request but did not finish in time."""

    code = "provider_timeout"


class ProviderBusy(ProviderError):
    """The provider is busy. The job is retried after `seconds`, which uses up no attempt."""

    code = "provider_busy"

    def __init__(self, detail: str | None = None, seconds: float = DEFAULT_WAIT_SECONDS) -> None:
        super().__init__(detail)
        self.seconds = seconds


class ProviderDown(ProviderBusy):
    """The provider failed several times in a row. No requests are sent to it for a while."""

    code = "provider_down"


class AskedAlready(ProviderBusy):
    """Another job is already sending the same request. Its response will be reused."""

    code = "asked_already"

    def __init__(self, detail: str | None = None, seconds: float = _ASKED_ALREADY_WAIT_SECONDS) -> None:
        super().__init__(detail, seconds)


class ProviderRefused(ProviderError):
    """The provider rejected the request. A retry would not help."""

    code = "provider_refused"
    permanent = True


class AnswerUnreadable(ProviderError):
    """The language model's answer is not the requested JSON."""

    code = "answer_unreadable"

    def __init__(self, detail: str, answer: Any) -> None:
        """`answer` is the `docsieve.llm.port.Answer` that was paid for."""
        super().__init__(detail)
        self.answer = answer


class AnswerRefused(ProviderRefused):
    """The language model declined to answer."""

    code = "answer_refused"

    def __init__(self, detail: str, answer: Any) -> None:
        """`answer` is the `docsieve.llm.port.Answer` that was paid for."""
        super().__init__(detail)
        self.answer = answer


class AnswerMalformed(DocsieveError):
    """The language model's answers do not match the schema."""

    status = 502
    code = "answer_malformed"


class BudgetExceeded(DocsieveError):
    """The monthly budget for providers is used up."""

    status = 402
    code = "budget_exceeded"


class PriceUnknown(DocsieveError):
    """A budget is set, but the price of this model is unknown. Add it to prices.json."""

    status = 402
    code = "price_unknown"


class NoModel(Invalid):
    """This engine needs a language model, and none is configured."""

    code = "no_model"


class NoAccount(Invalid):
    """This engine needs Azure Document Intelligence, which is not configured."""

    code = "no_account"


class NoPrebuiltModel(Invalid):
    """The provider has no prebuilt model for documents of this kind."""

    code = "no_prebuilt_model"


class ModelNotConfigured(Invalid):
    """A setting that this language model needs is missing."""

    code = "model_not_configured"


class UnknownModelProvider(Invalid):
    """Provider of language models not found."""

    code = "unknown_model_provider"


class UnknownEmbedder(Invalid):
    """Embedder not found."""

    code = "unknown_embedder"


class PricesInvalid(Invalid):
    """The price file is not valid."""

    code = "prices_invalid"
