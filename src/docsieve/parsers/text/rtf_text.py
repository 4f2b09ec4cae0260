"""Reads paragraphs, headings and tables of RTF in source order. Pictures and objects are skipped."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Heading, NewPage, Paragraph
from docsieve.parsers.text.encodings import known_encoding
from docsieve.parsers.text.rtf_tokens import Token, tokens

_PASSED_OVER = frozenset(
    b"fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore latentstyles listtable "
    b"listoverridetable revtbl rsidtbl generator xmlnstbl fldinst filetbl bkmkstart bkmkend objdata objclass "
    b"pgptbl mmathPr wgrffmtfilter template nonshppict blipuid listpicture".split()
)
_CHARACTERS = {
    b"tab": "\t", b"line": "\n", b"lbr": "\n", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"emspace": " ", b"enspace": " ", b"qmspace": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "‑", b"\\": "\\", b"{": "{", b"}": "}", b"\n": "\n", b"\r": "\n"}
_CHARSETS = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gb18030", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 255: "cp437",
}  # fmt: skip
_MAX_DEPTH = 1000


@dataclass(slots=True)
class _State:
    """State that ends with its group."""

    skipped: bool = False
    in_fonts: bool = False
    hidden: bool = False
    encoding: str | None = None
    unicode_skip: int = 1
    outline: int | None = None


@dataclass(slots=True)
class _Table:
    rows: list[list[GridCell]] = field(default_factory=list)
    row: list[GridCell] = field(default_factory=list)


def blocks_of_rtf(data: bytes) -> Iterator[Block]:
    return _Reader().read(data)


def text_of_rtf(data: bytes) -> str:
    return "\n".join(_plain(block) for block in blocks_of_rtf(data))


def _plain(block: Block) -> str:
    if isinstance(block, Grid):
        return "\n".join("\t".join(cell.text for cell in row) for row in block.rows)
    return "" if isinstance(block, NewPage) else block.text


class _Reader:
    def __init__(self) -> None:
        self._state = _State()
        self._groups: list[_State] = []
        self._text: list[str] = []
        self._bytes = b""
        self._page_encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._owed = 0  # Fallback characters for readers without Unicode.
        self._high = ""
        self._table = _Table()
        self._in_table = False
        self._first_word = False
        self._done: list[Block] = []

    def read(self, data: bytes) -> Iterator[Block]:
        for token in tokens(data):
            self._take(token)
            if self._done:
                yield from self._done
                self._done = []
        self._end_paragraph()
        self._end_table()
        yield from self._done

    def _take(self, token: Token) -> None:
        if token.kind == "{":
            self._flush()
            # Groups nested deeper than any writer nests them are ignored.
            if len(self._groups) < _MAX_DEPTH:
                self._groups.append(replace(self._state))
            self._first_word, self._owed = True, 0
        elif token.kind == "}":
            self._flush()
            self._owed = 0
            if self._groups:
                self._state = self._groups.pop()
        elif token.kind == "word":
            self._word(token.value, token.number)
            self._first_word = False
        elif token.kind == "symbol":
            self._symbol(token.value)
        else:
            self._first_word = False
            self._add_bytes(token.value)

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*" and self._first_word:
            # An optional destination, and none of them is supported.
            self._state.skipped = True
        elif symbol in _SYMBOLS:
            self._add(_SYMBOLS[symbol])

    def _word(self, word: bytes, number: int | None) -> None:
        state = self._state
        if self._first_word and word in _PASSED_OVER:
            state.skipped, state.in_fonts = True, word == b"fonttbl"
        elif word == b"upr":
            state.skipped = True  # the same again in Unicode follows in an ignorable group
        elif word == b"ud":
            state.skipped = False
        elif word == b"u" and number is not None:
            self._flush()
            self._add_unicode(number & 0xFFFF)
            self._owed = state.unicode_skip
        elif word == b"uc":
            state.unicode_skip = max(number or 0, 0)
        elif word == b"htmlrtf":
            self._flush()
            state.hidden = number != 0  # RTF in place of HTML that the message has as well
        elif word == b"v":
            self._flush()
            state.hidden = number != 0
        elif not self._encoding_word(word, number):
            self._structure_word(word, number)

    def _encoding_word(self, word: bytes, number: int | None) -> bool:
        if word == b"ansicpg" and number is not None:
            self._page_encoding = known_encoding(f"cp{number}") or self._page_encoding
        elif word in (b"mac", b"pc", b"pca"):
            self._page_encoding = {b"mac": "mac-roman", b"pc": "cp437", b"pca": "cp850"}[word]
        elif word == b"f" and number is not None:
            self._flush()
            self._font = number
            if not self._state.in_fonts:
                self._state.encoding = self._fonts.get(number)
        elif word == b"fcharset" and self._state.in_fonts:
            if number in _CHARSETS and number != 0:
                self._fonts[self._font] = _CHARSETS[number]
        elif word == b"plain":
            self._flush()
            self._state.encoding = None
            self._state.hidden = False
        else:
            return False
        return True

    def _structure_word(self, word: bytes, number: int | None) -> None:
        if self._state.skipped:
            return
        if word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif word in (b"par", b"sect", b"page"):
            if self._in_table:
                self._add("\n")
            else:
                self._end_paragraph()
            if word == b"page":
                self._end_table()
                self._done.append(NewPage())
        elif word == b"pard":
            self._in_table, self._state.outline = False, None
        elif word == b"intbl":
            self._in_table = True
        elif word == b"outlinelevel":
            self._state.outline = number
        elif word in (b"cell", b"nestcell"):
            self._table.row.append(GridCell(self._take_text()))
        elif word in (b"row", b"nestrow"):
            self._table.rows.append(self._table.row)
            self._table.row = []
        elif word in (b"footnote", b"header", b"footer", b"headerl", b"headerr", b"footerl", b"footerr"):
            self._end_paragraph()

    def _add_bytes(self, data: bytes) -> None:
        if self._owed:
            taken = min(self._owed, len(data))
            self._owed -= taken
            data = data[taken:]
        if not (self._state.skipped or self._state.hidden):
            self._bytes += data

    def _add_unicode(self, code: int) -> None:
        if 0xD800 <= code < 0xDC00:
            self._high = chr(code)
        elif 0xDC00 <= code < 0xE000:
            pair, self._high = self._high + chr(code), ""
            self._add(pair.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore"))
        else:
            # fonts of symbols have their characters in the private use area, shifted
            self._add(chr(code - 0xF000) if 0xF020 <= code <= 0xF0FF else chr(code))

    def _add(self, text: str) -> None:
        self._flush()
        if not (self._state.skipped or self._state.hidden):
            self._text.append(text)

    def _flush(self) -> None:
        if self._bytes:
            data, self._bytes = self._bytes, b""
            self._text.append(data.decode(self._state.encoding or self._page_encoding, "replace"))

    def _take_text(self) -> str:
        self._flush()
        text = "".join(self._text).strip()
        self._text = []
        return text

    def _end_paragraph(self) -> None:
        text = self._take_text()
        if not text:
            return
        self._end_table()
        level = self._state.outline
        self._done.append(Heading(text, level + 1) if level is not None and level < 9 else Paragraph(text))

    def _end_table(self) -> None:
        if self._table.row:
            self._table.rows.append(self._table.row)
        if self._table.rows:
            self._done.append(Grid(self._table.rows))
        self._table = _Table()
