"""Document classes: the built-in ones, the shape of a tenant's own, and the schemas extracted by class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

OTHER = "other"

UNCERTAIN_BELOW = 0.6
"""A class with a lower confidence is not relied on: a model is asked if there is one, and no schema is chosen."""


@dataclass(frozen=True, slots=True)
class ClassDescription:
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Classification:
    """`confidence` is the probability that the class is correct. The runner-up is None if no other class was close."""

    name: str
    confidence: float
    runner_up: str | None = None
    runner_up_confidence: float = 0.0
    by: Literal["local", "model"] = "local"


BUILT_IN = (
    ClassDescription("invoice", "a bill from a seller to a buyer that asks for payment of goods or services"),
    ClassDescription("receipt", "a slip from a shop, restaurant, taxi or hotel that shows what was bought and paid"),
    ClassDescription("contract", "an agreement between parties with terms, obligations and signatures"),
    ClassDescription("bank_statement", "the transactions and balances of a bank account over a period"),
    ClassDescription("tax_form", "a form or certificate of a tax authority about income, wages or tax withheld"),
    ClassDescription("medical_report", "findings, diagnosis, laboratory results or treatment of a patient"),
    ClassDescription("resume", "the education, work experience and skills of a person who applies for a job"),
    ClassDescription("letter", "a message from one person or organisation to another with greeting and signature"),
    ClassDescription("id", "a passport, identity card, driving licence or other proof of who a person is"),
    ClassDescription("form", "a questionnaire or application with fields to fill in and boxes to tick"),
    ClassDescription("article", "a scientific paper, news story, report or other text written to be read"),
    ClassDescription(OTHER, "anything else"),
)

BUILT_IN_NAMES = frozenset(each.name for each in BUILT_IN)

# Unless the upload or its project names a schema. Classes that are left out have none: `tax_form` has two, w2 and 1099,
# and its name does not tell which.
BUILT_IN_SCHEMAS = {
    "invoice": "invoice",
    "receipt": "receipt",
    "contract": "contract",
    "bank_statement": "bank-statement",
    "medical_report": "medical-report",
    "resume": "resume",
    "id": "id-card",
}


def schemas_with(changes: Mapping[str, str | None]) -> dict[str, str]:
    """The built-in schemas by class, with a project's changes; None removes a class."""
    return {name: schema for name, schema in {**BUILT_IN_SCHEMAS, **changes}.items() if schema is not None}
