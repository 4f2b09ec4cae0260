"""What the local engine makes of single values: labels, places, types, and what it leaves alone."""

import pytest

from docsieve.domain.extraction import Found
from docsieve.domain.pages.page import Code, FormField, Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, table, written
from tests.engines.local.judges import judge_that_says


def schema(**fields: str | Schema) -> Schema:
    properties = {
        name: {"type": "string", "description": given} if isinstance(given, str) else given
        for name, given in fields.items()
    }
    return {"type": "object", "properties": properties}


def found(pages: Page | list[Page], **fields: str | Schema) -> dict[str, Found]:
    given = pages if isinstance(pages, list) else [pages]
    return LocalFields().propose(material(*given), schema(**fields), lessons=None).found


def values(pages: Page | list[Page], **fields: str | Schema) -> dict[str, object]:
    return {path: each.value for path, each in found(pages, **fields).items() if each.value is not None}


RECEIPT = page(
    [
        line(150, 40, "CORNER HARDWARE SDN. BHD.", 14),
        line(190, 58, "(123456-X)"),
        line(160, 72, "NO 7, JALAN BESAR,"),
        line(160, 86, "43200 CHERAS, SELANGOR"),
        line(170, 100, "TEL: 03-9074 1234"),
        line(180, 130, "TAX INVOICE"),
        line(40, 150, "Date"),
        line(200, 150, "03/05/2018 20:24"),
        line(40, 180, "Hammer"),
        line(400, 180, "12.00"),
        line(40, 194, "Nails"),
        line(400, 194, "3.52"),
        line(40, 220, "Total Qty"),
        line(400, 220, "2"),
        line(40, 234, "Sub Total"),
        line(400, 234, "15.52"),
        line(40, 248, "Total GST"),
        line(400, 248, "0.93"),
        line(40, 262, "Rounding"),
        line(400, 262, "0.00"),
        line(40, 276, "TOTAL"),
        line(400, 276, "16.45"),
        line(40, 290, "CASH"),
        line(400, 290, "20.00"),
        line(40, 304, "CHANGE"),
        line(400, 304, "3.55"),
    ]
)


def test_a_receipt_gives_company_address_date_and_total() -> None:
    assert values(RECEIPT, company="", date="", address="", total="") == {
        "company": "CORNER HARDWARE SDN. BHD.",
        "date": "03/05/2018",
        "address": "NO 7, JALAN BESAR, 43200 CHERAS, SELANGOR",
        "total": "16.45",
    }


def test_amounts_of_other_kinds_are_not_the_total() -> None:
    got = values(RECEIPT, subtotal="", tax="", cash="amount paid in cash", change="", total="")

    assert got == {"subtotal": "15.52", "tax": "0.93", "cash": "20.00", "change": "3.55", "total": "16.45"}


@pytest.mark.parametrize("label", ["Total GST", "Total Qty", "Total discount", "Total change"])
def test_a_label_that_says_something_else_even_better_is_not_a_total(label: str) -> None:
    rows = [("Bread", "5.00"), ("Milk", "2.50"), ("Subtotal", "7.50"), (label, "0.45")]
    receipt = page(
        [line(x, 40 + 20 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 300), row, strict=True)]
    )
    assert values(receipt, total="") == {}


def test_a_currency_in_a_label_does_not_count() -> None:
    rows = [("TOTAL EUR", "26.85"), ("VAT included", "2.17"), ("Cash", "30.00")]
    lines = [line(x, 40 + 14 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 300), row, strict=True)]

    assert values(page(lines), total="", tax="") == {"total": "26.85", "tax": "2.17"}


def test_the_total_after_rounding_is_the_total() -> None:
    rows = [("Total", "71.02"), ("Rounding", "-0.02"), ("TOTAL", "71.00")]
    lines = [line(x, 40 + 14 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 300), row, strict=True)]

    assert values(page(lines), total="") == {"total": "71.00"}


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("Rechnungs-Nr.: RE-2024/17", "invoice_number", "RE-2024/17"),
        ("Numéro de facture : FA-889", "invoice_number", "FA-889"),
        ("Factura N° 2024-15", "invoice_number", "2024-15"),
        ("Fattura numero 331/A", "invoice_number", "331/A"),
        ("Factuurnummer: 20240099", "invoice_number", "20240099"),
        ("Fälligkeitsdatum: 31.12.2024", "due_date", "31.12.2024"),
        ("Date d'échéance : 31/12/2024", "due_date", "31/12/2024"),
        ("Gesamtbetrag: 1.190,00", "total", "1.190,00"),
        ("Montant total TTC : 99,00", "total", "99,00"),
        ("Zwischensumme 84,03", "subtotal", "84,03"),
        ("Nettobetrag: 84,03", "net_total", "84,03"),
        ("MwSt. 19%: 15,97", "tax", "15,97"),
        ("Jumlah: 12.50", "total", "12.50"),
        ("Bestellnummer: 4500012345", "order_number", "4500012345"),
    ],
)
def test_labels_are_understood_in_several_languages(text: str, name: str, value: str) -> None:
    assert values(written(text), **{name: ""}) == {name: value}


