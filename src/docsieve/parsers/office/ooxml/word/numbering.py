"""The lists of a Word document, as its numbering part defines them."""

from dataclasses import replace

from docsieve.parsers.office.list_numbers import LEVELS, Level, ListNumbers, NumberedList
from docsieve.parsers.office.markup import Element, attribute, child, children, number

_OFF = frozenset({"0", "false", "off"})


def list_numbers(root: Element | None) -> ListNumbers:
    abstract = _abstract_lists(root) if root is not None else {}
    lists: dict[str, NumberedList] = {}
    for element in children(root, "num") if root is not None else ():
        if (list_id := attribute(element, "numId")) is not None:
            lists[list_id] = _numbered(element, abstract)
    return ListNumbers(lists)


def _abstract_lists(root: Element) -> dict[str, dict[int, Level]]:
    """The levels of the abstract lists by id. One that links to a numbering style has the levels of that style."""
    elements = {attribute(element, "abstractNumId") or "": element for element in children(root, "abstractNum")}
    levels = {key: _levels(element) for key, element in elements.items()}
    styles = {_value(element, "styleLink"): levels[key] for key, element in elements.items()}
    for key, element in elements.items():
        linked = _value(element, "numStyleLink")
        if linked and not levels[key] and linked in styles:
            levels[key] = styles[linked]
    return levels


def _numbered(element: Element, abstract: dict[str, dict[int, Level]]) -> NumberedList:
    counter = _value(element, "abstractNumId") or ""
    levels = dict(abstract.get(counter, {}))
    restarted = set()
    for override in children(element, "lvlOverride"):
        place = number(override, "ilvl")
        if not 0 <= place < LEVELS:
            continue
        if (replaced := child(override, "lvl")) is not None:
            levels[place] = _level(replaced)
        if (start := child(override, "startOverride")) is not None:
            level = levels.get(place, Level(text=f"%{place + 1}."))
            levels[place] = replace(level, start=number(start, "val", 1))
            restarted.add(place)
    return NumberedList(counter, levels, frozenset(restarted))


def _levels(element: Element) -> dict[int, Level]:
    return {number(found, "ilvl"): _level(found) for found in children(element, "lvl")}


def _level(element: Element) -> Level:
    legal, restart = child(element, "isLgl"), child(element, "lvlRestart")
    return Level(
        start=number(child(element, "start"), "val", 1),
        format=_value(element, "numFmt") or "decimal",
        text=_value(element, "lvlText") or "",
        is_legal=legal is not None and (attribute(legal, "val") or "1").lower() not in _OFF,
        restarts_below=number(restart, "val") if restart is not None else None,
    )


def _value(element: Element, name: str) -> str | None:
    found = child(element, name)
    return attribute(found, "val") if found is not None else None
