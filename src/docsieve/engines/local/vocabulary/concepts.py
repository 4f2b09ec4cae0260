"""Common concepts and the labels under which they are printed: data, not code.

Phrases use the canonical words of `lexicon`, so one line serves all languages. Concepts that a schema does not ask for
still compete for labels: the cash paid is not the total, however close its label is.
"""

from dataclasses import dataclass, field

Type = str
"""amount number integer percent date time phone email url iban id currency country boolean enum name person address
text"""


@dataclass(frozen=True, slots=True)
class Concept:
    """`names` are what people call the field, `labels` the phrases printed before it, with their weights."""

    name: str
    type: Type
    names: tuple[str, ...] = ()
    labels: dict[str, float] = field(default_factory=dict)


_TOTAL = {
    "grand total": 1.0, "total amount": 0.97, "total including tax": 1.0, "total sales including tax": 1.0,
    "invoice amount": 0.95, "invoice total": 1.0, "total": 0.9, "total due": 1.0, "amount due": 0.8,
    "total amount due": 0.98, "total rounding": 0.97, "total sales": 0.85, "total gross": 1.0, "gross amount": 0.95,
    "amount": 0.5, "net total": 0.52, "net amount": 0.4, "balance due": 0.7, "total amount including tax": 1.0,
    "total pay": 0.9, "pay amount": 0.7, "amount including tax": 0.9, "total order": 0.84, "total net due": 0.8,
    "gross": 0.55, "including tax": 0.5, "due": 0.66, "balance": 0.5, "bill total": 0.9, "total invoice": 0.95,
    "total sum": 0.9,
    "total after rounding": 1.0, "total rounding including tax": 1.0, "total amount after rounding": 1.0,
}  # fmt: skip

