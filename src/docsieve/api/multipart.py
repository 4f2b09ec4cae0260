"""multipart/form-data as a stream: fields are gathered, the file's bytes pass through as they arrive.

A parser of our own: uploads are the busiest route, and one that calls back for each token cost four times as much.
"""

from collections.abc import AsyncIterator, Callable
from string import ascii_letters, digits

from python_multipart.multipart import parse_options_header

from docsieve.domain.text import clean
from docsieve.errors import Invalid

_LARGEST_FIELD = 256 * 1024
_MOST_PARTS = 32
_LONGEST_FILENAME = 255
_LONGEST_BOUNDARY = 256
_MOST_HEADERS = 8
_LONGEST_HEADER = 64 * 1024  # a file name may be long; it is cut, not refused
_LARGEST_HEAD = 2 * _LONGEST_HEADER
_TOKEN = (ascii_letters + digits + "!#$%&'*+-.^_`|~").encode()


class FormStream:
    """Parses a request body. `file` yields the bytes of the part named `file`; afterwards `fields` is complete."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes]) -> None:
        media_type, options = parse_options_header(content_type)
        if media_type != b"multipart/form-data" or not options.get(b"boundary"):
            raise Invalid("Send the document as multipart/form-data with a part named 'file'.")
        if len(options[b"boundary"]) > _LONGEST_BOUNDARY:
            raise _malformed()
        self.fields: dict[str, str] = {}
        self._body = body
        self._delimiter = b"\r\n--" + options[b"boundary"]
        # Takes what is there of the body, consumes what it can and returns the rest, which is too little to go on
        # with: it stays in front of the next chunk.
        self._parse: Callable[[bytes], bytes] = self._parse_opening
        self._rest = b""
        self._parts = 0
        self._name = ""
        self._content = bytearray()
        self._filename: str | None = None
        self._file_open = False
        self._file_chunks: list[bytes] = []

    async def filename(self) -> str:
        """Read up to the file; raises Invalid if the form ends without one."""
        while self._filename is None:
            if not await self._feed():
                raise Invalid("The form has no part named 'file'.")
        return self._filename

    async def file(self) -> AsyncIterator[bytes]:
        """The file's bytes; then the rest of the form is read for its fields."""
        while self._file_chunks or self._file_open:
            chunks, self._file_chunks = self._file_chunks, []
            for chunk in chunks:
                yield chunk
            if self._file_open and not await self._feed():
                raise _malformed()
        while await self._feed():
            pass

    async def _feed(self) -> bool:
        try:
            chunk = await anext(self._body)
        except StopAsyncIteration:
            if self._parse != self._parse_epilogue:
                raise _malformed() from None
            return False
        data = self._rest + chunk if self._rest else chunk
        # each step of the form has its own parser; one that consumed nothing waits for more
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
        # a part without headers begins with the blank line that would end them
        headers, blank, content = (b"", b"\r\n", data[2:]) if data[:2] == b"\r\n" else data.partition(b"\r\n\r\n")
        if not blank:
            if len(data) > _LARGEST_HEAD:
                raise _malformed()
            return data
        self._classify(_headers_in(headers))
        self._parse = self._parse_content
        return content

    def _parse_content(self, data: bytes) -> bytes:
        delimiter, size = self._delimiter, len(self._delimiter)
        # a single byte is found many times faster than a string, and what has none needs no further look
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
            # only its first byte is one that a boundary cannot hold, so this is the one place where it may begin
            at = data.rfind(b"\r", max(len(data) - size + 1, 0))
            if at < 0 or not delimiter.startswith(data[at:]):
                at = len(data)
        self._take(data[:at])
        return data[at:]

    def _parse_epilogue(self, data: bytes) -> bytes:
        return b""

    def _begin_part(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise Invalid(f"The form has more than {_MOST_PARTS} parts.")
        self._parse = self._parse_head

    def _classify(self, headers: dict[str, str]) -> None:
        _, options = parse_options_header(headers.get("content-disposition", ""))
        self._name = options.get(b"name", b"").decode(errors="replace")
        self._content = bytearray()
        if self._name != "file":
            return
        if self._filename is not None:
            raise Invalid("The form has more than one part named 'file'; send one document a request.")
        self._filename = _safe_filename(options.get(b"filename", b"").decode(errors="replace"))
        self._file_open = True

    def _take(self, content: bytes) -> None:
        if self._name == "file":
            if content:
                self._file_chunks.append(content)
            return
        self._content += content
        if len(self._content) > _LARGEST_FIELD:
            raise Invalid(f"{self._name}: this field is longer than {_LARGEST_FIELD} bytes.")

    def _end_part(self) -> None:
        if self._name == "file":
            self._file_open = False
        elif self._name in self.fields:
            raise Invalid(f"{self._name}: this field is sent more than once.")
        elif self._name:
            self.fields[self._name] = self._content.decode(errors="replace")


def _headers_in(head: bytes) -> dict[str, str]:
    lines = head.split(b"\r\n") if head else []
    if len(lines) > _MOST_HEADERS:
        raise _malformed()
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(b":")
        if not (name and colon) or name.translate(None, _TOKEN) or b"\r" in line or len(line) > _LONGEST_HEADER:
            raise _malformed()
        headers[name.decode("latin-1").lower()] = value.lstrip(b" ").decode("latin-1")
    return headers


def _safe_filename(name: str) -> str:
    """The last part of whatever path the client sent; it is shown to people and never used as a path."""
    base = " ".join(clean(name.replace("\\", "/").rpartition("/")[2]).split())
    return base[-_LONGEST_FILENAME:] or "document"


def _malformed() -> Invalid:
    return Invalid("The body is not complete multipart/form-data.")
