"""The parts of a workbook other than its sheets."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

# The cell formats are, in this order: plain, heading, date, date and time, and a number with two decimals.
STYLES = f"""{_XML}<styleSheet xmlns="{_MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>\
<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill>\
<fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/>\
<xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/>\
<xf numFmtId="2" applyNumberFormat="1"/></cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"""

ROOT_RELATIONS = (
    f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1"'
    f' Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)


def workbook(names: Sequence[str], ranges: Sequence[str]) -> str:
    """The sheets in order. Excel wants the range of each filter as a hidden name too."""
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{number}" r:id="rId{number}"/>' for number, name in enumerate(names, 1)
    )
    filters = "".join(
        f'<definedName name="_xlnm._FilterDatabase" localSheetId="{number}" hidden="1">'
        f"'{escape(name)}'!{_absolute(cells)}</definedName>"
        for number, (name, cells) in enumerate(zip(names, ranges, strict=True))
    )
    return (
        f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets>'
        f"<definedNames>{filters}</definedNames></workbook>"
    )


def relations(sheets: int) -> str:
    targets = "".join(
        f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        for number in range(1, sheets + 1)
    )
    styles = f'<Relationship Id="rId{sheets + 1}" Type="{_OFFICE}/styles" Target="styles.xml"/>'
    return f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">{targets}{styles}</Relationships>'


def content_types(sheets: int) -> str:
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{number}.xml" ContentType="{_TYPES}.worksheet+xml"/>'
        for number in range(1, sheets + 1)
    )
    return (
        f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/>{overrides}</Types>'
    )


def _absolute(cells: str) -> str:
    """`A1:C9` as `$A$1:$C$9`."""
    first, _, last = cells.partition(":")
    return ":".join(
        f"${each.rstrip('0123456789')}${each.lstrip('ABCDEFGHIJKLMNOPQRSTUVWXYZ')}" for each in (first, last)
    )