CONCEPTS: tuple[Concept, ...] = (
    Concept("total", "amount", ("total", "grand total", "total amount", "amount total", "invoice total", "amount",
            "total price", "receipt total", "invoice amount", "gross total", "gross amount", "total gross",
            "total including tax", "amount including tax", "bill amount", "total bill", "total sales"), _TOTAL),
    Concept("net_total", "amount", ("subtotal", "net total", "net amount", "total net", "total excluding tax",
            "amount excluding tax", "net", "total amount excluding tax", "subtotal excluding tax", "amount net"), {
        "subtotal": 1.0, "net total": 0.97, "net amount": 0.9, "total excluding tax": 1.0, "net": 0.55,
        "total sales excluding tax": 1.0, "amount excluding tax": 0.9, "excluding tax": 0.7,
        "total amount excluding tax": 1.0, "subtotal excluding tax": 1.0, "total item amount": 0.5,
        "total line amount": 0.5, "net value": 0.7, "tax basis": 0.6,
    }),
    Concept("tax_total", "amount", ("tax", "tax amount", "total tax", "tax total", "sales tax", "amount tax"), {
        "total tax": 1.0, "tax amount": 0.95, "tax": 0.85, "tax percent": 0.85, "sales tax": 0.95,
        "total tax amount": 1.0, "tax percent amount": 0.9, "tax including total": 1.0,
        "tax percent including total": 1.0, "tax including": 0.9, "tax percent including": 0.95,
        "service tax": 0.5, "plus tax": 0.8,
    }),
    Concept("amount_due", "amount", ("amount due", "due amount", "balance due", "total due", "amount pay",
            "net amount due", "total amount due", "balance", "open amount", "pay amount", "net pay"), {
        **{phrase: weight * 0.72 for phrase, weight in _TOTAL.items() if "due" not in phrase},
        "amount due": 1.0, "balance due": 1.0, "total due": 0.97, "due": 0.85, "pay amount": 0.95, "net amount due": 1,
        "total amount due": 1.0, "pay": 0.5, "balance": 0.6, "net pay": 0.8, "please pay": 0.8,
    }),
    Concept("paid", "amount", ("amount paid", "paid", "cash", "paid amount"), {
        "cash": 1.0, "paid": 1.0, "card": 1.0, "credit": 0.9, "debit": 0.9,
        "credit card": 1.0, "debit card": 1.0, "amount paid": 1.0, "total paid": 1.0, "pay cash": 1.0, "pay card": 1.0,
        "cash paid": 1.0, "pay paid": 1.0, "card amount": 1.0, "cash amount": 1.0, "prepaid": 1.0, "already paid": 1.0,
        "total cash": 1.0, "pay": 0.7,
    }),
    Concept("change", "amount", ("change", "change due", "change amount"), {
        "change": 1.0, "change due": 1.0, "change amount": 1.0, "total change": 1.0, "cash change": 1.0,
    }),
    Concept("rounding", "amount", ("rounding", "rounding adjustment"), {
        "rounding": 1.0, "rounding adjustment": 1.0, "total rounding adjustment": 1.0, "rounding amount": 1.0,
    }),
    Concept("discount", "amount", ("discount", "discount amount", "total discount"), {
        "discount": 1.0, "total discount": 1.0, "discount amount": 1.0, "total amount discount": 1.0,
        "item discount": 1.0,
    }),
    Concept("items_total", "amount", (), {"position total": 1.0, "item total": 1.0, "line total": 1.0}),
    Concept("surcharge", "amount", ("surcharge",), {"surcharge": 1.0, "total surcharge": 1.0,
            "total amount surcharge": 1.0}),
    Concept("deposit", "amount", ("deposit", "advance"), {"deposit": 1.0, "deposit paid": 1.0}),
    Concept("service_charge", "amount", ("service charge", "service fee"), {
        "service charge": 1.0, "service": 0.9, "service fee": 1.0, "total service": 0.9, "service charge amount": 1.0,
    }),
    Concept("tip", "amount", ("tip", "tip amount"), {"tip": 1.0, "tip amount": 1.0}),
    Concept("shipping", "amount", ("ship", "ship cost", "freight", "ship amount"), {
        "ship": 0.9, "ship price": 1.0, "freight": 1.0, "ship handling": 1.0, "delivery price": 0.9,
    }),
    Concept("commission", "amount", ("commission",), {"commission": 1.0, "agency commission": 1.0}),
    Concept("total_quantity", "integer", ("total quantity", "total item", "item count", "number item"), {
        "total quantity": 1.0, "total item": 1.0, "item": 0.8, "quantity": 0.9, "number item": 1.0, "item count": 1.0,
        "item number": 0.8, "total number item": 1.0, "total spot": 0.8, "total unit": 0.9, "total item quantity": 1.0,
        "total piece": 0.9,
    }),
    Concept("tax_rate", "percent", ("tax rate", "tax percent", "tax price", "tax percent rate"), {
        "tax percent": 1.0, "tax price": 1.0, "tax": 0.7, "percent": 0.4,
    }),
    Concept("invoice_number", "id", ("invoice number", "invoice id", "invoice", "bill number", "document number",
            "receipt number", "document id", "receipt id", "invoice code", "invoice reference", "bill id"), {
        "invoice number": 1.0, "invoice": 0.7, "document number": 0.85, "receipt number": 0.85, "bill number": 0.85,
        "invoice id": 1.0, "tax invoice number": 0.95, "number": 0.4, "document": 0.45, "receipt": 0.5, "bill": 0.5,
        "transaction number": 0.45, "slip number": 0.5, "check number": 0.4, "cash number": 0.4, "trn number": 0.4,
        "invoice reference": 0.85, "reference number": 0.35, "correction number": 0.8,
    }),
    Concept("contract_number", "id", ("contract number", "contract id", "contract", "contract code"), {
        "contract number": 1.0, "contract": 0.75, "contract id": 1.0, "contract order number": 0.9,
        "invoice number": 0.52, "order number": 0.48, "order": 0.42, "invoice": 0.4, "number": 0.3,
        "document number": 0.45, "contract revision": 1.0, "order revision": 0.6,
    }),
    Concept("order_number", "id", ("order number", "purchase order", "purchase order number", "order id", "order",
            "order reference"), {
        "order number": 1.0, "purchase order number": 1.0, "purchase order": 0.9, "order": 0.7, "order id": 1.0,
        "order reference": 0.8, "customer order number": 0.8, "order code": 0.8,
    }),
    Concept("customer_number", "id", ("customer number", "customer id", "customer code", "buyer id"), {
        "customer number": 1.0, "customer id": 1.0, "customer code": 0.9, "customer": 0.6, "member number": 0.7,
        "customer reference": 0.6,
    }),
    Concept("account_number", "id", ("account number", "account", "account id"), {
        "account number": 1.0, "account": 0.8, "account id": 1.0, "bank account": 0.8, "iban": 0.85,
        "account iban": 0.95,
    }),
    Concept("reference_number", "id", ("reference", "reference number", "reference id"), {
        "reference number": 1.0, "reference": 0.9, "reference code": 0.9,
    }),
    Concept("registration_number", "id", ("registration number", "company number", "registration"), {
        "registration number": 1.0, "registration": 0.8, "company registration number": 1.0, "company number": 0.8,
        "company registration": 0.9,
    }),
    Concept("tax_id", "id", ("tax id", "tax number", "tax id number", "tax registration number", "tax registration",
            "tax identifier"), {
        "tax id": 1.0, "tax id number": 1.0, "tax number": 0.9, "tax registration number": 1.0, "tax": 0.5,
        "tax registration": 0.9, "tax identification": 1.0, "tax reference": 0.7,
    }),
    Concept("opening_balance", "amount", ("opening balance", "start balance", "previous balance"), {
        "opening balance": 1.0, "previous balance": 1.0, "start balance": 1.0, "balance previous": 1.0,
        "previous": 0.6, "from balance": 0.5, "previous account balance": 1.0,
    }),
    Concept("closing_balance", "amount", ("closing balance", "end balance", "new balance", "final balance"), {
        "closing balance": 1.0, "end balance": 1.0, "new balance": 1.0, "balance closing": 1.0, "balance end": 0.95,
        "to balance": 0.5, "new account balance": 1.0,
    }),
    Concept("iban", "iban", ("iban", "account iban", "bank iban"), {"iban": 1.0, "account": 0.4}),
    Concept("bic", "id", ("bic", "bank code"), {"bic": 1.0, "bank code": 0.7}),
    Concept("phone", "phone", ("phone", "phone number"), {"phone": 1.0, "phone number": 1.0, "call": 0.5,
            "hotline": 0.6, "customer service": 0.4}),
    Concept("fax", "phone", ("fax", "fax number"), {"fax": 1.0, "fax number": 1.0, "phone fax": 0.5}),
    Concept("email", "email", ("email", "email address"), {"email": 1.0, "email address": 1.0}),
    Concept("website", "url", ("website", "homepage", "uri"), {"website": 1.0, "visit": 0.5}),
    Concept("issue_date", "date", ("date", "invoice date", "issue date", "receipt date", "document date",
            "transaction date", "bill date", "date issue", "purchase date", "date invoice", "contract date",
            "agreement date", "statement date", "report date", "letter date", "notice date", "certificate date"), {
        "invoice date": 1.0, "issue date": 1.0, "document date": 1.0, "receipt date": 1.0, "bill date": 1.0,
        "date": 0.85, "transaction date": 0.85, "date issue": 1.0, "issue": 0.7, "from": 0.4, "date time": 0.85,
        "print date": 0.35, "order date": 0.5, "sales date": 0.7, "invoice": 0.45, "invoice number from": 0.9,
        "invoice from": 0.9,
        "invoice number date": 0.9, "invoice number issue": 0.95, "date invoice": 1.0,
    }),
    Concept("due_date", "date", ("due date", "date due", "pay due date", "due", "due by"), {
        "due date": 1.0, "date due": 1.0, "due": 0.8, "pay to": 0.8, "pay due": 0.9, "pay date": 0.6, "remit to": 0.8,
        "pay due date": 1.0, "due on": 0.8, "pay by": 0.8, "transfer to": 0.7,
    }),
    Concept("delivery_date", "date", ("delivery date", "ship date", "service date", "date delivery"), {
        "delivery date": 1.0, "ship date": 0.9, "delivery": 0.6, "date delivery": 1.0, "service date": 0.8,
    }),
    Concept("payment_date", "date", ("pay date", "paid date", "date paid"), {"pay date": 1.0, "paid date": 1.0,
            "paid": 0.6, "pay": 0.7}),
    Concept("order_date", "date", ("order date", "purchase order date"), {"order date": 1.0, "date order": 1.0,
            "order from": 1.0, "order number from": 1.0}),
    Concept("birth_date", "date", ("birth date", "date birth", "birth"), {"birth date": 1.0, "date birth": 1.0,
            "birth": 0.9}),
    Concept("print_date", "date", ("print date", "printed"), {"printed": 1.0, "print date": 1.0, "run": 0.8,
            "printed at": 1.0, "run date": 0.9, "print": 0.9, "date entered": 1.0, "last modified": 1.0, "entered": 0.9,
            "modified": 0.9}),
    Concept("period_start", "date", ("start date", "date from", "from date", "start", "from", "period start",
            "period from", "date start", "begin date", "valid from"), {
        "period": 0.8, "start date": 0.9, "from": 0.75, "period from": 1.0, "start": 0.8, "date": 0.4,
        "date from": 0.9, "schedule date": 0.8, "bill period": 0.85, "service period": 0.8, "term": 0.6,
        "valid from": 0.9, "contract date": 0.9, "between": 0.6, "period date": 0.9, "order date": 0.6,
        "start end date": 0.85, "start date end date": 0.85, "period covered": 0.8,
    }),
    Concept("period_end", "date", ("end date", "date to", "to date", "end", "to", "period end", "period to",
            "date end", "valid to", "expiry date", "end period"), {
        "period": 0.8, "end date": 0.9, "to": 0.6, "period to": 1.0, "end": 0.8, "date": 0.4, "date to": 0.9,
        "schedule date": 0.8, "bill period": 0.85, "service period": 0.8, "term": 0.6, "valid to": 0.9,
        "contract date": 0.9, "between": 0.6, "period date": 0.9, "order date": 0.6, "start end date": 0.85,
        "start date end date": 0.85, "period covered": 0.8,
    }),
    Concept("time", "time", ("time", "transaction time", "receipt time"), {"time": 1.0, "date time": 0.9}),
    Concept("currency", "currency", ("currency", "currency code", "invoice currency"), {"currency": 1.0,
            "invoice currency": 1.0, "currency code": 1.0, "document currency": 1.0}),
    Concept("table_number", "id", ("table", "table number"), {"table number": 1.0, "table": 0.9}),
    Concept("cashier", "text", ("cashier", "cashier name"), {"cashier": 1.0, "cashier name": 1.0}),
    Concept("page_number", "integer", (), {"page": 1.0, "page number": 1.0}),
    Concept("quantity", "number", ("quantity", "number unit", "quantity order"), {"quantity": 1.0, "unit": 0.3}),
    Concept("unit_price", "amount", ("unit price", "price unit", "price", "unit cost", "price per unit"), {
        "unit price": 1.0, "price": 0.85, "price unit": 1.0, "unit": 0.6, "net price": 0.7,
    }),
    Concept("line_total", "amount", ("line total", "line amount", "item total", "total price", "item amount", "amount",
            "total", "sum", "value", "net amount", "total amount"), {
        "line total": 1.0, "amount": 0.85, "total": 0.92, "total price": 0.95, "price": 0.4, "value": 0.6,
        "total amount": 0.9, "net amount": 0.8, "line amount": 1.0, "net value": 0.7, "gross amount": 0.6,
    }),
    Concept("item_name", "text", ("description", "item", "item name", "item description", "name", "service"), {
        "description": 1.0, "item": 0.9, "item description": 1.0, "service": 0.6, "item name": 1.0, "name": 0.7,
        "material description": 0.9, "name item": 1.0, "detail": 0.5,
    }),
)  # fmt: skip

