"""Asks a language model for the class of a document, if one is configured and the local answer is uncertain."""

import math
from collections.abc import Sequence
from typing import Any

from docsieve.domain.classes import BUILT_IN, BUILT_IN_NAMES, ClassDescription, Classification
from docsieve.errors.providers import BudgetExceeded, PriceUnknown, ProviderBusy, ProviderDown, ProviderError
from docsieve.llm.port import Question
from docsieve.llm.quotation import RULE, quoted
from docsieve.logs import get_logger
from docsieve.pipelines.model_calls import ModelCalls

log = get_logger()

ASK_BELOW = 0.6
"""A local answer less sure than this is worth the price of a model's."""

_MAX_CHARACTERS = 6_000
_MAX_TOKENS = 8_192
"""The answer is short, but models that think aloud before it need room."""


async def improve(
    local: Classification,
    model_calls: ModelCalls | None,
    text: str,
    own_classes: Sequence[ClassDescription] = (),
    *,
    document_id: str | None = None,
) -> Classification:
    """The model's answer when the local one is unsure and there is a model; else the local one.

    A model that fails or is in an outage, and a budget that is used up, cost nothing but the better answer. Where the
    model or its limits make us wait, ProviderBusy comes out.
    """
    if model_calls is None or local.confidence >= ASK_BELOW or not text.strip():
        return local
    try:
        return await classify_with_model(model_calls, text, own_classes)
    except (ProviderDown, BudgetExceeded, PriceUnknown) as error:
        reason = error.code
    except ProviderBusy:
        raise
    except ProviderError as error:
        reason = error.code
    log.warning(
        "model_gave_no_class", document_id=document_id, model=model_calls.model.name, error=reason, kept=local.name
    )
    return local


async def classify_with_model(
    model_calls: ModelCalls, text: str, own_classes: Sequence[ClassDescription] = ()
) -> Classification:
    """Raises what `ModelCalls.ask` raises, and ProviderError when the model names a class that was not offered."""
    classes = [*BUILT_IN, *(each for each in own_classes if each.name not in BUILT_IN_NAMES)]
    offered = "\n".join(f"- {each.name}: {each.description}" for each in classes)
    system = f"You decide what kind of document you are shown. These are the kinds:\n{offered}\n\n{RULE}"
    user = quoted(text, max_characters=_MAX_CHARACTERS)
    answer = (await model_calls.ask(Question(system, user, _schema(classes), max_output_tokens=_MAX_TOKENS))).json
    said = answer if isinstance(answer, dict) else {}
    name, confidence = said.get("class"), _share(said.get("confidence"))
    if confidence is None or not any(name == each.name for each in classes):
        raise ProviderError("The language model returned an unknown class.")
    return Classification(str(name), confidence, by="model")


def _share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return round(min(max(float(value), 0.0), 1.0), 3)


def _schema(classes: Sequence[ClassDescription]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "class": {"type": "string", "enum": [each.name for each in classes]},
            "confidence": {"type": "number", "description": "between 0 and 1: how likely the class is right"},
        },
        "required": ["class", "confidence"],
        "additionalProperties": False,
    }
