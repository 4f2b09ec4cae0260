"""What the fields of a schema ask for."""

from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.ready import READY
from docsieve.engines.local.vocabulary.targets import targets_of


def test_a_phrase_that_one_document_adds_to_a_field_is_unknown_to_the_next() -> None:
    fields = fields_of(READY["invoice"])
    before = [[*target.own] for target in targets_of(fields)]

    for target in targets_of(fields):
        target.own += [(("added",), 1.0)]

    assert [target.own for target in targets_of(fields)] == before