def test_a_due_date_is_not_an_issue_date_nor_the_reverse() -> None:
    pages = written("Invoice date: 01.02.2024\nDue date: 15.02.2024")

    assert values(pages, date="", due_date="") == {"date": "01.02.2024", "due_date": "15.02.2024"}
    assert values(written("Due date: 15.02.2024"), delivery_date="") == {}


def test_a_candidate_that_came_near_makes_less_sure_that_the_field_is_absent() -> None:
    order, unsure = written("Order\n\nNumber 1234"), LocalFields(judge_that_says(0.2))
    near = unsure.propose(material(order), schema(contract_number="")).found["contract_number"]
    assert (near.value, near.spots) == (None, [])
    assert near.why == "not certain enough: '1234', after 'Number' on page 1"
    absent = found(written("Dear Sir"), contract_number="", gauge_mark="")
    known, unknown = (absent[path].score or 0 for path in ("contract_number", "gauge_mark"))
    assert near.score is not None and near.score < unknown < known


def test_what_another_field_took_hints_at_nothing_missed() -> None:
    shared = found(written("Phone: +49 40 5550 1420"), seller_phone="", buyer_phone="")
    taken, left = sorted(shared.values(), key=lambda each: each.value is None)
    assert (taken.value, left.value, left.doubts) == ("+49 40 5550 1420", None, [])


def test_contact_data_below_the_sellers_name_is_not_the_buyers() -> None:
    letter = written(
        """Example Works GmbH
Long Street 1, 12345 Town
VAT ID: DE136695976
Phone: +49 30 1234567
Email: office@example.com

Bill to
Northwind Traders Ltd
5 Harbour Road, Cork

Invoice number: 4711
"""
    )
    assert values(letter, seller="", buyer_vat_id="", buyer_email="", buyer_phone="") == {
        "seller": "Example Works GmbH"
    }
    its_own = written(
        """Example Works GmbH
Long Street 1, 12345 Town
Phone: +49 30 1234567

Bill to
Northwind Traders Ltd
VAT ID: IE6388047V
Email: accounts@northwind.example
"""
    )
    assert values(its_own, seller="", buyer_vat_id="", buyer_email="") == {
        "seller": "Example Works GmbH",
        "buyer_vat_id": "IE6388047V",
        "buyer_email": "accounts@northwind.example",
    }


def test_a_label_that_says_too_little_gives_at_most_a_doubtful_value() -> None:
    order = "Order\n\nCustomer number: 77120\nOrder date: 2026-03-04\n"
    weak = found(written(f"{order}Number 1234"), contract_number="")["contract_number"]
    assert weak.value is None or ((weak.score or 0.0) < 0.5 and [doubt.code for doubt in weak.doubts] == ["weak_label"])
    assert values(written(f"{order}Contract number 1234"), contract_number="") == {"contract_number": "1234"}


def test_a_period_gives_its_first_and_its_last_day() -> None:
    pages = written("Invoice Period  05/18/20 - 05/24/20\nFlight Dates  05/14/20-05/18/20")

    assert values(pages, flight_from="", flight_to="") == {"flight_from": "05/14/20", "flight_to": "05/18/20"}


def test_a_value_is_found_right_of_its_label_across_a_gap_or_below_it() -> None:
    side_by_side = page([line(40, 40, "Contract #"), line(300, 40, "553015")])
    below = page(
        [line(40, 40, "Advertiser"), line(300, 40, "Product"), line(40, 54, "Blue Boats"), line(300, 54, "Oars")]
    )

    assert values(side_by_side, contract_num="") == {"contract_num": "553015"}
    assert values(below, advertiser="", product="") == {"advertiser": "Blue Boats", "product": "Oars"}


def test_the_order_of_lines_in_the_file_does_not_matter() -> None:
    turned = page(list(reversed(RECEIPT.lines)))

    assert values(turned, company="", total="") == values(RECEIPT, company="", total="")


