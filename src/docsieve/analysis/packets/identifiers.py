"""Numbers that name a document (invoice, order, case …) or recur on its pages."""

import re
from collections.abc import Iterable

from docsieve.analysis.classification.words import words_of

_KINDS = {
    "invoice": """invoice inv rechnung rechnungs rechnungsnummer facture factura fattura factuur faktura bill credit
        gutschrift""",
    "order": """order po bestellung bestell bestellnummer auftrag auftrags auftragsnummer commande pedido ordine
        bestelling""",
    "delivery": "delivery lieferschein lieferscheinnummer shipment consignment livraison albaran consegna",
    "statement": "statement auszug kontoauszug releve extracto",
    "case": """case file reference ref our akten aktenzeichen geschaftszeichen zeichen unser dossier expediente
        referencia riferimento""",
    "contract": "contract agreement policy vertrag vertragsnummer police contrat contrato poliza contratto",
    "patient": "patient mrn fall fallnummer paciente paziente specimen sample accession",
    "receipt": "receipt beleg bon recu recibo ticket transaction check ricevuta",
    "account": "account customer client konto kunde kunden kundennummer compte cuenta cliente conto",
    "form": "form formular formulaire formulario modulo omb",
}
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_NUMBER_WORDS = frozenset(
    words_of("no nr number nummer num numero id n code reference ref our unser zeichen de del della der la le und")
)
_CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9/._-]*\d[A-Za-z0-9/._-]*")
_DATE = re.compile(r"^(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{4}-\d{2}-\d{2})\.?$")
_AMOUNT = re.compile(r"^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$")
_MIN_CODE = 4
_MIN_DIGITS = 3
_MAX_LABEL_WORDS = 4

# a label of up to four words, each followed by a sign or space, so that no text takes long
_LABELED = re.compile(rf"((?:[^\W\d_]+(?:[\s.°º#:]+|[-/](?=[^\W\d_]{{2}}))){{1,{_MAX_LABEL_WORDS}}})({_CODE.pattern})")

# cells of a row are two spaces apart
_PAIR = re.compile(r"(?:^|\s{2})([^\W\d_][^:\d]{1,40}):\s*([^\s:](?:[^\s:]|\s(?!\s)|:(?=\d)){0,60})")


def is_code(token: str) -> bool:
    """Whether a token looks like an assigned number: not a date, an amount or a small count."""
    if len(token) < _MIN_CODE or _DATE.match(token) or _AMOUNT.match(token):
        return False
    return sum(sign.isdigit() for sign in token) >= _MIN_DIGITS


def codes(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(
        token.strip("./-_").casefold()
        for line in lines
        for token in _CODE.findall(line)
        if is_code(token.strip("./-_")) and not re.fullmatch(r"(?:19|20)\d\d", token.strip("./-_"))
    )


def labeled(lines: Iterable[str]) -> dict[str, frozenset[str]]:
    """Codes with a label on the same line, by the kind of number that the label names."""
    found: dict[str, set[str]] = {}
    for line in lines:
        for match in _LABELED.finditer(line):
            code = match[2].strip("./-_")
            kind = _kind(match[1])
            if kind is not None and is_code(code):
                found.setdefault(kind, set()).add(code.casefold())
    return {kind: frozenset(values) for kind, values in found.items()}


def pairs(rows: Iterable[str]) -> dict[str, str]:
    """What follows a colon, by the label before it: of labels that occur once, whatever they mean."""
    found: dict[str, set[str]] = {}
    for row in rows:
        for match in _PAIR.finditer(row):
            label = " ".join(words_of(match[1])[-_MAX_LABEL_WORDS:])
            value = " ".join(match[2].split()).casefold()
            if label and value:
                found.setdefault(label, set()).add(value)
    return {label: values.pop() for label, values in found.items() if len(values) == 1}


def _kind(label: str) -> str | None:
    words = words_of(label)[-_MAX_LABEL_WORDS:]
    if not words:
        return None
    kinds = [_KIND_OF[word] for word in words if word in _KIND_OF]
    others = [word for word in words if word not in _KIND_OF and word not in _NUMBER_WORDS]
    return kinds[0] if kinds and len(others) <= 1 else None
