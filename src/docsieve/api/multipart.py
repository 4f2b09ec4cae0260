"""multipart/form-data as a stream: fields are gathered, the file's bytes pass through as they arrive."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from docsieve.domain.text import clean
from docsieve.errors import Invalid

_LARGEST_FIELD = 256 * 1024
_MOST_PARTS = 32
_LONGEST_FILENAME = 255
_LONGEST_HEADER = 64 * 1024  # a file name may be long; it is cut, not refused


@dataclass(slots=True)
class _Part:
    headers: dict[str, str] = field(default_factory=dict)
    name: str = ""
    filename: str | None = None
    content: bytearray = field(default_factory=bytearray)


class FormStream:
    """Parses a request body. `file` yields the bytes of the part named `file`; afterwards `fields` is complete."""

    def __init__(self, content_type: str, body: AsyncIterator[bytes]) -> None:
        media_type, options = parse_options_header(content_type)
        if media_type != b"multipart/form-data" or not options.get(b"boundary"):
            raise Invalid("Send the document as multipart/form-data with a part named 'file'.")
        self.fields: dict[str, str] = {}
        self._body = body
        self._part = _Part()
        self._parts = 0
        self._header = ("", "")
        self._finished = False
        self._filename: str | None = None
        self._file_open = False
        self._file_chunks: list[bytes] = []
        try:
            self._parser = MultipartParser(
                options[b"boundary"],
                {
                    "on_part_begin": self._begin,
                    "on_header_field": lambda data, a, b: self._grow_header(data[a:b], b""),
                    "on_header_value": lambda data, a, b: self._grow_header(b"", data[a:b]),
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._classify,
                    "on_part_data": self._data,
                    "on_part_end": self._end,
                    "on_end": self._finish,
                },
                max_header_size=_LONGEST_HEADER,
            )
        except FormParserError as error:
            raise _malformed() from error

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
            if not self._finished:
                raise _malformed() from None
            return False
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise _malformed() from error
        return True

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise Invalid(f"The form has more than {_MOST_PARTS} parts.")
        self._part = _Part()

    def _grow_header(self, name: bytes, value: bytes) -> None:
        self._header = (self._header[0] + name.decode("latin-1"), self._header[1] + value.decode("latin-1"))

    def _end_header(self) -> None:
        name, value = self._header
        self._part.headers[name.lower()] = value
        self._header = ("", "")

    def _classify(self) -> None:
        _, options = parse_options_header(self._part.headers.get("content-disposition", ""))
        self._part.name = options.get(b"name", b"").decode(errors="replace")
        if self._part.name != "file":
            return
        if self._filename is not None:
            raise Invalid("The form has more than one part named 'file'; send one document a request.")
        self._filename = _safe_filename(options.get(b"filename", b"").decode(errors="replace"))
        self._file_open = True

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._part.name == "file":
            self._file_chunks.append(data[start:end])
            return
        self._part.content += data[start:end]
        if len(self._part.content) > _LARGEST_FIELD:
            raise Invalid(f"{self._part.name}: this field is longer than {_LARGEST_FIELD} bytes.")

    def _end(self) -> None:
        if self._part.name == "file":
            self._file_open = False
        elif self._part.name in self.fields:
            raise Invalid(f"{self._part.name}: this field is sent more than once.")
        elif self._part.name:
            self.fields[self._part.name] = self._part.content.decode(errors="replace")

    def _finish(self) -> None:
        self._finished = True


def _safe_filename(name: str) -> str:
    """The last part of whatever path the client sent; it is shown to people and never used as a path."""
    base = " ".join(clean(name.replace("\\", "/").rpartition("/")[2]).split())
    return base[-_LONGEST_FILENAME:] or "document"


def _malformed() -> Invalid:
    return Invalid("The body is not complete multipart/form-data.")