def test_a_scan_that_leans_is_read_along_its_lines() -> None:
    def leaning(x: float, y: float, text: str) -> object:
        made = line(x, y, text)
        for word in made.words:
            x0, y0, x1, y1 = word.box
            word.box = (x0, y0 + 0.06 * x0, x1, y1 + 0.06 * x0)
        made.box = (made.box[0], made.words[0].box[1], made.box[2], made.words[-1].box[3])
        return made

    rows = [("A long first thing", "1.00"), ("A long second thing", "2.00"), ("Sum total of it", "3.00")]
    lines = [
        leaning(x, 100 + 14 * at, text) for at, row in enumerate(rows) for x, text in zip((40, 400), row, strict=True)
    ]
    scan = page(lines)  # type: ignore[arg-type]
    scan.origin = "ocr"

    assert values(scan, total="") == {"total": "3.00"}


def test_the_user_s_own_labels_come_first() -> None:
    pages = written("Reference: A-1\nVorgang: B-2")

    assert values(pages, reference={"type": "string", "x-labels": ["Vorgang"]}) == {"reference": "B-2"}


def test_types_follow_the_schema() -> None:
    pages = written("Date: 03.04.2024\nTotal: EUR 1.234,50\nVAT rate: 19 %\nPaid: yes\nStatus: Final")
    got = values(
        pages,
        date={"type": "string", "format": "date"},
        day={"type": "string", "description": "date of issue in YYYY-MM-DD", "x-labels": ["Date"]},
        total={"type": "number"},
        currency={"type": "string"},
        vat_rate={"type": "number", "format": "percent"},
        paid={"type": "boolean"},
        status={"type": "string", "enum": ["draft", "final"]},
    )

    assert got == {
        "date": "2024-04-03",
        "day": "2024-04-03",
        "total": 1234.5,
        "currency": "EUR",
        "vat_rate": 19,
        "paid": True,
        "status": "final",
    }


def test_the_recipient_of_a_letter_is_the_buyer_and_its_sender_the_seller() -> None:
    letter = page(
        [
            line(60, 120, "Bright Lamps GmbH ● Ring 5 ● 20095 Hamburg", 6),
            line(60, 140, "Herr"),
            line(60, 154, "Karl Kessler"),
            line(60, 168, "Uferstraße 113"),
            line(60, 182, "88045 Friedrichshafen"),
            line(60, 260, "Rechnung Nr. 42", 14),
            line(60, 760, "Bright Lamps GmbH"),
            line(60, 774, "Telefon: 040 123456"),
        ]
    )

    assert values(letter, seller_name="", buyer_name="", invoice_number="") == {
        "seller_name": "Bright Lamps GmbH",
        "buyer_name": "Karl Kessler",
        "invoice_number": "42",
    }


def test_names_are_found_in_the_block_of_their_party() -> None:
    pages = written(
        "Verkäufer\nNummer: 549910\nName: ANTON GMBH\nAnschrift: BAHNHOFSTRASSE 99\n\n\n"
        "Käufer\nNummer: 9420\nName: BERTA GMBH\nAnschrift: KUNDENWEG 88"
    )

    assert values(pages, seller_name="", buyer_name="") == {"seller_name": "ANTON GMBH", "buyer_name": "BERTA GMBH"}


def test_blanks_of_a_form_are_known_by_the_words_around_them() -> None:
    form = page([line(40, 100, "1 Name of applicant (as in passport)"), line(40, 130, "2 Country of birth")])
    form.form_fields = [
        FormField("f1", "text", "Ada Lovelace", (40, 111, 300, 124)),
        FormField("f2", "text", "England", (40, 141, 300, 154)),
        FormField("married", "checkbox", True, (40, 171, 50, 181)),
    ]
    form.lines.append(line(54, 171, "Married"))

    assert values(form, name="", birth_country="", married={"type": "boolean"}) == {
        "name": "Ada Lovelace",
        "birth_country": "England",
        "married": True,
    }


def test_payment_codes_and_codes_under_a_label_answer_fields() -> None:
    bill = page([line(40, 100, "Scan to pay"), line(300, 100, "Shipment number"), line(40, 400, "Thank you!")])
    giro = "BCD\n002\n1\nSCT\nCOBADEFF\nACME GmbH\nDE89370400440532013000\nEUR12.50"
    bill.codes = [Code("qr_code", giro, (40, 115, 120, 195)), Code("code_128", "SH-4711-08", (300, 115, 420, 140))]

    assert values(bill, iban="", bic="", amount_due={"type": "number"}, shipment_number="", order_number="") == {
        "iban": "DE89370400440532013000",
        "bic": "COBADEFF",
        "amount_due": 12.5,
        "shipment_number": "SH-4711-08",
    }


