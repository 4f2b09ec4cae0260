"""Facts of a generated document: what is printed in the document's language, and what the ground truth says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from benchmarks.packet_parts import texts

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_COURTESY = {"en": ("Mr.", "Ms."), "de": ("Herr", "Frau"), "fr": ("M.", "Mme"), "es": ("Sr.", "Sra.")}
_EPOCH = date(2019, 1, 1)
_DAYS = 2500


@dataclass(frozen=True, slots=True)
class Fact:
    printed: str
    truth: object


def drawn_facts(
    rng: Random, language: str, wanted: Mapping[str, str | list[str] | dict[str, list[str]]]
) -> dict[str, Fact]:
    """One fact for each name. `wanted` says of which sort: see `_SORTS`; a list is a choice of texts, one for each
    language if it is a table."""
    found: dict[str, Fact] = {}
    style = rng.choice(("long", "short", "iso") if language == "en" else ("long", "short"))
    days: dict[str, date] = {}
    for name, sort in wanted.items():
        if isinstance(sort, dict):
            sort = sort[language]
        if isinstance(sort, list):
            text = rng.choice(sort)
            found[name] = Fact(text, text)
            continue
        kind, *options = sort.split()
        if kind == "date":
            days[name] = _day(rng, days, options)
            found[name] = Fact(_written_day(days[name], language, style), days[name].isoformat())
        else:
            found[name] = _SORTS[kind](rng, language, options)
    return found


def _day(rng: Random, days: Mapping[str, date], options: list[str]) -> date:
    """`date`, or `date after NAME`, a month to three years later, or `date after NAME DAYS`, within that many days."""
    if not options:
        return _EPOCH + timedelta(days=rng.randrange(_DAYS))
    most = int(options[2]) if len(options) > 2 else 1100
    return days[options[1]] + timedelta(days=rng.randint(1 if most < 30 else 30, most))


def _written_day(day: date, language: str, style: str) -> str:
    month = _MONTHS[language].split()[day.month - 1]
    if style == "iso":
        return day.isoformat()
    if style == "long":
        return {
            "en": f"{month} {day.day}, {day.year}",
            "de": f"{day.day}. {month} {day.year}",
            "fr": f"{day.day} {month} {day.year}",
            "es": f"{day.day} de {month} de {day.year}",
        }[language]
    separator = "." if language == "de" else "/"
    first, second = (day.month, day.day) if language == "en" else (day.day, day.month)
    return f"{first:02}{separator}{second:02}{separator}{day.year}"


def _amount(rng: Random, language: str, options: list[str]) -> Fact:
    low, high = (float(each) for each in options[:2])
    value = rng.uniform(low, high)
    value = float(round(value / 50) * 50) if "round" in options else round(value, 2)
    text = texts.money(value, language)
    if language == "fr":
        text = text.replace(".", " ")
    if "plain" not in options:
        text = f"${text}" if language == "en" else f"{text} €"
    return Fact(text, f"{value:.2f}")


def _code(rng: Random, _: str, options: list[str]) -> Fact:
    """`code AB-####`: every # is a digit."""
    text = "".join(str(rng.randrange(10)) if each == "#" else each for each in " ".join(options))
    return Fact(text, text)


def _address(rng: Random, language: str, _: list[str]) -> Fact:
    return _same(f"{texts.street(rng, language)}, {texts.city(rng, language)}")


def _integer(rng: Random, _: str, options: list[str]) -> Fact:
    value = rng.randint(int(options[0]), int(options[1]))
    return Fact(str(value), value)


def _email(rng: Random, _: str, __: list[str]) -> Fact:
    first, last = texts.person(rng).lower().split()
    return _same(f"{first}.{last}@{rng.choice(('mail', 'post', 'office'))}.example")


def _iban(rng: Random, language: str, _: list[str]) -> Fact:
    country = {"de": "DE", "fr": "FR", "es": "ES", "en": "GB"}[language]
    length = {"DE": 18, "FR": 23, "ES": 20}.get(country, 14)
    digits = "".join(str(rng.randrange(10)) for _ in range(length))
    body = f"WEST{digits}" if country == "GB" else digits
    numbers = "".join(str(int(each, 36)) for each in f"{body}{country}00")
    text = f"{country}{98 - int(numbers) % 97:02}{body}"
    return Fact(" ".join(text[at : at + 4] for at in range(0, len(text), 4)), text)


def _same(text: str) -> Fact:
    return Fact(text, text)


_SORTS: dict[str, Callable[[Random, str, list[str]], Fact]] = {
    "person": lambda rng, _, __: _same(texts.person(rng)),
    "lady_or_gentleman": lambda rng, language, _: _same(f"{rng.choice(_COURTESY[language])} {texts.person(rng)}"),
    "company": lambda rng, language, _: _same(texts.company(rng, language)),
    "city": lambda rng, language, _: _same(texts.city(rng, language)),
    "address": _address,
    "product": lambda rng, _, __: _same(texts.product(rng)),
    "phone": lambda rng, _, __: _same(f"+{rng.randint(30, 49)} {rng.randint(100, 999)} {rng.randint(100000, 999999)}"),
    "sentence": lambda rng, language, _: _same(texts.sentence(rng, language)),
    "amount": _amount,
    "code": _code,
    "integer": _integer,
    "email": _email,
    "iban": _iban,
}
