"""Generated business documents: invoices, orders, delivery notes, statements, receipts, quotations, payslips."""

from collections.abc import Sequence
from random import Random

from benchmarks.packet_parts import texts
from benchmarks.packet_parts.paper import Paper, Sender, Sheet, Style

_COLUMNS = (0.0, 0.55, 0.68, 0.85)


def _address(paper: Paper, rng: Random) -> None:
    language = paper.style.language
    paper.line(rng.choice((texts.company(rng, language), texts.person(rng))))
    paper.line(texts.street(rng, language))
    paper.line(texts.city(rng, language))
    paper.space(rng.choice((12, 26)))


def _items(paper: Paper, rng: Random, count: int, *, carry: bool, header_again: bool) -> float:
    labels, language = paper.labels, paper.style.language
    header = [labels["item"], labels["qty"], labels["price"], labels["amount"]]
    total = 0.0
    paper.row(_COLUMNS, header, bold=True)
    paper.rule(paper.style.margin, paper.width - paper.style.margin)

    def again() -> None:
        if carry:
            paper.row(_COLUMNS, [labels["brought"], "", "", texts.money(total, language)], bold=True)
        if header_again:
            paper.row(_COLUMNS, header, bold=True)

    paper.on_break = again
    for _ in range(count):
        if carry and paper.y + paper.style.size * 5 > paper.height - paper.style.margin - 20:
            paper.row(_COLUMNS, [labels["carried"], "", "", texts.money(total, language)], bold=True)
            paper.y = paper.height
        paper.room(paper.style.size * 1.5)
        quantity, price = rng.randint(1, 20), texts.amount(rng, 300)
        total += quantity * price
        cells = [
            texts.product(rng),
            str(quantity),
            texts.money(price, language),
            texts.money(quantity * price, language),
        ]
        paper.row(_COLUMNS, cells)
    paper.on_break = None
    return total


def _totals(paper: Paper, total: float) -> None:
    labels, language = paper.labels, paper.style.language
    paper.room(60)
    paper.rule(paper.style.margin, paper.width - paper.style.margin)
    for label, value in ((labels["subtotal"], total), (labels["vat"], total * 0.2), (labels["total"], total * 1.2)):
        paper.row(_COLUMNS, ["", "", label, texts.money(value, language)], bold=label == labels["total"])


def _sales_document(
    rng: Random, style: Style, sender: Sender, title: str, number: tuple[str, str], *, priced: bool, items: int
) -> list[Sheet]:
    dated = texts.date(rng, style.language)
    running = (f"{title} {number[1]}", f"{number[0]} {number[1]}   {dated}", f"{sender.name}  {number[1]}", sender.name)
    paper = Paper(style, sender, short_title=rng.choice(running))
    labels = paper.labels
    _address(paper, rng)
    if rng.random() < 0.85:
        paper.line(title, bold=True, size=style.size * rng.choice((1.3, 1.6, 2.0)))
        paper.space(8)
    rows = [number, (labels["date"], dated)]
    if rng.random() < 0.6:
        rows.append((labels["customer"], texts.code(rng, "C")))
    if rng.random() < 0.4:
        rows.append((labels["order_no"], texts.code(rng, "PO-")))
    paper.pairs(rows)
    if rng.random() < 0.3:
        paper.prose(f"{labels['dear']} {texts.sentence(rng, style.language)}")
    if priced:
        _totals(paper, _items(paper, rng, items, carry=rng.random() < 0.5, header_again=rng.random() < 0.6))
    else:
        _goods(paper, rng, items)
    paper.space()
    if rng.random() < 0.5:
        paper.line(labels["thanks"])
    return paper.finished()


def _goods(paper: Paper, rng: Random, count: int) -> None:
    header = ["Pos", paper.labels["item"], paper.labels["qty"]]
    columns = (0.0, 0.12, 0.8)
    paper.row(columns, header, bold=True)
    for position in range(1, count + 1):
        paper.room(paper.style.size * 1.5)
        paper.row(columns, [str(position), texts.product(rng), str(rng.randint(1, 90))])
    paper.space(30)
    paper.room(30)
    paper.line(f"{paper.labels['signature']}: ______________________")


