"""Facts of a generated document: what is printed in the document's language, and what the ground truth says."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
_FIRST_DAY, _DAYS = date(2019, 1, 1), 2500

Sort = str | list[Any] | dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """`forms` are other ways of printing it, such as `legal` for the “3rd day of May, 2024”."""

    printed: str
    truth: Any
    forms: Mapping[str, str] = field(default_factory=dict)


class Writer:
    """Draws facts. Dates and amounts are written the same way throughout a document."""

    def __init__(self, rng: Random, language: str) -> None:
        self.rng = rng
        self.language = language
        self.words = WORDS[language]
        self._date_style = rng.choice(self.words["dates"])
        self._money_style = rng.choice(self.words["money"])
        self.month_style = rng.choice(("{month} {year}", "{m:02}/{year}"))

    def facts(self, wanted: Mapping[str, Sort], known: Mapping[str, Fact] | None = None) -> dict[str, Fact]:
        """One fact for each name; `known` are those that a sort may refer to. Names joined by commas are drawn
        together, from a list of lists."""
        found: dict[str, Fact] = {}
        for name, sort in wanted.items():
            sort = sort[self.language] if isinstance(sort, dict) else sort
            if "," in name:
                found |= zip(name.split(","), map(_stated, self.rng.choice(sort)), strict=True)
            elif isinstance(sort, list):
                found[name] = _stated(self.rng.choice(sort))
            else:
                kind, *options = sort.split()
                found[name] = _SORTS[kind](self, options, {**(known or {}), **found})
        return found

    def person(self) -> str:
        return f"{self.rng.choice(self.words['first'])} {self.rng.choice(self.words['last'])}"

    def company(self) -> str:
        return self._made("companies")

    def address(self) -> str:
        return f"{self._made('streets')}, {self.rng.choice(self.words['cities'])}"

    def _made(self, patterns: str) -> str:
        last, other = self.rng.sample(self.words["last"], 2)
        return str(self.rng.choice(self.words[patterns])).format(
            stem=self.rng.choice(WORDS["names"]["stems"]), trade=self.rng.choice(self.words["trades"]),
            last=last, last2=other, number=self.rng.randint(2, 480), suite=self.rng.randint(2, 60),
        )  # fmt: skip

    def day(self, day: date) -> Fact:
        month = self.words["months"].split()[day.month - 1]
        parts = {"month": month, "day": day.day, "d": day.day, "m": day.month, "year": day.year}
        parts["ordinal"] = _ordinal(day.day)
        forms = {"legal": self.words.get("legal_date", self.words["dates"][0]), "long": self.words["dates"][0]}
        forms["short"] = self.words["dates"][-1]
        written = {name: form.format(**parts) for name, form in forms.items()}
        return Fact(self._date_style.format(**parts), day.isoformat(), {**written, "month": f"{month} {day.year}"})

    def amount(self, value: float, *, plain: bool) -> Fact:
        text = f"{value:,.2f}"
        if self.language == "fr":
            text = text.replace(",", " ").replace(".", ",")
        elif self.language != "en":
            text = text.translate(str.maketrans(",.", ".,"))
        forms = {"plain": text, "trailing": f"{text[1:]}-" if value < 0 else text}
        return Fact(text if plain else self._money_style.format(amount=text), value, forms)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10 if number // 10 != 1 else 0, "th")
    return f"{number}{ending}"


def _same(text: str) -> Fact:
    return Fact(text, text)


def _stated(entry: str | dict[str, Any]) -> Fact:
    """A text, or a table of `printed` and `truth` where they differ, such as the X of a box that is ticked."""
    return _same(entry) if isinstance(entry, str) else Fact(entry["printed"], entry["truth"])


def _day_of(fact: Fact) -> date:
    return date.fromisoformat(fact.forms.get("iso", fact.truth))


def _date(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """A day of recent years, or `born`, of a person.

    `born NAME LOW HIGH` is so many years before another day, `from NAME DAYS` at most that many days after it, and
    `after NAME [DAYS]` at least a day after it; without a number, 30 to 1,100 days.
    """
    if options == ["born"]:
        return writer.day(date(1940, 1, 1) + timedelta(days=writer.rng.randrange(22000)))
    if not options:
        return writer.day(_FIRST_DAY + timedelta(days=writer.rng.randrange(_DAYS)))
    start = _day_of(known[options[1]])
    if options[0] == "born":
        return writer.day(start - timedelta(days=writer.rng.randint(int(options[2]) * 365, int(options[3]) * 365)))
    if options[0] == "from":
        return writer.day(start + timedelta(days=writer.rng.randint(0, int(options[2]))))
    latest = int(options[2]) if len(options) > 2 else 1100
    return writer.day(start + timedelta(days=writer.rng.randint(1 if latest <= 60 else 30, latest)))


def _amount(writer: Writer, options: list[str], _: Mapping[str, Fact]) -> Fact:
    """`amount LOW HIGH [round] [plain]`: `plain` is printed without a currency."""
    value = writer.rng.uniform(float(options[0]), float(options[1]))
    value = float(round(value / 50) * 50) if "round" in options else round(value, 2)
    return writer.amount(value, plain="plain" in options)


def _money(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`money NAME`: the same amount, with its currency."""
    return writer.amount(known[options[0]].truth, plain=False)


