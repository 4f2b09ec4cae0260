"""Generated documents of mostly text: letters, contracts, medical reports, resumes, forms, policies, mails, reports."""

from random import Random

from benchmarks.packet_parts import texts
from benchmarks.packet_parts.paper import Paper, Sender, Sheet, Style


def letter(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    dated = texts.date(rng, style.language)
    paper = Paper(style, sender, short_title=rng.choice((sender.name, f"{sender.name}   {dated}")))
    labels, language = paper.labels, style.language
    for row in (texts.person(rng), texts.street(rng, language), texts.city(rng, language)):
        paper.line(row)
    paper.space(18)
    paper.line(dated, indent=rng.choice((0.0, 300.0)))
    if rng.random() < 0.5:
        paper.line(f"{labels['reference']}: {texts.code(rng, 'AZ-')}")
    paper.space(10)
    paper.line(texts.sentence(rng, language, words=5), bold=True)
    paper.line(labels["dear"])
    paper.space(6)
    for _ in range(rng.choice((3, 5, 14, 20))):
        paper.prose(texts.paragraph(rng, language))
    paper.room(60)
    paper.line(labels["closing"])
    paper.space(24)
    paper.line(texts.person(rng))
    return paper.finished()


def letter_with_annex(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """The annex is part of the letter, although it looks different."""
    sheets = letter(rng, style, sender)
    paper = Paper(style, sender if style.running == "letterhead" else None)
    paper.line(f"{paper.labels['annex']} 1", bold=True, size=style.size * 1.3)
    for _ in range(rng.randint(8, 24)):
        paper.row((0.0, 0.6), [texts.product(rng), texts.money(texts.amount(rng), style.language)])
    return [*sheets, *paper.sheets]


def contract(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, sender if rng.random() < 0.4 else None, short_title=texts.LABELS[style.language]["contract"])
    labels, language = paper.labels, style.language
    paper.space(rng.choice((0, 60)))
    paper.line(texts.titled(rng, language, "contract"), bold=True, size=style.size * 1.8)
    paper.line(f"{labels['policy_no']}: {texts.code(rng, 'V')}")
    for row in (labels["between"], sender.name, f"{sender.street}, {sender.city}", texts.company(rng, language)):
        paper.line(row)
    paper.space()
    for clause in range(1, rng.randint(8, 22)):
        paper.room(40)
        paper.line(f"{labels['clause']} {clause}  {texts.sentence(rng, language, words=3)[:-1]}", bold=True)
        for part in range(1, rng.randint(2, 5)):
            paper.prose(f"{clause}.{part} {texts.paragraph(rng, language)}")
    paper.space(20)
    paper.room(70)
    paper.line(f"{labels['signature']}")
    paper.space(30)
    paper.rule(style.margin, style.margin + 180)
    return paper.finished()


def medical_report(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    patient = texts.person(rng)
    paper = Paper(style, sender, short_title=f"{texts.LABELS[style.language]['patient']}: {patient}")
    labels, language = paper.labels, style.language
    paper.line(texts.titled(rng, language, "medical"), bold=True, size=style.size * 1.5)
    rows = [
        (labels["patient"], patient),
        (labels["born"], texts.date(rng, language)),
        (labels["sample"], texts.code(rng, "F")),
    ]
    paper.pairs([*rows, (labels["date"], texts.date(rng, language))])
    for heading in ("diagnosis", "history", "findings", "therapy"):
        paper.room(50)
        paper.line(labels[heading], bold=True)
        for _ in range(rng.choice((1, 3, 6))):
            paper.prose(texts.paragraph(rng, language))
    if rng.random() < 0.6:
        for _ in range(rng.randint(6, 30)):
            paper.room(20)
            value = f"{rng.uniform(1, 200):.1f}"
            paper.row(
                (0.0, 0.4, 0.6), [texts.product(rng).split()[0], value, f"{rng.randint(1, 20)} - {rng.randint(30, 90)}"]
            )
    paper.room(40)
    paper.line(labels["closing"])
    paper.line(f"Dr. {texts.person(rng)}")
    return paper.finished()


def resume(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    style.letterhead = "none"
    paper = Paper(style, None)
    labels, language = paper.labels, style.language
    if rng.random() < 0.6:
        paper.line(labels["resume"], bold=True, size=style.size * 1.3)
    paper.line(texts.person(rng), bold=True, size=style.size * 1.8)
    paper.line(f"{texts.street(rng, language)}, {texts.city(rng, language)}")
    for heading, count in (("experience", rng.choice((3, 7))), ("education", 2), ("skills", 1)):
        paper.space()
        paper.room(40)
        paper.line(labels[heading].upper(), bold=True)
        for _ in range(count):
            year = rng.randint(2000, 2020)
            paper.room(50)
            paper.line(f"{year} - {year + rng.randint(1, 4)}   {texts.company(rng, language)}", bold=True)
            for _ in range(rng.randint(2, 5)):
                paper.line(f"• {texts.sentence(rng, language)}", indent=12)
    return paper.finished()


def form(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, sender if rng.random() < 0.5 else None)
    labels, language = paper.labels, style.language
    title = f"{labels['form']} {rng.choice('ABCDEF')}{rng.randint(1, 99)}"
    paper.short_title = title
    paper.line(title, bold=True, size=style.size * 1.5)
    fields = [labels[name] for name in ("name", "address", "phone", "born", "date", "account", "employee")]
    for number in range(1, rng.choice((9, 14, 26, 34))):
        paper.room(42)
        label = rng.choice(fields) if rng.random() < 0.5 else texts.sentence(rng, language, words=4)[:-1]
        paper.text(style.margin, f"{number} {label}", size=style.size - 1)
        paper.y += style.size * 1.2
        paper.box(style.margin, paper.width - 2 * style.margin, 20)
        if rng.random() < 0.6:
            paper.y += 5
            paper.text(style.margin + 6, rng.choice((texts.person(rng), texts.code(rng), texts.date(rng, language))))
            paper.y -= 5
        paper.y += 27
    paper.room(40)
    paper.line(labels["signature"])
    return paper.finished()


def policy(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, sender, short_title=texts.LABELS[style.language]["policy"])
    labels, language = paper.labels, style.language
    number = texts.code(rng, "P-")
    paper.short_title = f"{labels['policy']} {labels['policy_no']} {number}"
    paper.line(texts.titled(rng, language, "policy"), bold=True, size=style.size * 1.6)
    paper.pairs(
        [
            (labels["policy_no"], number),
            (labels["name"], texts.person(rng)),
            (labels["date"], texts.date(rng, language)),
        ]
    )
    for _ in range(rng.randint(6, 12)):
        paper.row(
            (0.0, 0.7), [texts.sentence(rng, language, words=4)[:-1], texts.money(texts.amount(rng, 90000), language)]
        )
    paper.new_page()
    for clause in range(1, rng.randint(6, 18)):
        paper.prose(f"{clause}. {texts.paragraph(rng, language)}")
    return paper.finished()


def mail(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    style.numbers, style.letterhead = rng.choice((None, "{n}/{total}")), "none"
    paper = Paper(style, None)
    labels, language = paper.labels, style.language
    address = f"{texts.person(rng).lower().replace(' ', '.')}@{sender.name.split()[0].lower()}.example"
    rows = [
        (labels["mail_from"], address),
        (labels["mail_to"], texts.person(rng)),
        (labels["date"], texts.date(rng, language)),
    ]
    paper.pairs([*rows, (labels["subject"], texts.sentence(rng, language, words=5)[:-1])], gap=70)
    paper.line(f"{labels['dear']}")
    for _ in range(rng.choice((2, 4, 16))):
        paper.prose(texts.paragraph(rng, language))
    paper.line(labels["closing"])
    paper.line(texts.person(rng))
    return paper.finished()


def report(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    """One document whose pages look different: cover, contents, chapters, a table on a turned page."""
    title = f"{texts.LABELS[style.language]['report']} {rng.randint(2015, 2025)}"
    paper = Paper(style, None, short_title=f"{sender.name} {title}")
    labels, language = paper.labels, style.language
    paper.space(200)
    paper.line(title, bold=True, size=28)
    paper.line(sender.name, size=16)
    paper.new_page()
    paper.line(labels["contents"], bold=True, size=14)
    chapters = [texts.sentence(rng, language, words=3)[:-1] for _ in range(rng.randint(3, 6))]
    for number, chapter in enumerate(chapters, 1):
        paper.line(f"{number}  {chapter} ....... {number + 2}")
    for number, chapter in enumerate(chapters, 1):
        paper.new_page()
        paper.line(f"{number} {chapter}", bold=True, size=15)
        if rng.random() < 0.4:  # a table header with periods, which does not begin another document
            paper.row((0.3, 0.6), [texts.date(rng, language), texts.date(rng, language)], bold=True)
        for _ in range(rng.randint(3, 8)):
            paper.prose(texts.paragraph(rng, language))
    if rng.random() < 0.7:
        paper.new_page(turned=True)
        for _ in range(rng.randint(8, 18)):
            paper.row(
                (0.0, 0.3, 0.5, 0.7),
                [texts.product(rng), *(texts.money(texts.amount(rng), language) for _ in range(3))],
            )
    return paper.finished()


def minutes(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    paper = Paper(style, None, short_title=texts.LABELS[style.language]["minutes"])
    labels, language = paper.labels, style.language
    paper.line(labels["minutes"], bold=True, size=style.size * 1.4)
    paper.line(f"{sender.name}, {texts.date(rng, language)}")
    for item in range(1, rng.choice((4, 9, 14))):
        paper.room(40)
        paper.line(f"{item}. {texts.sentence(rng, language, words=4)}", bold=True)
        paper.prose(texts.paragraph(rng, language))
    return paper.finished()


def certificate(rng: Random, style: Style, sender: Sender) -> list[Sheet]:
    style.numbers = None
    paper = Paper(style, sender)
    labels, language = paper.labels, style.language
    paper.space(120)
    paper.line(labels["certificate"], bold=True, size=24)
    paper.space(30)
    paper.line(texts.person(rng), size=18)
    paper.prose(texts.sentence(rng, language))
    paper.space(80)
    paper.line(f"{texts.city(rng, language)}, {texts.date(rng, language)}")
    return paper.finished()
