"""What a child reports as its failure is not trusted: a document may have taken it over."""

import pytest

from docsieve.errors import CorruptDocument, ParserCrashed
from docsieve.sandbox.failures import error_of_answer


def test_a_failure_keeps_its_class_and_detail() -> None:
    error = error_of_answer({"code": "corrupt_document", "detail": "The page is damaged."})
    assert (type(error), error.detail) == (CorruptDocument, "The page is damaged.")


@pytest.mark.parametrize(
    "code", ["no_such_code", None, 7, "schema_invalid", "answer_unreadable", "database_unreachable", "provider_busy"]
)
def test_a_failure_that_no_task_has_is_a_crash(code: object) -> None:
    assert type(error_of_answer({"code": code, "detail": "some text"})) is ParserCrashed


def test_a_detail_that_is_not_text_is_a_crash() -> None:
    assert type(error_of_answer({"code": "corrupt_document", "detail": {"a": 1}})) is ParserCrashed
