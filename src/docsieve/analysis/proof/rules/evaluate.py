"""Evaluates the rules of a schema: `subtotal + tax == total`, `sum(lines[].amount) <= limit`.

The language is deliberately small, and no part of it is executed as Python:

    paths        total   seller.name   lines[0].price   lines[].price   `Receipt No`
    literals     12.50   "text"   true   false   null
    operators    + - * /   == != < <= > >=   and or not   ( )
    functions    sum min max len abs round present date

A path with `[]` outside `sum`, `min`, `max` and `len` applies the rule to each item. A null operand makes a rule not
applicable, which is neither passed nor failed; `present(x)` tests for it. Dates compare as dates, amounts in texts as
numbers.
"""

from dataclasses import dataclass
from decimal import Decimal

from docsieve.analysis.proof.rules.syntax import Call, Literal, Node, Operation, Parser, Path, RuleSyntaxError
from docsieve.analysis.proof.rules.values import NotApplicable, Operand, compare, compute, function, leaves_at

__all__ = ["Rule", "RuleOutcome", "RuleSyntaxError", "evaluate", "parse_rule"]

_MAX_ITEMS = 20_000
_OVER_ALL = ("sum", "min", "max", "len")


@dataclass(frozen=True, slots=True)
class Rule:
    text: str
    node: Node


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """`leaves` are the paths the rule read; `figures` is a failed rule with paths replaced by their values."""

    passed: bool
    leaves: tuple[str, ...]
    figures: str


def parse_rule(text: str) -> Rule:
    """Raises RuleSyntaxError, a ValueError with the position of the error."""
    return Rule(text, Parser(text).parse())


def evaluate(rule: Rule, value: object, *, tolerance: float = 0.01) -> list[RuleOutcome]:
    """One outcome, or one per item if the rule applies to items; none if it is not applicable."""
    array = _repeated(rule.node)
    if array is None:
        items: list[int | None] = [None]
    else:
        count = sum(1 for path, _ in leaves_at(value, array, None) if path.endswith("]"))
        items = list(range(min(count, _MAX_ITEMS)))
    outcomes = []
    totals: dict[int, Operand] = {}
    for item in items:
        run = _Run(value, item, Decimal(str(tolerance)), totals)
        try:
            passed = run.truth(rule.node)
        except NotApplicable:
            continue
        figures = "" if passed else run.figures(rule.node)
        outcomes.append(RuleOutcome(passed, tuple(dict.fromkeys(run.leaves)), figures))
    return outcomes


def _repeated(node: Node) -> str | None:
    """The array whose items the rule applies to."""
    if isinstance(node, Path):
        head, mark, _ = node.text.partition("[]")
        return head + mark if mark else None
    if isinstance(node, Call) and node.name in _OVER_ALL:
        return None
    inner = node.arguments if isinstance(node, Call) else node.operands if isinstance(node, Operation) else ()
    return next((found for each in inner if (found := _repeated(each)) is not None), None)


class _Run:
    """One evaluation, for one item if there are several. It records the fields it read.

    Parts that are the same for all items are calculated once, in `totals`, and their fields are not recorded, because
    outcomes would otherwise grow with the square of the number of items.
    """

    def __init__(self, value: object, item: int | None, tolerance: Decimal, totals: dict[int, Operand]) -> None:
        self._value = value
        self._item = item
        self._tolerance = tolerance
        self._totals = totals
        self.leaves: list[str] = []

    def truth(self, node: Node) -> bool:
        result = self._evaluate(node)
        if not isinstance(result, bool):
            raise NotApplicable
        return result

    def figures(self, node: Node) -> str:
        if isinstance(node, Literal):
            return str(node.value)
        if isinstance(node, Path):
            found = [each for _, each in leaves_at(self._value, node.text, self._item)]
            return str(found[0]) if len(found) == 1 else "[" + ", ".join(map(str, found[:20])) + "]"
        if isinstance(node, Call):
            return f"{node.name}({', '.join(map(self.figures, node.arguments))})"
        if len(node.operands) == 1:
            return f"{node.operator} {self.figures(node.operands[0])}"
        return f" {node.operator} ".join(map(self.figures, node.operands))

    def _evaluate(self, node: Node) -> Operand:
        if isinstance(node, Literal):
            return node.value
        if isinstance(node, Path):
            found = self._read(node)
            if len(found) != 1 or isinstance(found[0], dict | list):
                raise NotApplicable
            return found[0]
        if isinstance(node, Call):
            return self._call(node)
        if node.operator == "not":
            return not self.truth(node.operands[0])
        if node.operator == "and":
            return all(self.truth(each) for each in node.operands)
        if node.operator == "or":
            return any(self.truth(each) for each in node.operands)
        operands = [self._evaluate(each) for each in node.operands]
        if node.operator in ("+", "-", "*", "/"):
            return compute(node.operator, operands)
        return compare(node.operator, operands[0], operands[1], self._tolerance)

    def _call(self, node: Call) -> Operand:
        if node.name == "present":
            found = [each for argument in node.arguments for each in self._said(argument)]
            return bool(found) and all(each is not None for each in found)
        if node.name in _OVER_ALL:
            return self._total(node)
        return function(node.name, [self._evaluate(each) for each in node.arguments])

    def _total(self, node: Call) -> Operand:
        if id(node) not in self._totals:
            self._totals[id(node)] = None  # remains if an operand is missing
            operands = [each for argument in node.arguments for each in self._all(argument)]
            self._totals[id(node)] = function(node.name, operands)
        if self._totals[id(node)] is None:
            raise NotApplicable
        return self._totals[id(node)]

    def _said(self, node: Node) -> list[Operand]:
        return self._read(node) if isinstance(node, Path) else [self._evaluate(node)]

    def _all(self, node: Node) -> list[Operand]:
        if not isinstance(node, Path):
            return [self._evaluate(node)]
        return [
            each for found in self._read(node, every=True) for each in (found if isinstance(found, list) else [found])
        ]

    def _read(self, node: Path, *, every: bool = False) -> list[Operand]:
        found = leaves_at(self._value, node.text, None if every else self._item)
        if every and self._item is not None:
            return [value for _, value in found]  # type: ignore[misc]
        self.leaves += [path for path, value in found if not isinstance(value, dict | list)]
        return [value for _, value in found]  # type: ignore[misc]
