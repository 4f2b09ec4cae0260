"""Requests and responses about the cuts of packets."""

from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.wire.base import Body, Wire
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.packets import SURE, CutState, DecidedBy, needs_review
from docsieve.services.packets.review import CutChange, Splits

MAX_CHANGES = 5_000


class CutRead(Wire):
    after_page: int = Field(description="The last page before the cut.")
    confidence: float | None = Field(description="Probability that the cut is right. Null if a person added it.")
    reasons: list[str]
    state: CutState = Field(description="`proposed` cuts wait for a person and are not made.")
    decided_by: DecidedBy | None


class LeftOutRead(Wire):
    page: int
    reason: Literal["blank", "separator"]


class PartRead(Wire):
    first_page: int
    last_page: int
    document_id: UUID | None = Field(description="Null while the part is being written.")
    filename: str | None
    status: DocumentStatus | None
    document_class: str | None = Field(alias="class")
    class_confidence: float | None
    needs_review: bool | None = Field(description="Whether any field of its newest completed extraction needs review.")


class SplitsRead(Wire):
    document_id: UUID
    page_count: int
    threshold: float = Field(description="Cuts with at least this confidence are made without a person.")
    needs_review: bool = Field(description="Whether there are proposed cuts.")
    splitting: bool = Field(description="Whether parts are being written.")
    revision: int = Field(description="Changes with every change of the cuts.")
    cuts: list[CutRead]
    left_out: list[LeftOutRead] = Field(description="Blank pages and separator sheets, which belong to no part.")
    parts: list[PartRead]

    @classmethod
    def of(cls, splits: Splits) -> Self:
        packet = splits.packet
        return cls(
            document_id=packet.document_id,
            page_count=packet.page_count or 0,
            threshold=SURE,
            needs_review=needs_review(packet.cuts),
            splitting=splits.splitting,
            revision=packet.revision,
            cuts=[CutRead.model_validate(cut) for cut in packet.cuts],
            left_out=[LeftOutRead.model_validate(page) for page in packet.left_out],
            parts=[
                PartRead(
                    first_page=pages.first,
                    last_page=pages.last,
                    document_id=part.document_id if part else None,
                    filename=part.filename if part else None,
                    status=DocumentStatus(part.status) if part else None,
                    document_class=part.document_class if part else None,
                    class_confidence=part.class_confidence if part else None,
                    needs_review=part.needs_review if part else None,
                )
                for pages, part in splits.parts
            ],
        )


class CutChangeCreate(Body):
    action: Literal["accept", "remove", "add", "move"]
    after_page: int = Field(ge=1, le=1_000_000)
    to_page: int | None = Field(
        None, ge=1, le=1_000_000, description="For `move`: the page after which to cut instead."
    )

    def change(self) -> CutChange:
        return CutChange(self.action, self.after_page, self.to_page)


class SplitsChange(Body):
    cuts: list[CutChangeCreate] = Field(
        default_factory=list,
        max_length=MAX_CHANGES,
        description="Applied in this order, all or none. An empty list writes parts that are missing.",
    )
    revision: int | None = Field(None, ge=0, le=2**31 - 1, description="If given, it must be the current revision.")
