"""What a sender may wish about the reading of a document."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]{3,12}$")]


class ReadingWishes(BaseModel):
    """What is not said is left to the operator's settings."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    parser: str | None = None
    ocr_engine: str | None = None
    ocr_languages: tuple[Language, ...] | None = None
    attachments: bool | None = None

    def stored(self) -> dict[str, Any]:
        """As the database keeps it: only what was said."""
        return self.model_dump(mode="json", exclude_none=True)
