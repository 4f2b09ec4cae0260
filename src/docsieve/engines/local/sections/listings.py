"""Lists under headings without a row of column headings: positions, degrees, skills, medications."""

import re
from collections.abc import Sequence

from docsieve.engines.local.lists.groups import Group, Listing
from docsieve.engines.local.sections.columns import parts_of
from docsieve.engines.local.sections.entries import Entry, dated_entries, plain_entries
from docsieve.engines.local.sections.headings import Line, Section, Sections
from docsieve.engines.local.sections.kinds import DEGREE, LANGUAGE, ROLE, SCHOOL
from docsieve.engines.local.sections.names import section_kinds
from docsieve.engines.local.sections.parts import rows_of, segments_of
from docsieve.engines.local.vocabulary.canon import canonical, folded

_WORTH = 0.85
_MAX_LENGTH = 400
_BETWEEN = re.compile(r"[,;|·•]\s+(?![^()]*\))")
_TOLD_BY_CONTENT = frozenset(("experience", "education"))
_PAIRED = re.compile(r"[(:–—]")
_DATED = frozenset(("start", "end", "period", "current", "role", "organization", "school", "degree"))
"""Parts of entries that usually have dates, whether the list asks for them or not."""


def section_listings(group: Group, sections: Sections) -> list[Listing]:
    kinds = section_kinds(group)
    if group.scalars or not kinds:
        return []
    parts = parts_of([column.target for column in group.columns])
    found = []
    usual = [section for section in sections.usual if section.kind in kinds]
    for section in usual or _by_content(kinds, sections):
        if not section.lines or _is_table(group, section.lines[0]):
            continue
        rows = rows_of(_entries(section, parts), parts)
        if rows:
            filled = sum(map(len, rows)) / len(rows) / min(3, len(parts))
            why = f"entries under '{section.heading.text[:40]}' on page {section.heading.page}"
            found.append(Listing(rows, section.score * _WORTH * min(1.0, filled), why, id(section.heading)))
    return _joined(found)


def _by_content(kinds: frozenset[str], sections: Sections) -> list[Section]:
    """Sections whose entries are dated and look like positions or degrees, whatever the heading says."""
    if not kinds & _TOLD_BY_CONTENT:
        return []
    return [section for section in sections.headed() if _kind(section.lines) in kinds]


def _kind(lines: Sequence[Line]) -> str:
    entries = dated_entries(lines)
    if not entries:
        return ""
    heads = [folded(" ".join(line.text for line in entry.head)) for entry in entries]
    taught = sum(SCHOOL.search(head) is not None or DEGREE.search(head) is not None for head in heads)
    if taught * 2 >= len(heads):
        return "education"
    worked = sum(ROLE.search(head) is not None for head in heads)
    return "experience" if worked * 2 >= len(heads) else ""


def _joined(found: list[Listing]) -> list[Listing]:
    """Sections of the same kind, such as experience and other experience, are one list."""
    if len(found) < 2:
        return found
    first = found[0]
    return [
        Listing([row for each in found for row in each.rows], max(each.score for each in found), first.why, first.key)
    ]


def _is_table(group: Group, line: Line) -> bool:
    """Whether a line is a row of column headings; the list is a table then."""
    headed = [
        column
        for column in group.columns
        if any(column.matcher.score(canonical(piece.text)) > 0.7 for piece in line.pieces)
    ]
    return len(headed) > 1


def _entries(section: Section, parts: Sequence[str]) -> list[Entry]:
    if _DATED & set(parts) and (dated := dated_entries(section.lines)):
        return dated
    items = plain_entries(section.lines)
    return [Entry(part, []) for item in items for part in (_several(item[0]) if len(item) == 1 else [item])]


def _several(line: Line) -> list[list[Line]]:
    """The items of a line that has several, each made like the others: `French (B2), German (fluent)`."""
    if len(line.text) > _MAX_LENGTH:
        return [[line]]
    cuts = [match.span() for match in _BETWEEN.finditer(line.text)]
    edges = list(zip([0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(line.text)], strict=True))
    parts = [line.part(start, end) for start, end in edges if end > start]
    alike = len({len(segments_of(part, 0, ())) for part in parts}) == 1
    said = all(LANGUAGE.search(folded(part.text)) for part in parts)
    return (
        [[part] for part in parts] if len(parts) > 1 and (said or (alike and _PAIRED.search(line.text))) else [[line]]
    )
