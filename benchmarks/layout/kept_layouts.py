"""Layouts that no rule is tuned on: only their totals are looked at."""

from random import Random

from benchmarks.layout.layouts import (
    LEFT,
    RIGHT,
    address,
    footer_blocks,
    header,
    invoice,
    page_number,
    title_and_columns,
)
from benchmarks.layout.sheet import HEIGHT, LEADING, WIDTH, Rows, Sheet, Words, new_sheet


def three_columns(rng: Random, words: Words) -> list[Sheet]:
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    title_and_columns(sheet, rng, 3, rng.choice((14.0, 18.0)))
    return [sheet]


def invoice_with_note_first(rng: Random, words: Words) -> list[Sheet]:
    """The file begins with what is at the bottom of the page."""
    return invoice(rng, words, blocks=2, stream="notes first")


def sidebar_right(rng: Random, words: Words) -> list[Sheet]:
    """An article with a shaded box at its right, which its paragraphs stay clear of."""
    sheet = new_sheet(rng, words, rng.choice(("read", "blocks", "rows")))
    header(sheet, rng)
    top = sheet.line(LEFT, 74, words.name(4), ("title",), size=17, bold=True) + 12
    split = RIGHT - rng.uniform(140, 180)
    y = top
    for _ in range(rng.randint(4, 6)):
        y = sheet.prose(LEFT, y, split - LEFT - 22, rng.randint(3, 7), ("main",), justified=True) + 7
    sheet.shades.append((split - 10, top - 8, RIGHT + 8, top + 220))
    side = sheet.line(split, top + 3, words.name(1), ("sidebar",), bold=True, size=9)
    for _ in range(rng.randint(2, 3)):
        side = sheet.prose(split, side + 4, RIGHT - split, rng.randint(2, 4), ("sidebar",), size=8)
    sheet.prose(LEFT, max(y, top + 230) + 10, RIGHT - LEFT, 6, ("below",), justified=True)
    page_number(sheet, rng)
    return [sheet]


def letter(rng: Random, words: Words) -> list[Sheet]:
    """Address left and sender right, paragraphs, a footnote, and a footer of two blocks."""
    sheet = new_sheet(rng, words, rng.choice(("read", "notes first", "blocks")))
    y = address(sheet, words, LEFT, 110)
    right = 110.0
    for text in (words.name(2), f"{words.name(1)} {words.number(3)}", words.name(1), f"{words.number(9)}"):
        right = sheet.line(WIDTH / 2 + 70, right, text, ("sender",), size=8.5)
    y = sheet.line(LEFT, y + 50, words.name(4), ("subject",), bold=True) + 12
    for _ in range(rng.randint(3, 5)):
        y = sheet.prose(LEFT, y, RIGHT - LEFT, rng.randint(2, 6), ("body",)) + LEADING * sheet.size
    y = HEIGHT - 150
    sheet.rules.append((LEFT, y - 6, LEFT + 90, y - 6))
    for mark in ("1", "2"):
        y = sheet.prose(LEFT, y, RIGHT - LEFT, 1, ("footnote",), size=7.5, lead=mark)
    footer_blocks(sheet, words, rng, 2)
    return [sheet]


def stacked_form(rng: Random, words: Words) -> list[Sheet]:
    """Labels over their values, three side by side, without rules."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    y = sheet.line(LEFT, 60, words.name(3), ("title",), size=14, bold=True) + 16
    width = (RIGHT - LEFT) / 3
    for row in range(rng.randint(5, 8)):
        below = y
        for column in range(3):
            x = LEFT + column * width
            below = sheet.line(x, y, words.name(2), ("box", row, column), size=7.5)
            below = sheet.line(x, below + 1, f"{words.name(1)} {words.number(4)}", ("box", row, column))
        y = below + 14
    sheet.prose(LEFT, y + 10, RIGHT - LEFT, 4, ("closing",))
    return [sheet]


def statement(rng: Random, words: Words) -> list[Sheet]:
    """An unruled table over two pages."""
    header_row = [words.name(1) for _ in range(4)]
    sheets = []
    for page in range(2):
        sheet = new_sheet(rng, words, rng.choice(("read", "rows")))
        y = sheet.line(LEFT, 50, words.name(3), ("header", page), size=12, bold=True) + 24
        rows: Rows = [header_row]
        for _ in range(rng.randint(9, 14)):
            rows.append([words.number(6), f"{words.name(2)} {words.word()}", words.amount(), words.amount()])
        sheet.grid(LEFT, y, [70, RIGHT - LEFT - 250, 90, 90], rows, ruled=False, numeric=(2, 3))
        footer_blocks(sheet, words, rng, 3)
        sheets.append(sheet)
    return sheets


def article_with_table(rng: Random, words: Words) -> list[Sheet]:
    """Two columns over and under a ruled table across the page."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows")))
    width = (RIGHT - LEFT - 22) / 2

    def columns(top: float, count: int, name: str) -> float:
        for column in range(2):
            sheet.prose(LEFT + column * (width + 22), top, width, count, (name, column), justified=True)
        return top + count * LEADING * sheet.size

    y = columns(60, rng.randint(9, 14), "over") + 16
    rows: Rows = [[words.name(1) for _ in range(4)]]
    rows += [[words.name(1), words.amount(), words.amount(), words.name(1)] for _ in range(rng.randint(3, 6))]
    y = sheet.grid(LEFT, y, [140, 100, 100, 140], rows, ruled=True, numeric=(1, 2)) + 18
    columns(y, rng.randint(9, 14), "under")
    page_number(sheet, rng)
    return [sheet]


def hebrew_form(rng: Random, words: Words) -> list[Sheet]:
    """Paragraphs from the right, and a column of notes at the left."""
    sheet = new_sheet(rng, words, "read")
    y = sheet.hebrew(RIGHT, 60, RIGHT - LEFT, 1, ("title",)) + 14
    top = y
    for _ in range(3):
        y = sheet.hebrew(RIGHT, y, 300, rng.randint(3, 6), ("main",)) + 8
    for _ in range(3):
        top = sheet.hebrew(LEFT + 130, top, 130, rng.randint(2, 4), ("sidebar",)) + 10
    return [sheet]


KEPT = (
    three_columns, invoice_with_note_first, sidebar_right, letter, stacked_form, statement, article_with_table,
    hebrew_form,
)  # fmt: skip
