"""Which schema is extracted from documents of which class, unless the upload or its project names one."""

from collections.abc import Mapping

# Classes that are left out have no built-in schema. `tax_form` has two, w2 and 1099, and its name does not tell which.
BUILT_IN = {
    "invoice": "invoice",
    "receipt": "receipt",
    "contract": "contract",
    "bank_statement": "bank-statement",
    "medical_report": "medical-report",
    "resume": "resume",
    "id": "id-card",
}


def with_changes(changes: Mapping[str, str | None]) -> dict[str, str]:
    """The built-in map with a project's changes; None removes a class."""
    return {name: schema for name, schema in {**BUILT_IN, **changes}.items() if schema is not None}
