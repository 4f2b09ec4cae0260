"""Words for generated documents: labels in six languages, names, and sentences that say little."""

from random import Random

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")

# ruff: noqa: E501
LABELS: dict[str, dict[str, str]] = {
    "en": {
        "invoice": "Invoice", "invoice_no": "Invoice No", "date": "Date", "due": "Due date", "item": "Description", "qty": "Qty", "price": "Unit price",
        "amount": "Amount", "total": "Total", "subtotal": "Subtotal", "vat": "VAT", "carried": "Carried forward", "brought": "Brought forward",
        "delivery": "Delivery Note", "delivery_no": "Delivery note no", "order_no": "Order no", "statement": "Account Statement", "account": "Account no",
        "balance": "Balance", "booking": "Booking", "receipt": "Receipt", "cash": "Cash", "change": "Change", "contract": "Service Agreement",
        "between": "between", "clause": "Section", "signature": "Place and date, signature", "medical": "Medical Report", "patient": "Patient",
        "born": "Date of birth", "diagnosis": "Diagnosis", "findings": "Findings", "therapy": "Treatment", "history": "History", "resume": "Curriculum Vitae",
        "experience": "Professional experience", "education": "Education", "skills": "Skills", "form": "Application for Benefits", "name": "Name",
        "address": "Address", "phone": "Phone", "reference": "Our reference", "dear": "Dear Sir or Madam,", "closing": "Yours sincerely,", "page": "Page",
        "of": "of", "thanks": "Thank you for your business", "annex": "Appendix", "payslip": "Payslip", "order": "Purchase Order", "report": "Annual Report",
        "contents": "Contents", "policy": "Insurance Policy", "policy_no": "Policy no", "certificate": "Certificate of Attendance", "customer": "Customer no",
        "subject": "Subject", "sample": "Specimen no", "employee": "Employee", "salary": "Gross salary", "net": "Net pay", "mail_from": "From", "mail_to": "To",
        "minutes": "Minutes of the meeting", "quote": "Quotation", "quote_no": "Quotation no",
    },
    "de": {
        "invoice": "Rechnung", "invoice_no": "Rechnungsnummer", "date": "Datum", "due": "Zahlbar bis", "item": "Bezeichnung", "qty": "Menge",
        "price": "Einzelpreis", "amount": "Betrag", "total": "Gesamtbetrag", "subtotal": "Zwischensumme", "vat": "MwSt", "carried": "Übertrag",
        "brought": "Übertrag", "delivery": "Lieferschein", "delivery_no": "Lieferschein Nr", "order_no": "Auftragsnummer", "statement": "Kontoauszug",
        "account": "Konto Nr", "balance": "Saldo", "booking": "Buchung", "receipt": "Kassenbon", "cash": "Bar", "change": "Rückgeld",
        "contract": "Dienstleistungsvertrag", "between": "zwischen", "clause": "§", "signature": "Ort, Datum, Unterschrift", "medical": "Arztbericht",
        "patient": "Patient", "born": "Geburtsdatum", "diagnosis": "Diagnose", "findings": "Befund", "therapy": "Therapie", "history": "Anamnese",
        "resume": "Lebenslauf", "experience": "Berufserfahrung", "education": "Ausbildung", "skills": "Kenntnisse", "form": "Antrag auf Leistungen",
        "name": "Name", "address": "Anschrift", "phone": "Telefon", "reference": "Unser Zeichen", "dear": "Sehr geehrte Damen und Herren,",
        "closing": "Mit freundlichen Grüßen", "page": "Seite", "of": "von", "thanks": "Vielen Dank für Ihren Auftrag", "annex": "Anlage",
        "payslip": "Entgeltabrechnung", "order": "Bestellung", "report": "Geschäftsbericht", "contents": "Inhalt", "policy": "Versicherungsschein",
        "policy_no": "Vertragsnummer", "certificate": "Teilnahmebescheinigung", "customer": "Kundennummer", "subject": "Betreff", "sample": "Fallnummer",
        "employee": "Mitarbeiter", "salary": "Bruttolohn", "net": "Auszahlung", "mail_from": "Von", "mail_to": "An", "minutes": "Protokoll der Sitzung",
        "quote": "Angebot", "quote_no": "Angebot Nr",
    },
    "fr": {
        "invoice": "Facture", "invoice_no": "Facture n°", "date": "Date", "due": "Date d'échéance", "item": "Désignation", "qty": "Quantité",
        "price": "Prix unitaire", "amount": "Montant", "total": "Total TTC", "subtotal": "Total HT", "vat": "TVA", "carried": "À reporter",
        "brought": "Report", "delivery": "Bon de livraison", "delivery_no": "Livraison n°", "order_no": "Commande n°", "statement": "Relevé de compte",
        "account": "Compte n°", "balance": "Solde", "booking": "Opération", "receipt": "Ticket de caisse", "cash": "Espèces", "change": "Rendu",
        "contract": "Contrat de prestation", "between": "entre", "clause": "Article", "signature": "Lieu et date, signature",
        "medical": "Compte rendu médical", "patient": "Patient", "born": "Date de naissance", "diagnosis": "Diagnostic", "findings": "Résultats",
        "therapy": "Traitement", "history": "Antécédents", "resume": "Curriculum vitae", "experience": "Expérience professionnelle",
        "education": "Formation", "skills": "Compétences", "form": "Demande de prestations", "name": "Nom", "address": "Adresse", "phone": "Téléphone",
        "reference": "Référence", "dear": "Madame, Monsieur,", "closing": "Cordialement,", "page": "Page", "of": "sur",
        "thanks": "Merci de votre confiance", "annex": "Annexe", "payslip": "Bulletin de paie", "order": "Bon de commande", "report": "Rapport annuel",
        "contents": "Sommaire", "policy": "Police d'assurance", "policy_no": "Contrat n°", "certificate": "Attestation de présence",
        "customer": "Client n°", "subject": "Objet", "sample": "Dossier n°", "employee": "Salarié", "salary": "Salaire brut", "net": "Net à payer",
        "mail_from": "De", "mail_to": "À", "minutes": "Procès-verbal de la réunion", "quote": "Devis", "quote_no": "Devis n°",
    },
    "es": {
        "invoice": "Factura", "invoice_no": "Factura n.º", "date": "Fecha", "due": "Vencimiento", "item": "Descripción", "qty": "Cantidad",
        "price": "Precio", "amount": "Importe", "total": "Importe total", "subtotal": "Base imponible", "vat": "IVA", "carried": "Suma y sigue",
        "brought": "Suma anterior", "delivery": "Albarán de entrega", "delivery_no": "Albarán n.º", "order_no": "Pedido n.º",
        "statement": "Extracto de cuenta", "account": "Cuenta n.º", "balance": "Saldo", "booking": "Movimiento", "receipt": "Recibo",
        "cash": "Efectivo", "change": "Cambio", "contract": "Contrato de servicios", "between": "entre", "clause": "Artículo",
        "signature": "Lugar y fecha, firma", "medical": "Informe médico", "patient": "Paciente", "born": "Fecha de nacimiento",
        "diagnosis": "Diagnóstico", "findings": "Hallazgos", "therapy": "Tratamiento", "history": "Antecedentes", "resume": "Currículum vítae",
        "experience": "Experiencia profesional", "education": "Formación", "skills": "Competencias", "form": "Solicitud de prestaciones",
        "name": "Nombre", "address": "Dirección", "phone": "Teléfono", "reference": "Referencia", "dear": "Estimados señores:",
        "closing": "Atentamente,", "page": "Página", "of": "de", "thanks": "Gracias por su confianza", "annex": "Anexo", "payslip": "Nómina",
        "order": "Orden de compra", "report": "Informe anual", "contents": "Índice", "policy": "Póliza de seguro", "policy_no": "Póliza n.º",
        "certificate": "Certificado de asistencia", "customer": "Cliente n.º", "subject": "Asunto", "sample": "Expediente n.º",
        "employee": "Empleado", "salary": "Salario bruto", "net": "Líquido", "mail_from": "De", "mail_to": "Para", "minutes": "Acta de la reunión",
        "quote": "Presupuesto", "quote_no": "Presupuesto n.º",
    },
    "it": {
        "invoice": "Fattura", "invoice_no": "Fattura n.", "date": "Data", "due": "Scadenza", "item": "Descrizione", "qty": "Quantità", "price": "Prezzo",
        "amount": "Importo", "total": "Totale", "subtotal": "Imponibile", "vat": "IVA", "carried": "A riportare", "brought": "Riporto",
        "delivery": "Documento di trasporto", "delivery_no": "DDT n.", "order_no": "Ordine n.", "statement": "Estratto conto", "account": "Conto n.",
        "balance": "Saldo", "booking": "Operazione", "receipt": "Ricevuta", "cash": "Contanti", "change": "Resto", "contract": "Contratto di servizio",
        "between": "tra", "clause": "Articolo", "signature": "Luogo e data, firma", "medical": "Referto medico", "patient": "Paziente",
        "born": "Data di nascita", "diagnosis": "Diagnosi", "findings": "Risultati", "therapy": "Terapia", "history": "Anamnesi", "resume": "Curriculum vitae",
        "experience": "Esperienza professionale", "education": "Istruzione", "skills": "Competenze", "form": "Domanda di prestazione", "name": "Nome",
        "address": "Indirizzo", "phone": "Telefono", "reference": "Riferimento", "dear": "Gentile cliente,", "closing": "Cordiali saluti,", "page": "Pagina",
        "of": "di", "thanks": "Grazie per la fiducia", "annex": "Allegato", "payslip": "Busta paga", "order": "Ordine di acquisto", "report": "Relazione annuale",
        "contents": "Indice", "policy": "Polizza assicurativa", "policy_no": "Polizza n.", "certificate": "Attestato di partecipazione",
        "customer": "Cliente n.", "subject": "Oggetto", "sample": "Campione n.", "employee": "Dipendente", "salary": "Retribuzione lorda", "net": "Netto",
        "mail_from": "Da", "mail_to": "A", "minutes": "Verbale della riunione", "quote": "Preventivo", "quote_no": "Preventivo n.",
    },
    "nl": {
        "invoice": "Factuur", "invoice_no": "Factuurnummer", "date": "Datum", "due": "Vervaldatum", "item": "Omschrijving", "qty": "Aantal", "price": "Prijs",
        "amount": "Bedrag", "total": "Totaal", "subtotal": "Subtotaal", "vat": "BTW", "carried": "Transport", "brought": "Transport",
        "delivery": "Pakbon", "delivery_no": "Pakbon nr", "order_no": "Ordernummer", "statement": "Rekeningafschrift", "account": "Rekening nr",
        "balance": "Saldo", "booking": "Boeking", "receipt": "Kassabon", "cash": "Contant", "change": "Wisselgeld", "contract": "Dienstverleningsovereenkomst",
        "between": "tussen", "clause": "Artikel", "signature": "Plaats, datum, handtekening", "medical": "Medisch verslag", "patient": "Patiënt",
        "born": "Geboortedatum", "diagnosis": "Diagnose", "findings": "Uitslagen", "therapy": "Behandeling", "history": "Voorgeschiedenis",
        "resume": "Curriculum vitae", "experience": "Werkervaring", "education": "Opleiding", "skills": "Vaardigheden", "form": "Aanvraag uitkering",
        "name": "Naam", "address": "Adres", "phone": "Telefoon", "reference": "Ons kenmerk", "dear": "Geachte heer, mevrouw,", "closing": "Met vriendelijke groet,",
        "page": "Pagina", "of": "van", "thanks": "Bedankt voor uw bestelling", "annex": "Bijlage", "payslip": "Loonstrook", "order": "Inkooporder",
        "report": "Jaarverslag", "contents": "Inhoud", "policy": "Polis", "policy_no": "Polisnummer", "certificate": "Bewijs van deelname",
        "customer": "Klantnummer", "subject": "Betreft", "sample": "Monster nr", "employee": "Werknemer", "salary": "Brutoloon", "net": "Netto",
        "mail_from": "Van", "mail_to": "Aan", "minutes": "Notulen van de vergadering", "quote": "Offerte", "quote_no": "Offerte nr",
    },
}  # fmt: skip

