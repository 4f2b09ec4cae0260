"""Generated documents with other layouts: grids, two columns, slides, exhibits, and pages that share little."""

from random import Random

from benchmarks.packet_parts import texts
from benchmarks.packet_parts.paper import Paper, Sender, Sheet, Style

_INSTRUCTIONS = {
    "en": "Instructions", "de": "Anleitung", "fr": "Conditions générales", "es": "Instrucciones", "it": "Istruzioni",
    "nl": "Bijlage",
}  # fmt: skip
"""Titles of documents, some of which elsewhere name an appendix."""


def tax_form(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """A printed form with numbered boxes, as an authority publishes it: one page, no letterhead."""
    style.letterhead, style.numbers = "none", None
    paper = Paper(style, None)
    labels, language = paper.labels, style.language
    name = f"{rng.choice(('Form', 'FORM', labels['form'].split()[0]))} {rng.choice('ABTW')}-{rng.randint(1, 99)}"
    paper.text(style.margin, name, size=14, bold=True)
    paper.text(paper.width - 130, f"{rng.randint(2018, 2025)}", size=18, bold=True)
    paper.text(paper.width - 220, f"OMB No. 1545-{rng.randint(100, 9999):04}", size=7)
    paper.y += 26
    columns = rng.choice((2, 3, 4))
    cell = (paper.width - 2 * style.margin) / columns
    for row in range(rng.randint(5, 12)):
        for column in range(columns):
            x = style.margin + column * cell
            paper.box(x, cell, 34)
            paper.text(x + 3, f"{row * columns + column + 1} {texts.sentence(rng, language, words=3)[:-1]}", size=6.5)
            if rng.random() < 0.5:
                paper.y += 15
                paper.text(x + 8, rng.choice((texts.money(texts.amount(rng), language), texts.person(rng))))
                paper.y -= 15
        paper.y += 34
    paper.text(style.margin, f"{name}   {sender.name}", size=7, at=paper.height - 30)
    return paper.finished()


def lab_report(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    patient, number = texts.person(rng), texts.code(rng, "L")
    paper = Paper(style, sender, short_title=f"{patient}  {number}")
    labels, language = paper.labels, style.language
    paper.pairs(
        [
            (labels["patient"], patient),
            (labels["born"], texts.date(rng, language)),
            (labels["sample"], number),
            (labels["date"], texts.date(rng, language)),
        ]
    )
    paper.line(texts.titled(rng, language, "findings"), bold=True, size=style.size * 1.3)
    for _ in range(rng.choice((8, 20, 55))):
        paper.room(style.size * 1.5)
        low = rng.randint(1, 40)
        cells = [
            texts.product(rng).split()[0],
            f"{rng.uniform(low, low + 60):.1f}",
            f"{low} - {low + rng.randint(5, 90)}",
            rng.choice(("mg/dl", "U/l", "mmol/l", "g/l", "%")),
        ]
        paper.row((0.0, 0.4, 0.58, 0.8), cells)
    return paper.finished()


def utility_bill(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """A bill whose second page explains the charges of the first."""
    account = texts.code(rng, "7")
    labels = texts.LABELS[style.language]
    paper = Paper(style, sender, short_title=f"{labels['account']} {account}")
    language = style.language
    paper.pairs(
        [(labels["account"], account), (labels["date"], texts.date(rng, language)), (labels["name"], texts.person(rng))]
    )
    paper.line(f"{labels['total']}: {texts.money(texts.amount(rng, 400), language)}", bold=True, size=style.size * 1.6)
    for _ in range(rng.randint(2, 5)):
        paper.prose(texts.paragraph(rng, language))
    if rng.random() < 0.7:
        paper.new_page()
        paper.line(texts.sentence(rng, language, words=3)[:-1], bold=True, size=style.size * rng.choice((1.0, 1.4)))
        for _ in range(rng.randint(6, 25)):
            cells = [texts.sentence(rng, language, words=3)[:-1], texts.money(texts.amount(rng, 90), language)]
            paper.row((0.0, 0.75), cells)
        for _ in range(rng.randint(0, 4)):
            paper.prose(texts.paragraph(rng, language))
    return paper.finished()


def waybill(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """Few words in large boxes, often on a turned sheet."""
    style.numbers = None
    size = style.paper if rng.random() < 0.5 else (style.paper[1], style.paper[0])
    paper = Paper(style, None, size=size)
    labels, language = paper.labels, style.language
    paper.line(f"{labels['delivery']}  {texts.code(rng, 'WB')}", bold=True, size=16)
    for who in (sender.name, texts.company(rng, language)):
        paper.box(style.margin, paper.width / 2, 56)
        paper.y += 4
        for row in (who, texts.street(rng, language), texts.city(rng, language)):
            paper.line(row, indent=6)
        paper.space(14)
    for _ in range(rng.randint(1, 5)):
        cells = [texts.product(rng), f"{rng.randint(1, 40)} kg", texts.code(rng)]
        paper.row((0.0, 0.5, 0.75), cells)
    paper.line(labels["signature"])
    return paper.finished()


def memo(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    style.letterhead = "none"
    paper = Paper(style, None, short_title=sender.name)
    labels, language = paper.labels, style.language
    paper.line(rng.choice(("MEMO", "MEMORANDUM", "Memo", sender.name.upper())), bold=True, size=style.size * 1.5)
    rows = [("mail_to", texts.person(rng)), ("mail_from", texts.person(rng)), ("date", texts.date(rng, language))]
    for key, value in rows:
        paper.line(f"{labels[key].upper()}:  {value}")
    paper.rule(style.margin, paper.width - style.margin)
    paper.space()
    for _ in range(rng.choice((2, 6, 15))):
        paper.prose(texts.paragraph(rng, language))
    return paper.finished()


def timesheet(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, None, short_title=sender.name, size=(style.paper[1], style.paper[0]))
    labels, language = paper.labels, style.language
    who = texts.person(rng)
    paper.line(f"{labels['employee']}: {who}    {rng.randint(1, 12):02}/{rng.randint(2019, 2025)}", bold=True)
    columns = (0.0, 0.2, 0.4, 0.6, 0.8)
    header = [labels["date"], labels["item"], labels["qty"], labels["amount"], labels["signature"][:10]]
    paper.row(columns, header, bold=True)
    paper.on_break = (lambda: paper.row(columns, header, bold=True)) if rng.random() < 0.7 else None
    for _ in range(rng.choice((12, 24, 44))):
        paper.room(style.size * 1.5)
        hours = f"{rng.randint(1, 9)},{rng.choice((0, 25, 5, 75))}"
        cells = [texts.date(rng, language), texts.product(rng)[:14], hours, texts.money(texts.amount(rng), language)]
        paper.row(columns, [*cells, "x"])
    return paper.finished()


def slides(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """Every page has a large title, but all belong to one document."""
    style.letterhead = "none"
    paper = Paper(style, None, size=rng.choice(((720.0, 405.0), (720.0, 540.0))))
    language = style.language
    paper.space(120)
    paper.line(texts.sentence(rng, language, words=4)[:-1], bold=True, size=34)
    paper.line(f"{sender.name}  {texts.date(rng, language)}", size=16)
    for _ in range(rng.randint(2, 8)):
        paper.new_page()
        paper.line(texts.sentence(rng, language, words=rng.randint(2, 5))[:-1], bold=True, size=26)
        paper.space(20)
        for _ in range(rng.randint(2, 6)):
            paper.line(f"• {texts.sentence(rng, language, words=7)}", size=16)
        if rng.random() < 0.8:
            paper.text(style.margin, sender.name, size=9, at=paper.height - 22)
    return paper.finished()


def lease_with_exhibits(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """The exhibits belong to the contract, although each begins with a title."""
    paper = Paper(style, None, short_title=sender.name)
    labels, language = paper.labels, style.language
    paper.line(texts.titled(rng, language, "contract"), bold=True, size=style.size * 1.6)
    paper.line(f"{sender.name} / {texts.company(rng, language)}")
    for clause in range(1, rng.randint(5, 14)):
        paper.prose(f"{clause}. {texts.paragraph(rng, language)}")
    paper.line(labels["signature"])
    for exhibit in range(rng.randint(1, 3)):
        paper.new_page()
        paper.line(f"{labels['annex']} {'ABC'[exhibit]}", bold=True, size=style.size * rng.choice((1.0, 1.5, 2.0)))
        for _ in range(rng.randint(1, 5)):
            paper.prose(texts.paragraph(rng, language))
        for _ in range(rng.choice((0, 12))):
            paper.row((0.0, 0.6), [texts.product(rng), texts.money(texts.amount(rng), language)])
    return paper.finished()


def article(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """Two columns of small text; later pages have nothing of the first but its type."""
    style.letterhead = "none"
    paper = Paper(style, None, short_title=texts.sentence(rng, style.language, words=4)[:-1])
    language = style.language
    paper.line(texts.sentence(rng, language, words=6)[:-1], bold=True, size=18)
    paper.line(f"{texts.person(rng)}, {texts.person(rng)}")
    paper.space()
    width = (paper.width - 2 * style.margin) / 2
    characters = int(width / (style.size * 0.56))
    for page in range(rng.randint(1, 4)):
        if page:
            paper.new_page()
        top = paper.y
        for column in range(2):
            paper.y = top
            while paper.y < paper.height - style.margin - 30:
                row = texts.sentence(rng, language, words=12)[:characters]
                paper.text(style.margin + column * (width + 8), row)
                paper.y += style.size * 1.3
    return paper.finished()


def court_filing(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """A caption with parties and a case number, then numbered statements."""
    style.letterhead = "none"
    number = f"{rng.randint(1, 30)} {rng.choice('ABCO')} {rng.randint(10, 999)}/{rng.randint(18, 25)}"
    paper = Paper(style, None, short_title=number)
    labels, language = paper.labels, style.language
    paper.line(sender.name.upper(), bold=True, indent=120)
    paper.line(f"{labels['reference']}: {number}", indent=rng.choice((0.0, 240.0)))
    paper.space(20)
    paper.line(f"{texts.person(rng)}  ./.  {texts.company(rng, language)}")
    paper.line(texts.date(rng, language))
    for point in range(1, rng.choice((5, 16, 30))):
        paper.prose(f"{point}. {texts.paragraph(rng, language)}")
    return paper.finished()


def manual(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """Chapters that each begin on a new page with a large heading and their own small tables."""
    style.letterhead = "none"
    product = texts.product(rng)
    paper = Paper(style, None, short_title=product)
    language = style.language
    paper.space(rng.choice((0, 160)))
    paper.line(rng.choice((product, f"{_INSTRUCTIONS[language]} {product}")), bold=True, size=24)
    paper.line(sender.name)
    for chapter in range(1, rng.randint(2, 6)):
        paper.new_page()
        numbered = f"{chapter} " if rng.random() < 0.5 else ""
        paper.line(f"{numbered}{texts.sentence(rng, language, words=3)[:-1]}", bold=True, size=rng.choice((14, 20)))
        for _ in range(rng.randint(1, 7)):
            paper.prose(texts.paragraph(rng, language))
        for _ in range(rng.choice((0, 0, 8))):
            paper.row((0.0, 0.5), [texts.product(rng), str(rng.randint(1, 900))])
    return paper.finished()
