"""Parser for rules: turns text into a tree, with limits on length and depth."""

import re
from dataclasses import dataclass
from decimal import Decimal

_LONGEST = 1_000
_DEEPEST = 40
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<text>\"[^\"]*\"|'[^']*')|(?P<path>(?:`[^`]+`|[^\W\d]\w*)"
    r"(?:\.(?:`[^`]+`|[^\W\d]\w*)|\[\d*\])*)|(?P<sign><=|>=|==|!=|[-+*/<>=(),]))"
)
FUNCTIONS = frozenset(["sum", "min", "max", "len", "abs", "round", "present", "date"])
_WORDS = {"true": True, "false": False, "null": None}
_RANKS = {"or": 1, "and": 2, "==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4, "+": 5, "-": 5, "*": 6, "/": 6}
_NOT_RANK, _SIGN_RANK = 3, 7


class RuleSyntaxError(ValueError):
    """The text is no rule; `position` counts characters from 0."""

    def __init__(self, what: str, position: int) -> None:
        super().__init__(f"{what} at position {position}")
        self.position = position


@dataclass(frozen=True, slots=True)
class Literal:
    value: Decimal | str | bool | None


@dataclass(frozen=True, slots=True)
class Path:
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Operation:
    operator: str
    operands: tuple["Node", ...]


Node = Literal | Path | Call | Operation


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    position: int


class Parser:
    """Precedence climbing over the tokens of one rule."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._next = 0
        self._depth = 0

    def parse(self) -> Node:
        node = self._expression(0)
        token = self._tokens[self._next]
        if token.kind != "end":
            raise RuleSyntaxError(f"`{token.text}` is unexpected", token.position)
        return node

    def _expression(self, rank: int) -> Node:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise RuleSyntaxError("The rule is nested too deeply", self._tokens[self._next].position)
        left = self._operand()
        while True:
            token = self._tokens[self._next]
            operator = "==" if token.text == "=" else token.text
            own = _RANKS.get(operator, 0) if token.kind in ("sign", "path") else 0
            if own <= rank:
                break
            self._next += 1
            left = Operation(operator, (left, self._expression(own)))
        self._depth -= 1
        return left

    def _operand(self) -> Node:
        token = self._tokens[self._next]
        self._next += 1
        if token.kind == "number":
            return Literal(Decimal(token.text))
        if token.kind == "text":
            return Literal(token.text[1:-1])
        if token.text == "(":
            inner = self._expression(0)
            self._expect(")")
            return inner
        if token.text == "-":
            return Operation("-", (Literal(Decimal(0)), self._expression(_SIGN_RANK)))
        if token.kind == "path":
            return self._named(token)
        what = "The rule ends too early" if token.kind == "end" else f"`{token.text}` is unexpected"
        raise RuleSyntaxError(what, token.position)

    def _named(self, token: _Token) -> Node:
        if token.text == "not":
            return Operation("not", (self._expression(_NOT_RANK),))
        if token.text in _WORDS:
            return Literal(_WORDS[token.text])
        if token.text in ("and", "or"):
            raise RuleSyntaxError(f"`{token.text}` is unexpected", token.position)
        if self._tokens[self._next].text != "(":
            return Path(token.text.replace("`", ""))
        if token.text not in FUNCTIONS:
            raise RuleSyntaxError(f"Unknown function `{token.text}`", token.position)
        self._next += 1
        arguments = [self._expression(0)]
        while self._tokens[self._next].text == ",":
            self._next += 1
            arguments.append(self._expression(0))
        self._expect(")")
        return Call(token.text, tuple(arguments))

    def _expect(self, sign: str) -> None:
        token = self._tokens[self._next]
        if token.text != sign:
            raise RuleSyntaxError(f"Expected `{sign}`", token.position)
        self._next += 1


def _tokens(text: str) -> list[_Token]:
    if len(text) > _LONGEST:
        raise RuleSyntaxError(f"The rule is longer than {_LONGEST} characters", _LONGEST)
    tokens = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None or match.lastgroup is None:
            raise RuleSyntaxError(f"`{text[position:].lstrip()[:1]}` is unexpected", position)
        tokens.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
        position = match.end()
    tokens.append(_Token("end", "", end))
    return tokens
