"""Layouts that rules may be tuned on. Each draws a document and is its own truth."""

from random import Random

from benchmarks.layout.sheet import HEIGHT, LEADING, WIDTH, Rows, Sheet, Words, new_sheet

LEFT, RIGHT = 56.0, WIDTH - 56.0


def title_and_columns(sheet: Sheet, rng: Random, count: int, gutter: float, *, notes: bool = False) -> None:
    """A title, an abstract across the page, then columns of paragraphs; baselines agree in some documents only."""
    header(sheet, rng)
    top = sheet.line(LEFT + 60, 80, sheet.words.name(5), ("title",), size=16, bold=True) + 6
    top = sheet.prose(LEFT, top, RIGHT - LEFT, 4, ("abstract",)) + 14
    width = (RIGHT - LEFT - gutter * (count - 1)) / count
    level, justified, bottom = rng.random() < 0.5, rng.random() < 0.6, HEIGHT - 150
    pending: list[tuple[float, int]] = []
    for column in range(count):
        x, y = LEFT + column * (width + gutter), top + (0 if level else rng.uniform(0, 6))
        y_end = bottom - rng.choice((0, 0, 60))
        while y < y_end:
            if rng.random() < 0.3:
                y = sheet.line(x, y + (0 if level else 4), sheet.words.name(2), ("column", column), bold=True)
            rows = min(rng.randint(3, 9), int((y_end - y) / (LEADING * sheet.size)) + 1)
            y = sheet.prose(x, y, width, rows, ("column", column), justified=justified)
            y += LEADING * sheet.size if level else rng.uniform(3, 9)
        pending.append((x, column))
    if notes:
        for x, column in pending:
            y = bottom + 34
            sheet.rules.append((x, y - 6, x + 60, y - 6))
            for number in range(rng.randint(1, 2)):
                mark = str(2 * column + number + 1)
                y = sheet.prose(x, y, width, rng.randint(1, 2), ("footnote", column), size=7.5, lead=mark)
    page_number(sheet, rng)


def header(sheet: Sheet, rng: Random) -> None:
    if rng.random() < 0.6:
        sheet.line(LEFT, 34, sheet.words.name(3), ("header", 0), size=8)
        sheet.line(RIGHT - 80, 34, sheet.words.name(1), ("header", 1), size=8)


def page_number(sheet: Sheet, rng: Random) -> None:
    text = f"{sheet.words.word()} {sheet.words.number(3)}"
    sheet.line(rng.choice((LEFT, WIDTH / 2 - 20, RIGHT - 70)), HEIGHT - 48, text, ("footer", 0), size=8)


def two_columns(rng: Random, words: Words) -> list[Sheet]:
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    title_and_columns(sheet, rng, 2, rng.choice((14.0, 20.0, 28.0)))
    return [sheet]


def columns_with_notes(rng: Random, words: Words) -> list[Sheet]:
    sheet = new_sheet(rng, words, rng.choice(("notes first", "rows", "read")))
    title_and_columns(sheet, rng, 2, rng.choice((16.0, 24.0)), notes=True)
    return [sheet]


