"""A temporary directory for one piece of work, with a fixed name for each file in it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class WorkDir:
    path: Path

    @property
    def original(self) -> Path:
        """The document as it was uploaded."""
        return self.path / "original"

    @property
    def pages(self) -> Path:
        """Its page file."""
        return self.path / "pages"

    @property
    def chunks(self) -> Path:
        return self.path / "chunks"

    @property
    def attachments(self) -> Path:
        """A folder with a file per attachment."""
        return self.path / "attachments"

    @property
    def page(self) -> Path:
        """The JSON of one page."""
        return self.path / "page.json"

    @property
    def image(self) -> Path:
        """The image of one page."""
        return self.path / "image.webp"