def test_every_value_says_why_it_was_taken_and_better_evidence_scores_higher() -> None:
    labelled = found(written("Invoice date: 01.02.2024"), date="")["date"]
    bare = found(written("01.02.2024"), date="")["date"]

    assert labelled.why == "after 'Invoice date' on page 1"
    assert "form and place" in (bare.why or "")
    assert (labelled.score or 0) > (bare.score or 0)


def test_parties_are_named_in_running_text() -> None:
    pages = written(
        "THIS LEASE is made between Maple Center, LLC, a limited liability\n"
        "company (“Landlord”), and Stone Robotics, Inc., a corporation (“Tenant”).\n"
        "OAK BANK, N.A.,\n"
        "as Administrative Agent"
    )

    assert values(pages, landlord_name="", tenant_name="", administrative_agent="") == {
        "landlord_name": "Maple Center, LLC",
        "tenant_name": "Stone Robotics, Inc.",
        "administrative_agent": "OAK BANK, N.A.",
    }


def test_the_sum_of_a_column_is_its_total_not_one_of_its_rows() -> None:
    sheet = page(
        [
            line(40, 700, "Net amount"),
            line(200, 700, "Tax amount"),
            line(360, 700, "Total amount"),
            line(60, 714, "4.85"),
            line(225, 714, "0.92"),
            line(395, 714, "5.77"),
            line(60, 728, "2.82"),
            line(225, 728, "0.20"),
            line(395, 728, "3.02"),
            line(60, 748, "7.67"),
            line(225, 748, "1.12"),
            line(395, 748, "8.79"),
        ]
    )
    told = values(sheet, net_total="total without tax", tax_total="tax", grand_total="total with tax")
    assert told == {"net_total": "7.67", "tax_total": "1.12", "grand_total": "8.79"}


def test_the_last_row_of_a_column_is_not_a_sum_where_it_does_not_add_up() -> None:
    sheet = page(
        [line(40, 700, "Net amount"), line(60, 714, "4.85"), line(60, 728, "2.82"), line(60, 748, "9.99")],
    )
    assert values(sheet, net_total="total without tax")["net_total"] == "4.85"


def test_a_minus_that_a_narrow_column_broke_from_its_number_belongs_to_it() -> None:
    sheet = page([line(40, 100, "Tax amount in EUR"), line(300, 100, "-"), line(290, 112, "1.12")])
    assert values(sheet, tax_total={"type": "number"})["tax_total"] in (-1.12, "-1.12")


def test_a_code_in_brackets_does_not_part_a_label() -> None:
    sheet = written("Invoice (380) No. E2018/11\n\nPlease state the document number 2018092011804 with us")
    assert values(sheet, invoice_number="number of the invoice")["invoice_number"] == "E2018/11"


def test_a_code_in_brackets_is_not_the_number_of_the_document() -> None:
    sheet = written("Invoice (384) No. RK21012345")
    assert values(sheet, invoice_number={"type": "string", "x-labels": ["Invoice"]}) == {"invoice_number": "RK21012345"}


def test_a_label_that_says_it_in_other_words_is_found_by_its_meaning() -> None:
    sheet = written("Doctor: Jane Miller\nTreatment: rest\nRoom: 12")
    assert values(sheet, physician="") == {"physician": "Jane Miller"}
    assert values(sheet, dosage="") == {}


def test_letters_parted_by_a_slash_are_one_abbreviation() -> None:
    assert values(written("B/L No.: VAUU85976850"), bl_number="") == {"bl_number": "VAUU85976850"}


def test_a_table_that_is_only_the_layout_of_a_letterhead_has_the_buyer() -> None:
    texts = [
        ["Bill to", "Invoice number", "NL-17"],
        ["Kestrel & Finch B.V.", "Invoice date", "12 March 2026"],
        ["Prinsengracht 418", "Customer tax number", "004495445"],
        ["1016 JC Amsterdam", "Purchase order", "PO-7"],
    ]
    ruled, lines = table(texts)
    buyer: Schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    read = page(lines)
    read.tables.append(ruled)
    proposal = LocalFields().propose(material(read), {"type": "object", "properties": {"buyer": buyer}}, lessons=None)
    assert proposal.found["buyer.name"].value == "Kestrel & Finch B.V."


def test_the_items_of_a_table_are_not_the_buyer() -> None:
    texts = [["Nr.", "Bezeichnung", "Menge"], ["1", "Amboss 250 kg", "2"], ["2", "Kette", "30"]]
    ruled, lines = table(texts)
    buyer: Schema = {"type": "object", "properties": {"name": {"type": "string"}}}

    assert values(page(lines, tables=[ruled]), buyer=buyer) == {}