def _signed(_: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`signed AMOUNT NEGATIVE POSITIVE`: one of two facts, by the sign of an amount."""
    amount, negative, positive = options
    return known[negative if known[amount].truth < 0 else positive]


def _running(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`running FIRST CHANGE`: the balance of a row, from the balance before it."""
    before, change = (known[name].truth for name in options)
    return writer.amount(round(before + change, 2), plain=True)


def _share(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`share PERCENT NAME ...`: that part of the sum of amounts, without a currency. The percentage may be a fact."""
    percent, *names = options
    rate = known[percent].truth if percent in known else float(percent)
    return writer.amount(round(sum(known[name].truth for name in names) * rate / 100, 2), plain=True)


def _product(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    first, second = (known[name].truth for name in options)
    return writer.amount(round(first * second, 2), plain=True)


def _month(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`month NAME LOW HIGH`: so many months before a day or another month; its truth is what is printed."""
    last = _day_of(known[options[0]])
    months = last.year * 12 + last.month - 1 - writer.rng.randint(int(options[1]), int(options[2]))
    day = date(months // 12, months % 12 + 1, 1)
    text = writer.month_style.format(month=writer.words["months"].split()[day.month - 1], m=day.month, year=day.year)
    return Fact(text, text, {"iso": day.isoformat(), "year": str(day.year)})


def _number(writer: Writer, options: list[str], _: Mapping[str, Fact]) -> Fact:
    """`number LOW HIGH [DECIMALS]`, such as a laboratory value."""
    decimals = int(options[2]) if len(options) > 2 else 0
    value = round(writer.rng.uniform(float(options[0]), float(options[1])), decimals)
    text = f"{value:.{decimals}f}"
    return Fact(text if writer.language == "en" else text.replace(".", ","), value if decimals else int(value))


def _code(writer: Writer, options: list[str], _: Mapping[str, Fact]) -> Fact:
    """`code AB-####`: every # is a digit, and every @ is a letter."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    text = " ".join(options)
    return _same("".join(
        str(writer.rng.randrange(10)) if each == "#" else writer.rng.choice(letters) if each == "@" else each
        for each in text
    ))  # fmt: skip


def _phone(writer: Writer, _: list[str], __: Mapping[str, Fact]) -> Fact:
    def digits(count: int) -> str:
        return "".join(str(writer.rng.randint(1, 9)) for _ in range(count))

    text = str(writer.rng.choice(writer.words["phone"]))
    for count in range(1, 7):
        while f"{{{count}}}" in text:
            text = text.replace(f"{{{count}}}", digits(count), 1)
    return _same(text)


def _email(writer: Writer, options: list[str], known: Mapping[str, Fact]) -> Fact:
    """`email NAME`: of that person."""
    first, *_, last = known[options[0]].printed.lower().split()
    plain = f"{first}.{last}".translate(str.maketrans("áàâãäéèêëíîïóôõöúûüçñ", "aaaaaeeeeiiioooouuucn")).replace(
        "ß", "ss"
    )
    return _same(f"{plain}@{writer.rng.choice(('mail', 'post', 'office'))}.example")


def _iban(writer: Writer, _: list[str], __: Mapping[str, Fact]) -> Fact:
    country, length = {"de": ("DE", 18), "fr": ("FR", 23), "es": ("ES", 20), "pt": ("PT", 21)}.get(
        writer.language, ("GB", 14)
    )
    digits = "".join(str(writer.rng.randrange(10)) for _ in range(length))
    body = f"WEST{digits}" if country == "GB" else digits
    check = 98 - int("".join(str(int(each, 36)) for each in f"{body}{country}00")) % 97
    text = f"{country}{check:02}{body}"
    return Fact(" ".join(text[at : at + 4] for at in range(0, len(text), 4)), text)


_SORTS: dict[str, Callable[[Writer, list[str], Mapping[str, Fact]], Fact]] = {
    "person": lambda writer, _, __: _same(writer.person()),
    "courtesy": lambda writer, _, __: _same(f"{writer.rng.choice(writer.words['courtesy'])} {writer.person()}"),
    "doctor": lambda writer, _, __: _same(f"{writer.words['courtesy'][-1]} {writer.person()}"),
    "company": lambda writer, _, __: _same(writer.company()),
    "address": lambda writer, _, __: _same(writer.address()),
    "place": lambda writer, _, __: _same(writer.rng.choice(writer.words["places"])),
    "date": _date,
    "amount": _amount,
    "money": _money,
    "signed": _signed,
    "running": _running,
    "share": _share,
    "product": _product,
    "month": _month,
    "number": _number,
    "code": _code,
    "phone": _phone,
    "email": _email,
    "iban": _iban,
}