def invoice(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    labels = texts.LABELS[style.language]
    number = (labels["invoice_no"], texts.code(rng, rng.choice(("", "RE", "INV-"))))
    items = rng.choice((3, 6, 10, 35, 60))
    title = texts.titled(rng, style.language, "invoice")
    return _sales_document(rng, style, sender, title, number, priced=True, items=items)


def quotation(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    labels = texts.LABELS[style.language]
    number = (labels["quote_no"], texts.code(rng, "Q-"))
    return _sales_document(rng, style, sender, labels["quote"], number, priced=True, items=rng.choice((4, 12, 40)))


def purchase_order(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    labels = texts.LABELS[style.language]
    number = (labels["order_no"], texts.code(rng, "PO-"))
    return _sales_document(
        rng,
        style,
        sender,
        texts.titled(rng, style.language, "order"),
        number,
        priced=True,
        items=rng.choice((2, 8, 45)),
    )


def delivery_note(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    labels = texts.LABELS[style.language]
    number = (labels["delivery_no"], texts.code(rng, "D"))
    return _sales_document(
        rng,
        style,
        sender,
        texts.titled(rng, style.language, "delivery"),
        number,
        priced=False,
        items=rng.choice((4, 14, 50)),
    )


def statement(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, sender, short_title=texts.LABELS[style.language]["statement"])
    labels, language = paper.labels, style.language
    _address(paper, rng)
    paper.line(labels["statement"], bold=True, size=style.size * 1.5)
    paper.pairs([(labels["account"], texts.code(rng, "4")), (labels["date"], texts.date(rng, language))])
    columns = (0.0, 0.18, 0.65, 0.83)
    balance = texts.amount(rng, 9000)
    header = [labels["date"], labels["booking"], labels["amount"], labels["balance"]]

    def again() -> None:
        paper.row(columns, header, bold=True)
        paper.row(columns, ["", labels["brought"], "", texts.money(balance, language)])

    paper.row(columns, header, bold=True)
    paper.on_break = again if rng.random() < 0.7 else None
    for _ in range(rng.choice((12, 30, 70, 110))):
        paper.room(style.size * 1.5)
        change = texts.amount(rng, 400) * rng.choice((-1, 1))
        balance += change
        cells = [texts.date(rng, language), texts.company(rng, language), texts.money(change, language)]
        paper.row(columns, [*cells, texts.money(balance, language)])
    paper.on_break = None
    paper.room(30)
    paper.line(f"{labels['balance']}: {texts.money(balance, language)}", bold=True)
    return paper.finished()


def receipt(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    count = rng.randint(3, 14)
    style.margin, style.numbers, style.letterhead, style.footer = 14.0, None, "center", "none"
    full_page = rng.random() < 0.35
    paper = Paper(style, None, size=style.paper if full_page else (226.0, 230.0 + count * 14))
    labels, language = paper.labels, style.language
    for row in (sender.name, sender.street, sender.city):
        paper.line(row, bold=row == sender.name)
    paper.line(f"{labels['receipt']} {texts.code(rng)}")
    paper.line(f"{texts.date(rng, language)}  {rng.randint(8, 20):02}:{rng.randint(0, 59):02}")
    paper.rule(14, 210)
    paper.space(4)
    total = 0.0
    for _ in range(count):
        price = texts.amount(rng, 40)
        total += price
        paper.text(14, texts.product(rng)[:20])
        paper.text(165, texts.money(price, language))
        paper.y += style.size * 1.3
    paper.line(f"{labels['total']}   {texts.money(total, language)}", bold=True)
    paper.line(f"{labels['cash']}   {texts.money(total + 5, language)}")
    paper.line(f"{labels['change']}   {texts.money(5.0, language)}")
    paper.line(labels["thanks"])
    return paper.finished()


def payslip(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, sender)
    labels, language = paper.labels, style.language
    paper.line(
        f"{labels['payslip']} {rng.randint(1, 12):02}/{rng.randint(2019, 2025)}", bold=True, size=style.size * 1.3
    )
    paper.pairs([(labels["employee"], texts.person(rng)), ("ID", texts.code(rng, "E"))])
    rows: Sequence[str] = (labels["salary"], labels["vat"], labels["subtotal"], labels["net"])
    for row in rows:
        paper.row((0.0, 0.75), [row, texts.money(texts.amount(rng, 5000), language)])
    return paper.finished()
