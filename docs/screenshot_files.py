"""The files that screenshots of the dashboard show, made here so that none belongs to anybody."""

import io
import zipfile
from collections.abc import Sequence

import pikepdf
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

LETTER = """Fjord Lighting AS
Storgata 12, 0155 Oslo, 2 March 2026

Dear Ms Lindqvist,

thank you for your order of 24 February. The twelve pendant lamps leave our warehouse on 9 March and
should reach you within the week. Please check them for damage before you sign for them.

Kind regards, Ingrid Aas
"""
PRICES = "article,description,unit price\n4711,Pendant lamp,89.00\n4712,Desk lamp,49.50\n4713,Bulb E27,6.90\n"
DAMAGED = b"%PDF-1.7\n" + bytes(range(256)) * 8
_SELLERS = (
    ("Fjord Lighting AS", "Storgata 12, 0155 Oslo", "NO974760673"),
    ("Marlow Printing Ltd", "8 Mill Lane, Leeds LS1 4AP", "GB980780684"),
    ("Nordlicht Furniture GmbH", "Speicherweg 12, 20457 Hamburg", "DE136695976"),
    ("Atelier Renard SARL", "4 rue des Lilas, 69003 Lyon", "FR40303265045"),
    ("Kestrel Logistics B.V.", "Havenstraat 31, 3011 Rotterdam", "NL004495445B01"),
    ("Alder Instruments Ltd", "12 Quay Street, Bristol BS1 4DJ", "GB123456782"),
)


def locked_pdf() -> bytes:
    pdf, target = pikepdf.new(), io.BytesIO()
    pdf.add_blank_page()
    pdf.save(target, encryption=pikepdf.Encryption(owner="owner", user="user"))
    return target.getvalue()


def scanned_pages(count: int) -> bytes:
    """A scanned PDF, which takes a while to read."""
    pages = []
    for number in range(1, count + 1):
        page = Image.new("L", (1240, 1754), 250)
        draw = ImageDraw.Draw(page)
        for line in range(40):
            draw.text(
                (120, 120 + line * 38), f"Page {number}, entry {line}: delivered and signed for", fill=30, font_size=28
            )
        pages.append(page)
    target = io.BytesIO()
    pages[0].save(target, format="PDF", save_all=True, append_images=pages[1:])
    return target.getvalue()


def invoice(number: int) -> bytes:
    seller, street, vat_id = _SELLERS[number % len(_SELLERS)]
    net = 80 + 37.5 * number
    return _pdf([[
        seller, street, f"VAT ID: {vat_id}", "", "INVOICE", "", f"Invoice number: 2026-{417 + number}",
        f"Invoice date: 2026-03-{number % 27 + 1:02}", f"Due date: 2026-04-{number % 27 + 1:02}",
        "Bill to: Kestrel & Finch Architects", "",
        f"Net amount: {net:.2f} EUR", f"VAT 19 %: {net * 0.19:.2f} EUR", f"Total: {net * 1.19:.2f} EUR",
    ]])  # fmt: skip


def archive() -> bytes:
    """Invoices in folders, and what else is found in archives that people send."""
    files = {f"march/{seller.split()[0].lower()}/invoice.pdf": invoice(at) for at, (seller, *_) in enumerate(_SELLERS)}
    files |= {
        "march/fjord/cover letter.txt": LETTER.encode(),
        "march/marlow/annex.pdf": DAMAGED,
        "march/scans/scan-0007.pdf": DAMAGED + b"another one",
        "march/.DS_Store": b"x",
        "march/viewer.exe": b"MZ\x90\x00" + bytes(range(256)) * 8,
        "../outside.txt": b"x",
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as written:
        for name, content in files.items():
            written.writestr(name, content)
    return target.getvalue()


def packet() -> bytes:
    """Two documents, and a page that could be a third."""
    bill = ["Marlow Printing Ltd", "8 Mill Lane", "Leeds LS1 4AP", "", "INVOICE", "Invoice No: A-1", "Total: 120.00"]
    letter = ["Clara Keller", "7 Mill Lane", "Leeds LS1 4AP", "", "2 May 2026", "Dear Sir or Madam,"]
    return _pdf([
        [*bill, "Page 1 of 2"],
        ["Invoice No: A-1", "More items", "Lamp 4 10.00", "Page 2 of 2"],
        ["and another page without any number", "or heading of its own"],
        [*letter, "we write about the roof of the house.", "Page 1 of 2"],
        ["we hope this settles the matter.", "Yours sincerely,", "Clara Keller", "Page 2 of 2"],
    ])  # fmt: skip


def _pdf(pages: Sequence[Sequence[str]]) -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4, invariant=True)
    for lines in pages:
        for at, line in enumerate(lines):
            footer = line.startswith("Page ")
            canvas.drawString(420 if footer else 60, 30 if footer else 780 - 22 * at, line)
        canvas.showPage()
    canvas.save()
    return target.getvalue()
