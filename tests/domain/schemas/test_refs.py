"""How versions of schemas and prompts are named."""

import pytest

from docsieve.domain.schemas.refs import PromptRef, SchemaRef
from docsieve.errors.extractions import UnknownPrompt, UnknownSchema


@pytest.mark.parametrize("text", ["invoice", "invoice@3", "1099@0", "bank-statement", "a_b@999999999"])
def test_a_reference_reads_as_it_is_written(text: str) -> None:
    assert str(SchemaRef.parse(text)) == text
    assert str(PromptRef.parse(text)) == text


def test_a_reference_has_a_name_and_a_version_or_none() -> None:
    assert (SchemaRef.parse("invoice").name, SchemaRef.parse("invoice").version) == ("invoice", None)
    assert SchemaRef.parse("invoice@3") == SchemaRef("invoice", 3)


@pytest.mark.parametrize(
    "text", ["", "Invoice", "invoice@", "invoice@-1", "invoice@03", "invoice@1.0", "a b", "invoice\n", "x@٣", "a" * 64]
)
def test_what_names_nothing_is_unknown(text: str) -> None:
    with pytest.raises(UnknownSchema):
        SchemaRef.parse(text)
    with pytest.raises(UnknownPrompt):
        PromptRef.parse(text)