def sidebar_left(rng: Random, words: Words) -> list[Sheet]:
    """A resume: a narrow column of short lines next to a wide one of paragraphs."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    top = sheet.line(LEFT, 50, words.name(2), ("title",), size=20, bold=True) + 20
    split = LEFT + rng.uniform(130, 170)
    if rng.random() < 0.5:
        sheet.shades.append((LEFT - 12, top - 8, split - 8, HEIGHT - 60))
    y = top
    for _ in range(rng.randint(3, 5)):
        y = sheet.line(LEFT, y, words.name(1), ("sidebar",), bold=True) + 3
        for _ in range(rng.randint(2, 5)):
            y = sheet.line(LEFT, y, f"{words.word()} {words.number(4)}", ("sidebar",))
        y += 12
    y = top
    for _ in range(rng.randint(3, 4)):
        y = sheet.line(split + 14, y, words.name(2), ("main",), bold=True) + 3
        for _ in range(rng.randint(1, 3)):
            y = sheet.prose(split + 14, y, RIGHT - split - 14, rng.randint(2, 5), ("main",)) + 5
        y += 9
    return [sheet]


def invoice(rng: Random, words: Words, *, blocks: int = 3, stream: str | None = None) -> list[Sheet]:
    """Letterhead, address and details side by side, unruled items, totals, and a footer of blocks side by side."""
    sheet = new_sheet(rng, words, stream or rng.choice(("read", "rows", "blocks")))
    y = sheet.line(LEFT, 50, words.name(3), ("letterhead",), size=15, bold=True) + 40
    below = address(sheet, words, LEFT, y)
    pairs(sheet, words, WIDTH / 2 + 30, y, rng.randint(3, 5))
    y = sheet.line(LEFT, below + 40, f"{words.name(1)} {words.number()}", ("subject",), size=13, bold=True) + 8
    y = sheet.prose(LEFT, y, RIGHT - LEFT, 2, ("intro",)) + 14
    rows: Rows = [[words.name(1), words.name(1), words.name(1), words.name(1)]]
    for _ in range(rng.randint(4, 8)):
        rows.append([words.number(4), f"{words.name(1)} {words.word()}", words.number(2), words.amount()])
    widths = [60, RIGHT - LEFT - 220, 70, 90]
    y = sheet.grid(LEFT, y, widths, rows, ruled=rng.random() < 0.4, numeric=(2, 3)) + 8
    y = sheet.prose(LEFT, y + 30, RIGHT - LEFT, 2, ("closing",))
    footer_blocks(sheet, words, rng, blocks)
    return [sheet]


def address(sheet: Sheet, words: Words, x: float, y: float) -> float:
    street, town = f"{words.name(1)} {words.number(2)}", f"{words.number()} {words.name(1)}"
    for text in (words.name(2), words.name(2), street, town):
        y = sheet.line(x, y, text, ("address",))
    return y


def pairs(sheet: Sheet, words: Words, x: float, y: float, count: int) -> float:
    for number in range(count):
        sheet.line(x, y, f"{words.name(1)}:", ("pair", number))
        y = sheet.line(x + 95, y, words.number(7), ("pair", number))
    return y


def footer_blocks(sheet: Sheet, words: Words, rng: Random, count: int) -> None:
    top = HEIGHT - 88
    sheet.rules.append((LEFT, top - 6, RIGHT, top - 6))
    for block in range(count):
        x, y = LEFT + block * (RIGHT - LEFT) / count, top
        for row in range(rng.randint(3, 4)):
            text = f"{words.name(1)} {words.number(8)}" if block and row else words.name(2)
            y = sheet.line(x, y, text, ("footer", block), size=7.5)


def ruled_form(rng: Random, words: Words) -> list[Sheet]:
    """Boxes with a small label over the value, drawn row by row."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    y = sheet.line(LEFT, 50, words.name(4), ("title",), size=14, bold=True) + 10
    for row in range(rng.randint(6, 9)):
        count = rng.randint(1, 4)
        width, bottom = (RIGHT - LEFT) / count, y + 34
        for column in range(count):
            x = LEFT + column * width
            sheet.rules += [(x, y, x, bottom), (x, y, x + width, y), (x, bottom, x + width, bottom)]
            sheet.line(x + 3, y + 3, words.name(2), ("box", row, column), size=7)
            value = f"{words.name(1)} {words.number(4)}" if rng.random() < 0.6 else words.name(2)
            sheet.line(x + 3, y + 16, value, ("box", row, column))
        sheet.rules.append((RIGHT, y, RIGHT, bottom))
        y = bottom
    sheet.prose(LEFT, y + 20, RIGHT - LEFT, 3, ("closing",))
    return [sheet]


def table_over_pages(rng: Random, words: Words) -> list[Sheet]:
    """A ruled table that goes on over two pages and repeats its header; some cells have two lines."""
    header_row = [words.name(1) for _ in range(5)]
    sheets = []
    for page in range(2):
        sheet = new_sheet(rng, words, rng.choice(("read", "rows")))
        y = sheet.line(LEFT, 40, words.name(3), ("header", page), size=8) + 30
        if page == 0:
            y = sheet.line(LEFT, y, words.name(3), ("title",), size=14, bold=True) + 8
        rows = [header_row]
        for _ in range(rng.randint(7, 12)):
            what = f"{words.name(1)} {words.word()}" + (
                f"\n{words.word()} {words.word()}" if rng.random() < 0.4 else ""
            )
            rows.append([words.number(3), what, words.name(1), words.number(2), words.amount()])
        y = sheet.grid(LEFT, y, [50, 190, 90, 60, 90], rows, ruled=True, numeric=(3, 4))
        page_number(sheet, rng)
        sheets.append(sheet)
    return sheets


def hebrew_columns(rng: Random, words: Words) -> list[Sheet]:
    """Two columns, of which the right one is read first."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows")))
    top = sheet.hebrew(RIGHT, 60, RIGHT - LEFT, 2, ("title",)) + 16
    width = (RIGHT - LEFT - 24) / 2
    for column, x1 in enumerate((RIGHT, LEFT + width)):
        y = top
        for _ in range(3):
            y = sheet.hebrew(x1, y, width, rng.randint(4, 8), ("column", column)) + LEADING * sheet.size
    return [sheet]


def letter_form(rng: Random, words: Words) -> list[Sheet]:
    """Labels and values without rules, two pairs in a row, then a paragraph."""
    sheet = new_sheet(rng, words, rng.choice(("read", "rows", "blocks")))
    y = sheet.line(LEFT, 60, words.name(3), ("title",), size=14, bold=True) + 14
    for row in range(rng.randint(6, 10)):
        for side, x in enumerate((LEFT, WIDTH / 2 + 10)):
            sheet.line(x, y, words.name(rng.randint(1, 2)) + rng.choice((":", "")), ("pair", row, side))
            value = words.name(1) if rng.random() < 0.3 else words.number(6)
            sheet.line(x + 125, y, value, ("pair", row, side))
        y += 1.7 * sheet.size
    sheet.prose(LEFT, y + 16, RIGHT - LEFT, 5, ("closing",))
    page_number(sheet, rng)
    return [sheet]


TUNED = (
    two_columns, columns_with_notes, sidebar_left, invoice, ruled_form, table_over_pages, hebrew_columns, letter_form,
)  # fmt: skip
