"""What an answer costs, by a table of USD for each million tokens.

The table ships with the product, with its date, and a file of the operator's may add to it or change it:

    {"as_of": "2026-11", "models": {"openai": {"gpt-4o-mini": {"input": 0.15, "cached_input": 0.075, "output": 0.6}}}}

For a model that is not in it, tokens are counted and the cost is None.
"""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from docsieve.errors.providers import PricesInvalid
from docsieve.llm.port import Answer

FILE_NAME = "prices.json"
"""The operator's file, in the data folder."""

# A dated or named release of a model costs what the model does; any other ending is another model.
_RELEASE = re.compile(r"(-preview|-latest|-exp)?(-\d{2,}[\d-]*)?")
_SHARED = {"azure": "openai"}
_MILLION = 1_000_000


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Rates(_Strict):
    input: float = Field(ge=0)
    cached_input: float | None = Field(None, ge=0)
    output: float = Field(ge=0)

    def cost(self, answer: Answer) -> float:
        cached = self.input if self.cached_input is None else self.cached_input
        fresh = answer.input_tokens - answer.cached_input_tokens
        spent = fresh * self.input + answer.cached_input_tokens * cached + answer.output_tokens * self.output
        return round(spent / _MILLION, 9)


class _LongRates(_Rates):
    tokens: int = Field(gt=0)


class Price(_Rates):
    """`above` holds for the whole question once its input is longer than so many tokens."""

    above: _LongRates | None = None

    def of(self, answer: Answer) -> float:
        long = self.above is not None and answer.input_tokens > self.above.tokens
        return self.above.cost(answer) if self.above is not None and long else self.cost(answer)


class Prices(_Strict):
    as_of: str
    models: dict[str, dict[str, Price]]

    def of(self, provider: str, model: str) -> Price | None:
        """Matches the longest name in the table that is a prefix of the model's, if the rest is only a release."""
        known = {**self.models.get(_SHARED.get(provider, provider), {}), **self.models.get(provider, {})}
        for name in sorted(known, key=len, reverse=True):
            if model.startswith(name) and _RELEASE.fullmatch(model, len(name)):
                return known[name]
        return None


def cost(provider: str, model: str, answer: Answer, prices: Prices | None = None) -> float | None:
    """USD; by the model that answered, and by the one that was asked where that is not in the table."""
    prices = prices or shipped_prices()
    price = prices.of(provider, answer.model) or prices.of(provider, model)
    return None if price is None else price.of(answer)


@cache
def shipped_prices() -> Prices:
    return Prices.model_validate_json((files("docsieve.llm") / FILE_NAME).read_bytes())


def read_prices(data_dir: Path) -> Prices:
    """The shipped table with the operator's file over it, where there is one; raises PricesInvalid."""
    shipped, path = shipped_prices(), data_dir / FILE_NAME
    try:
        own = Prices.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return shipped
    except (ValidationError, OSError) as error:
        raise PricesInvalid(f"{path} is not a valid price file: {_place(error)}.") from error
    names = {*shipped.models, *own.models}
    return Prices(
        as_of=own.as_of,
        models={name: {**shipped.models.get(name, {}), **own.models.get(name, {})} for name in names},
    )


def _place(error: ValidationError | OSError) -> str:
    if isinstance(error, OSError):
        return type(error).__name__
    first = error.errors(include_input=False, include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc']) or 'the file'}: {first['msg']}"