_WORDS = {
    "en": "the of and agreed party shall service customer within month report work price payment delivery quality review case result level "
    "during before after year business condition notice written team project value market change process product plan data under between "
    "patient without clear normal increase measure support office letter request answer account claim insured period benefit risk health",
    "de": "der die das und nach für mit über Vertrag Leistung Kunde Monat Bericht Arbeit Preis Zahlung Lieferung Qualität Prüfung Fall Ergebnis "
    "während vor Jahr Geschäft Bedingung schriftlich Projekt Wert Markt Änderung Verfahren Produkt Plan Daten unter zwischen Patient ohne "
    "unauffällig Anstieg Maßnahme Unterstützung Büro Schreiben Anfrage Antwort Anspruch Versicherung Zeitraum Risiko Gesundheit wird ist",
    "fr": "le la les et des pour avec contrat prestation client mois rapport travail prix paiement livraison qualité contrôle cas résultat "
    "pendant avant année activité condition écrit projet valeur marché changement procédé produit plan données sous entre patient sans "
    "normal hausse mesure soutien bureau courrier demande réponse droit assurance période risque santé est sont dans par sur",
    "es": "el la los y de para con contrato servicio cliente mes informe trabajo precio pago entrega calidad revisión caso resultado durante "
    "antes año negocio condición escrito proyecto valor mercado cambio proceso producto plan datos bajo entre paciente sin normal aumento "
    "medida apoyo oficina carta solicitud respuesta derecho seguro período riesgo salud es son en por sobre que",
    "it": "il la i e di per con contratto servizio cliente mese rapporto lavoro prezzo pagamento consegna qualità controllo caso risultato "
    "durante prima anno attività condizione scritto progetto valore mercato modifica processo prodotto piano dati sotto tra paziente senza "
    "normale aumento misura sostegno ufficio lettera richiesta risposta diritto assicurazione periodo rischio salute è sono che della",
    "nl": "de het een en van voor met overeenkomst dienst klant maand verslag werk prijs betaling levering kwaliteit controle geval resultaat "
    "tijdens jaar zaak voorwaarde schriftelijk project waarde markt wijziging proces product plan gegevens onder tussen patiënt zonder "
    "normaal stijging maatregel steun kantoor brief verzoek antwoord recht verzekering periode risico gezondheid is zijn door op bij",
}