BY_NAME = {concept.name: concept for concept in CONCEPTS}

ROLES: dict[str, frozenset[str]] = {
    "seller": frozenset(("seller", "supplier", "company", "store", "employer", "operator", "payee", "partner", "sender",
                         "provider", "contractor")),
    "buyer": frozenset(("buyer", "customer", "client", "employee", "debtor", "holder")),
    "ship_to": frozenset(("ship", "delivery", "consignee")),
}  # fmt: skip
"""Which party a field is about, by the words of its name."""

PARTY_LABELS: dict[str, dict[str, float]] = {
    "seller": {
        "seller": 0.95, "seller name": 1.0, "supplier": 0.95, "supplier name": 1.0, "company": 0.5, "company name": 0.9,
        "store": 0.42, "store name": 0.95, "service provider": 0.85, "bill from": 0.9, "from": 0.5, "employer": 0.9,
        "employer name": 1.0, "pay to": 0.5, "sender": 0.8, "contractor": 0.7, "account holder": 0.3,
    },
    "buyer": {
        "buyer": 0.95, "buyer name": 1.0, "bill to": 1.0, "sold to": 1.0, "customer": 0.85, "customer name": 1.0,
        "invoice to": 0.95, "bill address": 0.85, "customer address": 0.8, "to": 0.45, "bill to address": 0.95,
        "invoice address": 0.8, "buyer address": 0.8, "attention": 0.35, "ship to": 0.4, "name": 0.35,
        "delivery to": 0.4, "employee": 0.9, "employee name": 1.0, "seller buyer": 0.3, "messr": 0.7,
    },
    "ship_to": {"ship to": 1.0, "delivery to": 1.0, "delivery address": 1.0, "ship address": 1.0, "consignee": 1.0},
}  # fmt: skip

ATTRIBUTES: dict[str, Type] = {
    "address": "address", "street": "text", "city": "text", "zip": "id", "country": "country", "state": "text",
    "phone": "phone", "email": "email", "website": "url", "fax": "phone",
}  # fmt: skip
