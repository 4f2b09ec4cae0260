"""The kinds of sections that hold what a list asks for, from the words of the schema."""

from docsieve.engines.local.lists.groups import Group
from docsieve.engines.local.sections.kinds import section_kind

_MIN_SCORE = 0.6


def section_kinds(group: Group) -> frozenset[str]:
    field = group.columns[0].target.field
    name = (field.group or ("",))[-1]
    asked = [_spaced(name), *field.list_labels, *field.about[-2:]]
    if group.scalars:
        asked += [*field.labels, field.description]
    return frozenset(kind for text in asked for kind, score in [section_kind(text)] if kind and score >= _MIN_SCORE)


def _spaced(name: str) -> str:
    return "".join(f" {each}" if each.isupper() else each for each in name).replace("_", " ").replace("-", " ")