_SYNONYMS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {"invoice": ("Tax Invoice", "Bill", "Sales Invoice", "Commercial Invoice"), "contract": ("Lease", "Agreement", "Framework Contract"),
           "delivery": ("Packing Slip", "Goods Issue Note"), "statement": ("Statement of Account", "Monthly Statement"), "findings": ("Laboratory results", "Test report"),
           "medical": ("Discharge Summary", "Clinical Report"), "order": ("PO", "Order Confirmation"), "policy": ("Certificate of Insurance", "Coverage Summary")},
    "de": {"invoice": ("Abrechnung", "Schlussrechnung"), "contract": ("Mietvertrag", "Vereinbarung"), "delivery": ("Warenbegleitschein",),
           "medical": ("Entlassungsbrief", "Befundbericht"), "findings": ("Laborwerte",), "order": ("Auftragsbestätigung",)},
    "fr": {"invoice": ("Note d'honoraires", "Avis d'échéance"), "contract": ("Bail", "Convention"), "medical": ("Lettre de sortie",)},
    "es": {"invoice": ("Minuta", "Nota de cargo"), "contract": ("Arrendamiento", "Convenio"), "medical": ("Informe de alta",)},
    "it": {"invoice": ("Parcella", "Nota di addebito"), "contract": ("Locazione", "Accordo")},
    "nl": {"invoice": ("Nota", "Declaratie"), "contract": ("Huurovereenkomst", "Akkoord")},
}  # fmt: skip

