"""A streaming multipart/form-data parser: fields are collected, and file bytes are passed on as they arrive.

Uploads are the busiest route, and a parser with a callback per token took four times as long.
"""

import re
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from string import ascii_letters, digits

from python_multipart.multipart import parse_options_header

from docsieve.domain.text import clean
from docsieve.errors import Invalid

MAX_FIELD_BYTES = 256 * 1024
_MAX_FIELDS = 31
_MAX_FILENAME_LENGTH = 255
_MAX_BOUNDARY_LENGTH = 256
_MAX_HEADERS = 8
_MAX_HEADER_BYTES = 64 * 1024  # a long file name is truncated, not rejected
_MAX_HEAD_BYTES = 2 * _MAX_HEADER_BYTES
_DISPOSITION = re.compile(r'form-data; name="([^"\\]*)"(?:; filename="([^"\\]*)")?')  # as most clients write it
_TOKEN = (ascii_letters + digits + "!#$%&'*+-.^_`|~").encode()


@dataclass(slots=True)
class _File:
    """A part named `file`; `chunks` are those that were not passed on yet."""

    name: str
    chunks: list[bytes] = field(default_factory=list)
    complete: bool = False


class FormStream:
    """Parses a request body. `file` yields the bytes of the part named `file`, `files` those of several in their order.

    After the last byte, `fields` is complete.
    """

    def __init__(self, content_type: str, body: AsyncIterator[bytes], *, max_files: int = 1) -> None:
        media_type, options = parse_options_header(content_type)
        if media_type != b"multipart/form-data" or not options.get(b"boundary"):
            raise Invalid("Send the document as multipart/form-data with a part named 'file'.")
        if len(options[b"boundary"]) > _MAX_BOUNDARY_LENGTH:
            raise _malformed()
        self.fields: dict[str, str] = {}
        self._body = body
        self._delimiter = b"\r\n--" + options[b"boundary"]
        # Takes the bytes received so far, consumes as much as possible and returns the rest, which is put in front of
        # the next chunk.
        self._parse: Callable[[bytes], bytes] = self._parse_opening
        self._rest = b""
        self._parts = 0
        self._name = ""
        self._content = bytearray()
        self._max_files = max_files
        self._file_count = 0
        self._files: deque[_File] = deque()

    async def has_file(self) -> bool:
        """Read up to the file, or to the end of a form without one."""
        while not self._files:
            if not await self._feed():
                return False
        return True

    async def filename(self) -> str:
        """Read up to the file. Raises Invalid if the form has none."""
        if not await self.has_file():
            raise Invalid("The form has no part named 'file'.")
        return self._files[0].name

    async def file(self) -> AsyncIterator[bytes]:
        """Yield the file's bytes, then read the rest of the form for its fields."""
        async for chunk in self._content_of(self._files[0]):
            yield chunk
        while await self._feed():
            pass

    async def files(self) -> AsyncIterator[tuple[str, AsyncIterator[bytes]]]:
        """Yield name and bytes of each file; read the bytes before the next file. Raises Invalid if there is none."""
        await self.filename()
        while self._files or await self._feed():
            if self._files:
                yield self._files[0].name, self._content_of(self._files[0])
                self._files.popleft()

    async def _content_of(self, file: _File) -> AsyncIterator[bytes]:
        while file.chunks or not file.complete:
            chunks, file.chunks = file.chunks, []
            for chunk in chunks:
                yield chunk
            if not file.complete and not await self._feed():
                raise _malformed()

    async def _feed(self) -> bool:
        try:
            chunk = await anext(self._body)
        except StopAsyncIteration:
            if self._parse != self._parse_epilogue:
                raise _malformed() from None
            return False
        data = self._rest + chunk if self._rest else chunk
        # Each step of the form has its own parser. One that consumed nothing needs more input.
        while data and len(rest := self._parse(data)) < len(data):
            data = rest
        self._rest = data
        return True

    def _parse_opening(self, data: bytes) -> bytes:
        if data[0] in b"\r\n":
            at = data.find(b"-")
            return data[at:] if at >= 0 else b""
        opening = self._delimiter[2:]
        if not data.startswith(opening[: len(data)]):
            raise _malformed()
        end = data[len(opening) : len(opening) + 2]
        if end == b"--":
            self._parse = self._parse_epilogue
        elif end == b"\r\n":
            self._begin_part()
        elif len(end) == 2:
            raise _malformed()
        else:
            return data
        return data[len(opening) + 2 :]

    def _parse_head(self, data: bytes) -> bytes:
        # A part without headers starts with the blank line that would end them.
        headers, blank, content = (b"", b"\r\n", data[2:]) if data[:2] == b"\r\n" else data.partition(b"\r\n\r\n")
        if not blank:
            if len(data) > _MAX_HEAD_BYTES:
                raise _malformed()
            return data
        self._classify(_headers_in(headers))
        self._parse = self._parse_content
        return content

    def _parse_content(self, data: bytes) -> bytes:
        delimiter, size = self._delimiter, len(self._delimiter)
        # Searching for a single byte is many times faster than for a string, and usually there is none.
        at = data.find(b"\r")
        at = data.find(delimiter, at) if at >= 0 else at
        while at >= 0:
            end = data[at + size : at + size + 2]
            if end in (b"\r\n", b"--"):
                self._take(data[:at])
                self._end_part()
                if end == b"--":
                    self._parse = self._parse_epilogue
                else:
                    self._begin_part()
                return data[at + size + 2 :]
            if len(end) < 2:
                break
            at = data.find(delimiter, at + size)
        if at < 0:
            # A boundary cannot contain its own first byte, so it can only start here.
            at = data.rfind(b"\r", max(len(data) - size + 1, 0))
            if at < 0 or not delimiter.startswith(data[at:]):
                at = len(data)
        self._take(data[:at])
        return data[at:]

    def _parse_epilogue(self, data: bytes) -> bytes:
        return b""

    def _begin_part(self) -> None:
        self._parts += 1
        max_parts = _MAX_FIELDS + self._max_files
        if self._parts > max_parts:
            raise Invalid(f"The form has more than {max_parts} parts.")
        self._parse = self._parse_head

    def _classify(self, headers: dict[str, str]) -> None:
        self._name, filename = _names(headers.get("content-disposition", ""))
        self._content = bytearray()
        if self._name != "file":
            return
        self._file_count += 1
        if self._file_count > self._max_files:
            allowed = "one document" if self._max_files == 1 else f"at most {self._max_files} documents"
            raise Invalid(f"The form has too many parts named 'file'. Send {allowed} per request.")
        self._files.append(_File(safe_filename(filename)))

    def _take(self, content: bytes) -> None:
        if self._name == "file":
            if content:
                self._files[-1].chunks.append(content)
            return
        self._content += content
        if len(self._content) > MAX_FIELD_BYTES:
            raise Invalid(f"{self._name}: the field is longer than {MAX_FIELD_BYTES} bytes.")

    def _end_part(self) -> None:
        if self._name == "file":
            self._files[-1].complete = True
        elif self._name in self.fields:
            raise Invalid(f"{self._name}: the field was sent more than once.")
        elif self._name:
            self.fields[self._name] = self._content.decode(errors="replace")


def _headers_in(head: bytes) -> dict[str, str]:
    lines = head.split(b"\r\n") if head else []
    if len(lines) > _MAX_HEADERS:
        raise _malformed()
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not (name and colon) or name.translate(None, _TOKEN) or b"\r" in line or len(line) > _MAX_HEADER_BYTES:
            raise _malformed()
        headers[name.decode("latin-1").lower()] = value.lstrip(b" ").decode("latin-1")
    return headers


def _names(disposition: str) -> tuple[str, str]:
    """The name of a part and that of its file."""
    usual = _DISPOSITION.fullmatch(disposition)
    if usual is not None and disposition.isascii():
        return usual[1], usual[2] or ""
    _, options = parse_options_header(disposition)
    return (options.get(b"name", b"").decode(errors="replace"), options.get(b"filename", b"").decode(errors="replace"))


def safe_filename(name: str) -> str:
    """The last component of the path that the client sent. It is displayed and never used as a path."""
    base = " ".join(clean(name.replace("\\", "/").rpartition("/")[2]).split())
    return base[-_MAX_FILENAME_LENGTH:] or "document"


def _malformed() -> Invalid:
    return Invalid("The body is not valid or not complete multipart/form-data.")
