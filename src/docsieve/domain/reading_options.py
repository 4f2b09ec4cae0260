"""Options for reading a document."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

from docsieve.domain.packets import Split

Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]{3,12}$")]


class ReadingOptions(BaseModel):
    """Options of an upload. None means the operator's setting."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    parser: str | None = None
    ocr_engine: str | None = None
    ocr_languages: tuple[Language, ...] | None = None
    attachments: bool | None = None
    split: Split | None = None

    def stored(self) -> dict[str, Any]:
        """As stored in the database: only the options that were given."""
        return self.model_dump(mode="json", exclude_none=True)