_SYLLABLES = (
    "ba", "cor", "del", "fan", "gri", "hol", "in", "jut", "ka", "lem", "mon", "nar", "ost", "pel", "qua", "rin", "sol",
    "tam", "ul", "ver", "wes", "zan", "eth", "ira", "stu",
)  # fmt: skip
_TOPIC_WORDS = 60

_FIRST = [
    "Anna",
    "Bruno",
    "Clara",
    "David",
    "Elena",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karla",
    "Luca",
    "Mara",
    "Nils",
    "Olga",
    "Pavel",
    "Rosa",
    "Simon",
    "Tara",
    "Uwe",
    "Vera",
    "Wim",
    "Yara",
    "Zoe",
]
_LAST = [
    "Albrecht",
    "Bianchi",
    "Costa",
    "Dubois",
    "Eriksen",
    "Ferrer",
    "Gruber",
    "Hansen",
    "Ivanov",
    "Jansen",
    "Keller",
    "Lopez",
    "Moreau",
    "Novak",
    "Okafor",
    "Petit",
    "Quist",
    "Romano",
    "Sauer",
    "Tanaka",
]
_STEMS = [
    "Nord",
    "Alpen",
    "Delta",
    "Quercus",
    "Lumen",
    "Terra",
    "Vega",
    "Orion",
    "Silva",
    "Aqua",
    "Forte",
    "Meridian",
    "Castor",
    "Polaris",
    "Rivet",
    "Granit",
    "Sable",
    "Corvus",
    "Indigo",
    "Tilia",
]
_TRADES = [
    "Logistics",
    "Consulting",
    "Medical",
    "Print",
    "Office",
    "Electric",
    "Foods",
    "Garden",
    "Systems",
    "Supplies",
    "Media",
    "Tools",
    "Textil",
    "Pharma",
    "Energy",
    "Travel",
]
_FORMS = {
    "en": ("Ltd", "Inc."),
    "de": ("GmbH", "AG"),
    "fr": ("SARL", "SA"),
    "es": ("S.L.", "S.A."),
    "it": ("S.r.l.", "S.p.A."),
    "nl": ("B.V.", "N.V."),
}
_STREETS = {"en": "{} Street", "de": "{}straße", "fr": "rue {}", "es": "Calle {}", "it": "Via {}", "nl": "{}laan"}
_CITIES = {
    "en": ("Boston MA 02110", "Leeds LS1 4AP", "Austin TX 78701", "Dover DE 19901"),
    "de": ("10115 Berlin", "80331 München", "50667 Köln", "01067 Dresden"),
    "fr": ("75011 Paris", "69002 Lyon", "31000 Toulouse", "44000 Nantes"),
    "es": ("28013 Madrid", "08002 Barcelona", "41001 Sevilla", "46003 Valencia"),
    "it": ("00184 Roma", "20121 Milano", "50122 Firenze", "10121 Torino"),
    "nl": ("1012 AB Amsterdam", "3011 AD Rotterdam", "3511 CE Utrecht", "2511 CV Den Haag"),
}
_PRODUCTS = [
    "cable",
    "lamp",
    "paper",
    "filter",
    "sensor",
    "valve",
    "chair",
    "screen",
    "battery",
    "module",
    "tube",
    "panel",
    "board",
    "switch",
    "motor",
    "label",
    "bracket",
    "ribbon",
    "toner",
    "plate",
]


