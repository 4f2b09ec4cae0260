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


_SURE, _GOOD, _FAIR, _WEAK = 1.0, 0.85, 0.65, 0.4


def _labels(*, sure: str = "", good: str = "", fair: str = "", weak: str = "") -> dict[str, float]:
    """Phrases by how surely they mean the field, with their weights."""
    tiers = ((sure, _SURE), (good, _GOOD), (fair, _FAIR), (weak, _WEAK))
    return {phrase: weight for phrases, weight in tiers for phrase in phrases.split(", ") if phrase}


_TOTAL = _labels(
    sure="grand total, total amount, total including tax, total sales including tax, invoice amount, invoice "
         "total, total due, total amount due, total rounding, total gross, gross amount, total amount including "
         "tax, total invoice, total after rounding, total rounding including tax, total amount after rounding",
    good="total, amount due, total sales, total pay, amount including tax, total order, total net due, bill total, "
         "total sum",
    fair="balance due, pay amount, due",
    weak="amount, net total, net amount, gross, including tax, balance",
)  # fmt: skip

_OF_TOTALS = {phrase: min(weight, _FAIR) for phrase, weight in _TOTAL.items() if "due" not in phrase}

CONCEPTS: tuple[Concept, ...] = (
    Concept("total", "amount", ("total", "grand total", "total amount", "amount total", "invoice total", "amount",
            "total price", "receipt total", "invoice amount", "gross total", "gross amount", "total gross",
            "total including tax", "amount including tax", "bill amount", "total bill", "total sales"), _TOTAL),
    Concept("net_total", "amount", ("subtotal", "net total", "net amount", "total net", "total excluding tax",
            "amount excluding tax", "net", "total amount excluding tax", "subtotal excluding tax", "amount net"),
            _labels(
        sure="subtotal, net total, total excluding tax, total sales excluding tax, total amount excluding tax, "
             "subtotal excluding tax",
        good="net amount, amount excluding tax",
        fair="excluding tax, net value, tax basis",
        weak="net, total item amount, total line amount",
    )),
    Concept("tax_total", "amount", ("tax", "tax amount", "total tax", "tax total", "sales tax", "amount tax"), _labels(
        sure="total tax, tax amount, sales tax, total tax amount, tax including total, tax percent including "
             "total, tax percent including, tax including",
        good="tax, tax percent, tax percent amount, plus tax",
        weak="service tax",
    )),
    Concept("amount_due", "amount", ("amount due", "due amount", "balance due", "total due", "amount pay",
            "net amount due", "total amount due", "balance", "open amount", "pay amount", "net pay"),
            {**_OF_TOTALS, **_labels(
        sure="amount due, balance due, total due, pay amount, net amount due, total amount due",
        good="due, net pay, please pay",
        fair="balance",
        weak="pay",
    )}),
    Concept("paid", "amount", ("amount paid", "paid", "cash", "paid amount"), _labels(
        sure="cash, paid, card, credit card, debit card, amount paid, total paid, pay cash, pay card, cash paid, "
             "pay paid, card amount, cash amount, prepaid, already paid, total cash",
        good="credit, debit",
        fair="pay",
    )),
    Concept("change", "amount", ("change", "change due", "change amount"),
            _labels(sure="change, change due, change amount, total change, cash change")),
    Concept("rounding", "amount", ("rounding", "rounding adjustment"),
            _labels(sure="rounding, rounding adjustment, total rounding adjustment, rounding amount")),
    Concept("discount", "amount", ("discount", "discount amount", "total discount"), _labels(
        sure="discount, total discount, discount amount, total amount discount, item discount",
    )),
    Concept("items_total", "amount", (), _labels(sure="position total, item total, line total")),
    Concept("surcharge", "amount", ("surcharge",), _labels(sure="surcharge, total surcharge, total amount surcharge")),
    Concept("deposit", "amount", ("deposit", "advance"), _labels(sure="deposit, deposit paid")),
    Concept("service_charge", "amount", ("service charge", "service fee"), _labels(
        sure="service charge, service fee, service charge amount",
        good="service, total service",
    )),
    Concept("tip", "amount", ("tip", "tip amount"), _labels(sure="tip, tip amount")),
    Concept("shipping", "amount", ("ship", "ship cost", "freight", "ship amount"),
            _labels(sure="ship price, freight, ship handling", good="ship, delivery price")),
    Concept("commission", "amount", ("commission",), _labels(sure="commission, agency commission")),
    Concept("total_quantity", "integer", ("total quantity", "total item", "item count", "number item"), _labels(
        sure="total quantity, total item, number item, item count, total number item, total item quantity",
        good="item, quantity, item number, total spot, total unit, total piece",
    )),
    Concept("tax_rate", "percent", ("tax rate", "tax percent", "tax price", "tax percent rate"),
            _labels(sure="tax percent, tax price", fair="tax", weak="percent")),
    Concept("invoice_number", "id", ("invoice number", "invoice id", "invoice", "bill number", "document number",
            "receipt number", "document id", "receipt id", "invoice code", "invoice reference", "bill id"), _labels(
        sure="invoice number, invoice id, tax invoice number",
        good="document number, receipt number, bill number, invoice reference, correction number",
        fair="invoice",
        weak="number, document, receipt, bill, transaction number, slip number, check number, cash number, trn "
             "number, reference number",
    )),
    Concept("contract_number", "id", ("contract number", "contract id", "contract", "contract code"), _labels(
        sure="contract number, contract id, contract revision",
        good="contract, contract order number",
        fair="order revision",
        weak="invoice number, order number, order, invoice, number, document number",
    )),
    Concept("order_number", "id", ("order number", "purchase order", "purchase order number", "order id", "order",
            "order reference"), _labels(
        sure="order number, purchase order number, order id",
        good="purchase order, order reference, customer order number, order code",
        fair="order",
    )),
    Concept("customer_number", "id", ("customer number", "customer id", "customer code", "buyer id"), _labels(
        sure="customer number, customer id",
        good="customer code",
        fair="customer, member number, customer reference",
    )),
    Concept("account_number", "id", ("account number", "account", "account id"), _labels(
        sure="account number, account id, account iban",
        good="account, bank account, iban",
    )),
    Concept("reference_number", "id", ("reference", "reference number", "reference id"),
            _labels(sure="reference number", good="reference, reference code")),
    Concept("registration_number", "id", ("registration number", "company number", "registration"), _labels(
        sure="registration number, company registration number",
        good="registration, company number, company registration",
    )),
    Concept("tax_id", "id", ("tax id", "tax number", "tax id number", "tax registration number", "tax registration",
            "tax identifier"), _labels(
        sure="tax id, tax id number, tax registration number, tax identification",
        good="tax number, tax registration",
        fair="tax reference",
        weak="tax",
    )),
    Concept("opening_balance", "amount", ("opening balance", "start balance", "previous balance"), _labels(
        sure="opening balance, previous balance, start balance, balance previous, previous account balance",
        fair="previous",
        weak="from balance",
    )),
    Concept("closing_balance", "amount", ("closing balance", "end balance", "new balance", "final balance"), _labels(
        sure="closing balance, end balance, new balance, balance closing, balance end, new account balance",
        weak="to balance",
    )),
    Concept("iban", "iban", ("iban", "account iban", "bank iban"), _labels(sure="iban", weak="account")),
    Concept("bic", "id", ("bic", "bank code"), _labels(sure="bic", fair="bank code")),
    Concept("phone", "phone", ("phone", "phone number"),
            _labels(sure="phone, phone number", fair="hotline", weak="call, customer service")),
    Concept("fax", "phone", ("fax", "fax number"), _labels(sure="fax, fax number", weak="phone fax")),
    Concept("email", "email", ("email", "email address"), _labels(sure="email, email address")),
    Concept("website", "url", ("website", "homepage", "uri"), _labels(sure="website", weak="visit")),
    Concept("issue_date", "date", ("date", "invoice date", "issue date", "receipt date", "document date",
            "transaction date", "bill date", "date issue", "purchase date", "date invoice", "contract date",
            "agreement date", "statement date", "report date", "letter date", "notice date", "certificate date"),
            _labels(
        sure="invoice date, issue date, document date, receipt date, bill date, date issue, invoice number issue, "
             "date invoice",
        good="date, transaction date, date time, invoice number from, invoice from, invoice number date",
        fair="issue, sales date",
        weak="from, print date, order date, invoice",
    )),
    Concept("due_date", "date", ("due date", "date due", "pay due date", "due", "due by"), _labels(
        sure="due date, date due, pay due date",
        good="due, pay to, pay due, remit to, due on, pay by",
        fair="pay date, transfer to",
    )),
    Concept("delivery_date", "date", ("delivery date", "ship date", "service date", "date delivery"), _labels(
        sure="delivery date, date delivery",
        good="ship date, service date",
        fair="delivery",
    )),
    Concept("payment_date", "date", ("pay date", "paid date", "date paid"),
            _labels(sure="pay date, paid date", fair="paid, pay")),
    Concept("order_date", "date", ("order date", "purchase order date"),
            _labels(sure="order date, date order, order from, order number from")),
    Concept("birth_date", "date", ("birth date", "date birth", "birth"),
            _labels(sure="birth date, date birth", good="birth")),
    Concept("print_date", "date", ("print date", "printed"), _labels(
        sure="printed, print date, printed at, date entered, last modified",
        good="run, run date, print, entered, modified",
    )),
    Concept("period_start", "date", ("start date", "date from", "from date", "start", "from", "period start",
            "period from", "date start", "begin date", "valid from"), _labels(
        sure="period from",
        good="period, start date, from, start, date from, schedule date, bill period, service period, valid from, "
             "contract date, period date, start end date, start date end date, period covered",
        fair="term, between, order date",
        weak="date",
    )),
    Concept("period_end", "date", ("end date", "date to", "to date", "end", "to", "period end", "period to",
            "date end", "valid to", "expiry date", "end period"), _labels(
        sure="period to",
        good="period, end date, end, date to, schedule date, bill period, service period, valid to, contract date, "
             "period date, start end date, start date end date, period covered",
        fair="to, term, between, order date",
        weak="date",
    )),
    Concept("time", "time", ("time", "transaction time", "receipt time"), _labels(sure="time", good="date time")),
    Concept("currency", "currency", ("currency", "currency code", "invoice currency"),
            _labels(sure="currency, invoice currency, currency code, document currency")),
    Concept("table_number", "id", ("table", "table number"), _labels(sure="table number", good="table")),
    Concept("cashier", "text", ("cashier", "cashier name"), _labels(sure="cashier, cashier name")),
    Concept("page_number", "integer", (), _labels(sure="page, page number")),
    Concept("quantity", "number", ("quantity", "number unit", "quantity order"), _labels(sure="quantity", weak="unit")),
    Concept("unit_price", "amount", ("unit price", "price unit", "price", "unit cost", "price per unit"),
            _labels(sure="unit price, price unit", good="price", fair="unit, net price")),
    Concept("line_total", "amount", ("line total", "line amount", "item total", "total price", "item amount", "amount",
            "total", "sum", "value", "net amount", "total amount"), _labels(
        sure="line total, total price, line amount",
        good="amount, total, total amount, net amount",
        fair="value, net value, gross amount",
        weak="price",
    )),
    Concept("item_name", "text", ("description", "item", "item name", "item description", "name", "service"), _labels(
        sure="description, item description, item name, name item",
        good="item, material description",
        fair="service, name",
        weak="detail",
    )),
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
    "seller": _labels(
        sure="seller, seller name, supplier, supplier name, store name, employer name",
        good="company name, service provider, bill from, employer, sender",
        fair="contractor",
        weak="company, store, from, pay to, account holder",
    ),
    "buyer": _labels(
        sure="buyer, buyer name, bill to, sold to, customer name, invoice to, bill to address, employee name",
        good="customer, bill address, customer address, invoice address, buyer address, employee",
        fair="messr",
        weak="to, attention, ship to, name, delivery to, seller buyer",
    ),
    "ship_to": _labels(sure="ship to, delivery to, delivery address, ship address, consignee"),
}  # fmt: skip

ATTRIBUTES: dict[str, Type] = {
    "address": "address", "street": "text", "city": "text", "zip": "id", "country": "country", "state": "text",
    "phone": "phone", "email": "email", "website": "url", "fax": "phone",
}  # fmt: skip
