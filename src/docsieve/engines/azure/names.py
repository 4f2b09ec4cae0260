"""How alike the provider's name of a field and ours are: by words that mean the same, and by a table of the rest."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from docsieve.domain.schemas.fields import ITEM, SchemaField
from docsieve.remote.azure.fields import AzureValue

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+[a-z]?")

_SAME = {
    "seller": ("vendor", "supplier", "merchant", "issuer", "shop", "store", "company", "biller"),
    "buyer": ("customer", "client", "purchaser", "recipient", "billing"),
    "number": ("id", "no", "nr", "num", "identifier", "reference"),
    "amount": ("sum", "value"),
    "tax": ("vat", "gst", "hst"),
    "item": ("line", "position", "product", "article", "entry", "row"),
    "quantity": ("qty", "count", "units"),
    "description": ("name", "text", "details", "desc"),
    "date": ("day",),
    "birth": ("born", "dob"),
    "surname": ("last", "family"),
    "given": ("first", "forename"),
    "expiry": ("expiration", "expires", "expire"),
    "issue": ("issued", "issuing"),
    "street": ("road",),
    "zip": ("postal", "postcode", "plz"),
    "phone": ("telephone", "tel", "mobile"),
    "withheld": ("withholding",),
    "wage": ("wages", "salary"),
    "start": ("begin", "beginning", "opening", "from"),
    "end": ("ending", "closing", "to"),
    "credit": ("deposit",),
    "debit": ("withdrawal",),
    "sex": ("gender",),
    "authority": ("office",),
}
_CANONICAL = {word: meaning for meaning, words in _SAME.items() for word in (*words, meaning)}

# Words that tell little: the kind of document, and what nearly every name of its sort has.
_LIGHT = frozenset({"invoice", "receipt", "transaction", "statement", "document", "account", "the", "of", "and", "is"})
_LIGHT_WEIGHT = 0.25

# The provider's names whose words alone would not lead to ours.
_ALSO: Mapping[str, tuple[str, ...]] = {
    "InvoiceId": ("invoice number", "number", "document number"),
    "InvoiceDate": ("issue date", "date", "invoice date"),
    "VendorName": ("seller", "seller name", "company"),
    "VendorTaxId": ("seller vat id", "vat id", "seller tax number"),
    "CustomerName": ("buyer", "buyer name", "bill to"),
    "CustomerId": ("customer number",),
    "CustomerTaxId": ("buyer vat id",),
    "PurchaseOrder": ("order number", "po number"),
    "InvoiceTotal": ("total", "total amount", "grand total", "amount"),
    "SubTotal": ("subtotal", "net total", "net amount"),
    "TotalTax": ("tax", "tax total", "vat amount"),
    "TotalDiscount": ("discount", "discount total"),
    "AmountDue": ("amount due", "balance due"),
    "PaymentTerm": ("payment terms",),
    "MerchantName": ("merchant", "company", "seller"),
    "MerchantAddress": ("address", "seller address"),
    "MerchantPhoneNumber": ("phone", "merchant phone"),
    "TransactionDate": ("date",),
    "TransactionTime": ("time",),
    "Total": ("total", "total amount", "amount"),
    "Subtotal": ("subtotal", "net total"),
    "TaxDetails": ("taxes",),
    "Items": ("line items", "items", "positions", "products", "lines"),
    "Items.Amount": ("amount", "line total", "total"),
    "Items.TotalPrice": ("amount", "line total", "total"),
    "Items.Price": ("unit price",),
    "Items.UnitPrice": ("unit price", "price"),
    "Items.ProductCode": ("item number", "sku", "article number"),
    "Items.Description": ("description", "name"),
    "Items.TaxRate": ("tax rate", "vat rate"),
    "DocumentNumber": ("document number", "number"),
    "DateOfBirth": ("birth date", "date of birth"),
    "DateOfExpiration": ("expiry date", "valid until"),
    "DateOfIssue": ("issue date",),
    "PlaceOfBirth": ("birth place",),
    "FirstName": ("given names", "first name"),
    "LastName": ("surname", "last name"),
    "CountryRegion": ("country", "issuing country"),
    "IssuingAuthority": ("authority",),
    "MachineReadableZone": ("machine readable zone", "mrz"),
    "Employee.SocialSecurityNumber": ("employee ssn", "ssn"),
    "Employer.IdNumber": ("employer ein", "ein"),
    "WagesTipsAndOtherCompensation": ("wages",),
    "FederalIncomeTaxWithheld": ("federal income tax",),
    "SocialSecurityTaxWithheld": ("social security tax",),
    "MedicareWagesAndTips": ("medicare wages",),
    "MedicareTaxWithheld": ("medicare tax",),
    "AdditionalInfo": ("box 12",),
    "AdditionalInfo.LetterCode": ("code",),
    "StateTaxInfos": ("states",),
    "StateTaxInfos.EmployerStateIdNumber": ("state id",),
    "StateTaxInfos.StateWagesTipsEtc": ("state wages",),
    "IsStatutoryEmployee": ("statutory employee",),
    "IsRetirementPlan": ("retirement plan",),
    "IsThirdPartySickPay": ("third party sick pay",),
    "BankName": ("bank",),
    "AccountHolderName": ("account holder",),
    "AccountHolderAddress": ("account holder address",),
    "StatementStartDate": ("period start",),
    "StatementEndDate": ("period end",),
    "Accounts.BeginningBalance": ("opening balance",),
    "Accounts.EndingBalance": ("closing balance",),
    "Accounts.Transactions": ("transactions", "movements"),
    "Accounts.Transactions.DepositAmount": ("credit", "deposit"),
    "Accounts.Transactions.WithdrawalAmount": ("debit", "withdrawal"),
    "Parties": ("parties",),
    "ExecutionDate": ("signing date",),
    "ExpirationDate": ("end date",),
    "ContractId": ("contract number",),
    "Jurisdictions": ("jurisdiction",),
    "Payer.TIN": ("payer tin",),
    "Recipient.TIN": ("recipient tin",),
}

# What the boxes of the commonest tax forms hold; the provider names them by number.
_BOXES: Mapping[str, Mapping[str, str]] = {
    "1099NEC": {"Box1": "nonemployee compensation", "Box4": "federal income tax", "Box5": "state tax"},
    "1099INT": {
        "Box1": "interest income",
        "Box2": "early withdrawal penalty",
        "Box3": "us bond interest",
        "Box4": "federal income tax",
        "Box6": "foreign tax paid",
        "Box8": "tax exempt interest",
    },
    "1099DIV": {
        "Box1a": "ordinary dividends",
        "Box1b": "qualified dividends",
        "Box2a": "capital gain distributions",
        "Box4": "federal income tax",
        "Box7": "foreign tax paid",
    },
    "1099MISC": {
        "Box1": "rents",
        "Box2": "royalties",
        "Box3": "other income",
        "Box4": "federal income tax",
        "Box6": "medical payments",
    },
}


_LABELS_TELL = 0.85  # several fields may share one label, such as a tax and its rate


def likeness(ours: Iterable[str], theirs: Iterable[str]) -> float:
    """Of the best pair of phrases, 0 to 1."""
    mine = [_meanings(phrase) for phrase in ours]
    return max((_alike(one, _meanings(phrase)) for phrase in theirs for one in mine), default=0.0)


def field_likeness(field: SchemaField, theirs: Iterable[str]) -> float:
    """By what the field is called inside the array it repeats in, if it does, and by its labels."""
    inner = field.path[len(field.group) + 1 :] if field.group is not None else field.path
    named = [part for part in inner if part != ITEM] or [field.name]
    phrases = list(theirs)
    by_name = likeness([each for each in (" ".join(named), field.title) if each], phrases)
    return max(by_name, _LABELS_TELL * likeness(field.labels, phrases))


def their_phrases(value: AzureValue, doc_type: str) -> list[str]:
    """What the provider's value is called inside its innermost array."""
    inside = value.names[value.arrays[-1] :] if value.arrays else value.names
    form = doc_type.rpartition(".")[2]
    boxed = _BOXES.get(form, {}).get(value.names[-1])
    phrases = [boxed] if boxed is not None else [" ".join(inside), *_ALSO.get(".".join(value.names), ())]
    if value.part is None:
        return phrases
    # The currency of a total is the document's; the city of an address is that of whose address it is.
    owner = [phrase.replace("address", "").replace("Address", "") for phrase in phrases]
    return [value.part] if value.part == "currency" else [f"{each} {value.part}" for each in (*owner, *phrases)]


def array_phrases(names: tuple[str, ...]) -> list[str]:
    return [names[-1], *_ALSO.get(".".join(names), ())]


@lru_cache(maxsize=4096)
def _meanings(phrase: str) -> frozenset[str]:
    words = [word.casefold() for word in _WORD.findall(phrase.replace("SubTotal", "Subtotal"))]
    return frozenset(_CANONICAL.get(word, _CANONICAL.get(_singular(word), _singular(word))) for word in words)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    shared, all_words = _weight(one & other), _weight(one | other)
    return shared / all_words if all_words else 0.0


def _weight(words: frozenset[str]) -> float:
    return sum(_LIGHT_WEIGHT if word in _LIGHT else 1.0 for word in words)