class Author(Random):
    """Chance that writes about a topic: documents about different things share few words."""

    topic: tuple[str, ...] = ()

    def choose_topic(self, *, kept: float = 0.0) -> None:
        """Take new words; `kept` is the share of those that stay."""
        stay = self.topic[: int(kept * _TOPIC_WORDS)]
        new = ("".join(self.choices(_SYLLABLES, k=self.randint(2, 4))) for _ in range(_TOPIC_WORDS - len(stay)))
        self.topic = (*stay, *new)


def titled(rng: Random, language: str, key: str) -> str:
    """The label or another word for it, sometimes in capitals."""
    chosen = rng.choice((LABELS[language][key], *_SYNONYMS[language].get(key, ())))
    return chosen.upper() if rng.random() < 0.25 else chosen


def person(rng: Random) -> str:
    return f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"


def company(rng: Random, language: str) -> str:
    return f"{rng.choice(_STEMS)} {rng.choice(_TRADES)} {rng.choice(_FORMS[language])}"


def street(rng: Random, language: str) -> str:
    return f"{_STREETS[language].format(rng.choice(_STEMS))} {rng.randint(1, 180)}"


def city(rng: Random, language: str) -> str:
    return rng.choice(_CITIES[language])


def product(rng: Random) -> str:
    return f"{rng.choice(_PRODUCTS).title()} {rng.choice('ABCDEFGH')}{rng.randint(10, 99)} {rng.choice(_PRODUCTS)}"


def date(rng: Random, language: str) -> str:
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2018, 2025)
    styles = {
        "en": (f"{month:02}/{day:02}/{year}", f"{year}-{month:02}-{day:02}"),
        "de": (f"{day:02}.{month:02}.{year}", f"{day}.{month}.{year}"),
        "fr": (f"{day:02}/{month:02}/{year}",),
        "es": (f"{day:02}/{month:02}/{year}", f"{day:02}-{month:02}-{year}"),
        "it": (f"{day:02}/{month:02}/{year}", f"{day}.{month}.{year}"),
        "nl": (f"{day:02}-{month:02}-{year}",),
    }
    return rng.choice(styles[language])


def amount(rng: Random, top: float = 2000.0) -> float:
    return round(rng.uniform(3, top), 2)


def money(value: float, language: str) -> str:
    text = f"{value:,.2f}"
    return text if language == "en" else text.translate(str.maketrans(",.", ".,"))


def sentence(rng: Random, language: str, *, words: int = 0) -> str:
    count = words or rng.randint(7, 16)
    chosen = rng.choices(_WORDS[language].split(), k=count)
    if isinstance(rng, Author) and rng.topic:
        chosen = [rng.choice(rng.topic) if rng.random() < 0.5 else word for word in chosen]
    if not words and rng.random() < 0.12:
        chosen[rng.randint(1, len(chosen) - 1)] = rng.choice(
            (date(rng, language), city(rng, language), code(rng), person(rng))
        )
    return " ".join([chosen[0].capitalize(), *chosen[1:]]) + "."


def paragraph(rng: Random, language: str, sentences: int = 0) -> str:
    return " ".join(sentence(rng, language) for _ in range(sentences or rng.randint(2, 6)))


def code(rng: Random, prefix: str = "") -> str:
    return rng.choice(
        (f"{prefix}{rng.randint(10000, 999999)}", f"{prefix}{rng.randint(2018, 2025)}-{rng.randint(100, 9999)}")
    )
