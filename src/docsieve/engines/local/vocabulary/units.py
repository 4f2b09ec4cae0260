"""Units of measure at the end of a field's name, and how they are printed after a number."""

import re

_UNITS = {
    "kg": "kg kgs kilo kilos kilogram kilogramm kilogramo quilo",
    "g": "gram grams gramm gramme",
    "lb": "lb lbs pound pounds",
    "t": "ton tons tonne tonnes tonnen",
    "m": "meters metres metern metros",
    "km": "km kilometer kilometers kilometre kilometres",
    "cm": "cm centimeter centimeters",
    "mm": "mm millimeter millimeters",
    "sqm": "sqm m2 m² qm sq.m",
    "sqft": "sqft sq.ft. ft² ft2",
    "m3": "m3 m³ cbm",
    "l": "liter liters litre litres",
    "kwh": "kwh",
    "kw": "kw",
    "hp": "ps cv",
    "c": "celsius °c",
}
_NAMED = {"sqm": ("square meter", "sq m"), "sqft": ("square feet", "square foot", "sq ft"), "m3": ("cubic meter",)}

UNIT_NAMES: dict[str, str] = {
    **{name: unit for unit, names in _UNITS.items() for name in names.split() if name.isalpha() and len(name) > 1},
    **{name: unit for unit, names in _NAMED.items() for name in names},
}
"""The unit by the words that a name ends with."""


def _printed(unit: str) -> re.Pattern[str]:
    names = sorted((*_UNITS[unit].split(), unit, *_NAMED.get(unit, ())), key=len, reverse=True)
    return re.compile(rf"\s?(?:{'|'.join(map(re.escape, names))})(?![^\W_])", re.I)


_PRINTED = {unit: _printed(unit) for unit in _UNITS}


def has_unit(unit: str, after: str) -> bool:
    """Whether the text after a number begins with the unit."""
    return unit in _PRINTED and _PRINTED[unit].match(after) is not None
