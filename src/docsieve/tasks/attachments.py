"""The task that extracts attachments from a document whose pages are known."""

from dataclasses import dataclass, field
from typing import Literal

from docsieve.domain.documents import MAIL_TYPES
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.parsers.port import HEAD_BYTES, MAX_ATTACHMENTS, Reading, ReadOptions
from docsieve.parsers.registry import detect, parser_for
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task


@dataclass(frozen=True, slots=True)
class AttachmentOptions:
    """`folder` gets a file per attachment; with `of` "mail", only attachments of mails are extracted."""

    folder: OutputPath
    of: Literal["mail", "any"] = "any"


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """The name of its file in the folder is its `number`."""

    number: int
    name: str
    media_type: str


@dataclass(frozen=True, slots=True)
class AttachedFiles:
    files: list[AttachedFile] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ExtractAttachments(Task[AttachedFiles]):
    source: InputPath
    media_type: str
    options: ReadOptions
    attachments: AttachmentOptions

    def perform(self, report: OnProgress) -> AttachedFiles:
        reading = parser_for(self.media_type).read(self.source, self.options)
        report(Progress("unpacking"))
        return AttachedFiles(write_attachments(reading, self.media_type, self.attachments))


def write_attachments(reading: Reading, media_type: str, options: AttachmentOptions) -> list[AttachedFile]:
    """Those that a parser can read; the others are only listed with the document."""
    if options.of == "mail" and (reading.media_type or media_type) not in MAIL_TYPES:
        return []
    options.folder.mkdir(exist_ok=True)
    written = []
    for number, attachment in enumerate(reading.attachments):
        if number == MAX_ATTACHMENTS:
            break
        detected = detect(attachment.content[:HEAD_BYTES]) if attachment.content else None
        if detected is not None:
            (options.folder / str(number)).write_bytes(attachment.content)
            written.append(AttachedFile(number, attachment.name, detected))
    return written
