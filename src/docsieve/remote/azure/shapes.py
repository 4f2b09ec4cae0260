"""The part of Azure Document Intelligence's answers that we read; what else they hold is passed over."""

import gc
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from docsieve.errors.providers import ProviderError

ANSWER_TYPE = "application/vnd.docsieve.azure-analysis+json"

Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]


class _Shape(BaseModel):
    # Built when first used: most processes import this and never read such an answer.
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", frozen=True, defer_build=True)


class Span(_Shape):
    """A piece of the whole document's text; we only compare places, so that their unit does not matter."""

    offset: int
    length: int

    @property
    def end(self) -> int:
        return self.offset + self.length


class Region(_Shape):
    page_number: int
    polygon: list[Number] = []


class WordShape(_Shape):
    content: str
    span: Span
    polygon: list[Number] = []
    confidence: Number | None = None


class LineShape(_Shape):
    content: str
    spans: list[Span] = []
    polygon: list[Number] = []


class MarkShape(_Shape):
    state: str
    span: Span
    polygon: list[Number] = []
    confidence: Number | None = None


class PageShape(_Shape):
    """`angle` is by how many degrees clockwise the text is turned on the page."""

    page_number: Count
    angle: Number = 0.0
    width: Number = 0.0
    height: Number = 0.0
    unit: Literal["pixel", "inch"] = "pixel"
    words: list[WordShape] = []
    lines: list[LineShape] = []
    selection_marks: list[MarkShape] = []


class ParagraphShape(_Shape):
    role: str | None = None
    spans: list[Span] = []


class CellShape(_Shape):
    kind: str = "content"
    row_index: Count
    column_index: Count
    row_span: Count = 1
    column_span: Count = 1
    content: str = ""
    bounding_regions: list[Region] = []


class TableShape(_Shape):
    row_count: Count
    column_count: Count
    cells: list[CellShape] = []
    bounding_regions: list[Region] = []


class AnalysisShape(_Shape):
    pages: list[PageShape] = []
    paragraphs: list[ParagraphShape] = []
    tables: list[TableShape] = []


class ErrorShape(_Shape):
    """`innererror` is more specific than its parent, and `details` are errors of single pages."""

    code: str = ""
    message: str = ""
    innererror: "ErrorShape | None" = None
    details: list["ErrorShape"] = []


class OperationShape(_Shape):
    status: str
    error: ErrorShape | None = None
    analyze_result: AnalysisShape | None = None


class RefusalShape(_Shape):
    error: ErrorShape = ErrorShape()


def parse_operation(body: bytes) -> OperationShape:
    # The collector would walk through a million new objects again and again, none of which is garbage.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return OperationShape.model_validate_json(body)
    except ValidationError as error:
        raise ProviderError("The provider's response does not match its documentation.") from error
    finally:
        if collecting:
            gc.enable()


def parse_refusal(body: bytes) -> ErrorShape:
    try:
        return RefusalShape.model_validate_json(body).error
    except ValidationError:
        return ErrorShape()
