"""How running text words what fields ask for, in several languages: data, not code.

A topic is what a field may be about, whatever it is called. `asked` finds it in the name or the description of a field
and in the headings of sections, `cues` in the words before a value (`near`: at most a few words away), each with its
weight. Values without a topic are still found by the words of the field itself.
"""

import re
from dataclasses import dataclass

Kind = str
"""date, amount, percent, duration, law, name, or a type of values that are recognized anywhere"""


@dataclass(frozen=True, slots=True)
class Topic:
    kind: Kind
    asked: re.Pattern[str]
    cues: tuple[tuple[re.Pattern[str], float], ...]
    against: re.Pattern[str] | None = None
    """Words around a value that show another meaning."""
    after: re.Pattern[str] | None = None
    """Words after a value that show this meaning."""
    aside: re.Pattern[str] | None = None
    """Words in the sentence that make it about something else, such as competition after a contract."""
    early: bool = False
    """The value is where the document begins; further down the cue is about something else."""


def _topic(
    kind: Kind,
    asked: str,
    cues: dict[str, float],
    *,
    against: str = "",
    after: str = "",
    aside: str = "",
    early: bool = False,
) -> Topic:
    near = r"(?:\W+\w+){0,3}\W*$"
    return Topic(
        kind,
        re.compile(rf"\b(?:{asked})", re.I),
        tuple((re.compile(rf"\b(?:{cue}){near}", re.I), weight) for cue, weight in cues.items()),
        re.compile(rf"\b(?:{against})", re.I) if against else None,
        re.compile(rf"\W*(?:{after})", re.I) if after else None,
        re.compile(rf"\b(?:{aside})", re.I) if aside else None,
        early,
    )


TOPICS: tuple[Topic, ...] = (
    _topic(
        "date",
        r"effective|commenc|start|begin|takes? effect|in force|agreement date|contract date|date of (?:the"
        r" )?(?:agreement|contract)"
        r"|beginn|wirksam|inkraft|début|prise d'effet|inicio|início|vigor",
        {
            r"effective(?: date)?(?: as)?(?: of| on| from| is)?|with effect (?:from|on)|commenc\w+|begin(?:s|ning)"
            r"|start(?:s|ing)"
            r"|mit wirkung|gilt ab|beginnt|beginn ist|ab dem|prend effet|à compter d[ue]|entre en vigueur|con"
            r" efectos|a partir de"
            r"|com efeitos|início|entra em vigor|in force": 0.93,
            r"(?:made|entered into|executed|signed|concluded|dated)(?: and \w+(?: into)?)?(?:,? (?:effective )?as of"
            r"| on| this)?|as of"
            r"|geschlossen am|schließen am|vom|firmado em|celebrado|suscri\w+|fait le|conclu le|a los": 0.84,
        },
        early=True,
    ),
    _topic(
        "date",
        r"end\b|ends\b|ending|expir|end date|terminat\w* date|until|ende\b|ablauf|endet|date de fin|vencimiento"
        r"|término|fim\b",
        {
            r"end(?:s|ing)?(?: on| at)?|expir\w+|until|through|terminat\w+ on|endet|bis(?: zum)?|jusqu['’]au|prend"
            r" fin|hasta|termina|até"
            r"|vence|encerra": 0.93,
            r"to": 0.6,
        },
    ),
    _topic(
        "date",
        r"sign(?:ed|ature|ing)|execution date|unterzeichn|unterschrift|signature|firma\b|assinatura",
        {
            r"signed|executed|in witness whereof|accepted on|unterzeichnet|gelesen und genehmigt|fait|signé|firmado"
            r"|assinad[oa]|den": 0.9
        },
    ),
    _topic(
        "duration",
        r"term\b|duration|how long|length of|runs?\b|laufzeit|vertragsdauer|dauer|durée|duración|vigencia|vigência"
        r"|prazo|duração",
        {
            r"remain in (?:full force|effect)\b.*?|in (?:full )?(?:force|effect) (?:for|until)|(?:initial )?term"
            r" (?:of|is|shall be)"
            r"|expires?|continues?(?: in \w+ \w+)?|terminat\w+|laufzeit von|dauer von|ablauf von|läuft|durée (?:de"
            r"|totale)|duración de"
            r"|vigencia de|vigentes? durante|vigência de|vigor(?:ará)?|duração de|conclu pour|prazo de|bind\w*": 0.92,
            r"period of|for|during|surviv\w+|obligations?|durante|für|pour|por": 0.74,
        },
        after=r"(?:from|after|following) (?:the |its )?(?:date|effective|execution|signing)",
        aside=r"solicit|hir(?:e|es|ing)\b|compet(?:e|es|ing|ition)|non-?compet|acquire any|securities|proxies"
        r"|standstill|wettbewerb|abwerb|concurren|competencia|concorr",
        against=r"notice|days|invoice|payable|request|employment|tagen\b.*gekündigt|frist|préavis|preaviso"
        r"|antecedência",
    ),
    _topic(
        "duration",
        r"notice|kündigung|préavis|preaviso|aviso|denúncia|rescis",
        {
            r"notice|frist von|préavis|preaviso|antelación|antecedência|aviso|gekündigt|terminat\w+|upon|giving": 0.85,
        },
        after=r"(?:prior |advance )?(?:written )?notice|zum|de antecedência|de preaviso|de préavis",
        against=r"invoice|payable|rechnung|facture|factura|fatura",
    ),
    _topic(
        "duration",
        r"payment terms?|how soon|paid within|payable|zahlungsziel|zahlungsfrist|délai de paiement|plazo de pago"
        r"|condições de pagamento",
        {
            r"(?:payable|paid|due|settled|invoices?)\b.*?|zahlbar|fällig|zahlen|payables?|paiement|pago|pagad\w+"
            r"|pagament\w+|pag[oa]s?": 0.85,
        },
        against=r"notice|terminat",
    ),
    _topic(
        "amount",
        r"per month|monthly|monatlich|mensuel|mensual|mensal",
        {r"monthly|monatlich\w*|monats\w+|mensuel\w*|mensual\w*|mensal|mensalidade": 0.86},
        after=r"(?:per|each|a|every|pro|je|im|par|por|al|ao) (?:calendar )?(?:month|monat|mois|mes|mês)",
        against=r"deposit|kaution|caution|fianza|caução|late|liability|haftung",
    ),
    _topic(
        "amount",
        r"deposit|security|kaution|garantie|fianza|caução|depósito",
        {r"deposit|kaution|mietsicherheit|dépôt de garantie|fianza|depósito|caução": 0.9},
        after=r"as (?:a )?(?:security|deposit)|als (?:kaution|sicherheit)|à titre de (?:dépôt|garantie)",
    ),
    _topic(
        "law",
        r"governing|applicable law|jurisdiction|law (?:that )?(?:applies|governs)|whose laws?|choice of law"
        r"|anwendbares recht|rechtswahl"
        r"|droit applicable|loi applicable|ley aplicable|lei aplicável|legislação",
        {r".*": 0.9},
    ),
)

EFFECTIVE = re.compile(
    r"effective|takes? effect|in force|agreement date|contract date|date of (?:the )?(?:agreement|contract)|inkraft"
    r"|wirksam|prise d'effet|entrada em vigor|entrada en vigor",
    re.I,
)
"""Dates of an agreement as a whole, for which the day on which it was signed is better than none."""

KIN: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "provider contractor supplier consultant auftragnehmer dienstleister anbieter prestataire intervenant"
        " prestadora"
        " contratada fornecedora prestador vendor",
        "client customer auftraggeber kunde besteller bénéficiaire contratante cliente tomadora",
        "landlord lessor owner vermieter bailleur arrendador locador senhorio senhoria propriétaire",
        "tenant lessee resident renter occupant mieter locataire preneur arrendatario inquilino inquilina locatário"
        " locatária",
        "insured policyholder versicherungsnehmer assuré souscripteur asegurado tomador segurado",
        "insurer underwriter versicherer assureur aseguradora seguradora",
        "employer arbeitgeber employeur empleador empregador",
        "employee arbeitnehmer salarié empleado empregado executive",
    )
)
"""Roles of a party under other names."""

_PARTY_LABELS_TEXT = (
    "party partei parte partie company participant discloser disclosing recipient receiving beneficiary seller buyer"
    " vendor purchaser guarantor borrower lender licensor licensee offenlegende empfangende informationsgeber"
    " informationsempfänger reveladora receptora divulgadora titular destinatário destinatario käufer verkäufer"
    " vendedor comprador vendeur acheteur acquéreur"
)
PARTY_LABELS = frozenset(_PARTY_LABELS_TEXT.split()).union(*KIN)
"""Words of labels next to which the name of a party is printed."""

PARTIES = re.compile(
    r"\b(?:part(?:y|ies)|signator(?:y|ies)|contracting|vertragspartner|vertragspartei\w*|partes|who signs?)\b", re.I
)
ABSTRACT = re.compile(
    r"\bact\b|\bcode\b|\brules?\b|agreement|contract|information|transaction|date|purpose|period|term\b|materials?|documents?|property|premises"
    r"|services?|board"
    r"|representatives?|law\b|plan|options?|territory|project|borrower|software|guarantee|vertrag|vereinbarung"
    r"|contrat|acuerdo|acordo",
    re.I,
)
"""Defined terms that are no parties."""

GOVERNS = re.compile(
    r"govern|constru|interpret|enforced|unterlieg|gilt|anzuwenden|anwendbar|régi|soumis|regir|rege\b|interpretad"
    r"|conforme|segundo|decided under"
    r"|applicable|applies\b",
    re.I,
)
SALUTATION = re.compile(
    r"(?:Dear\b|Ladies and Gentlemen|Gentlemen|Sehr geehrte|Madame\b|Monsieur\b|Estimad|Prezad|To whom it may concern)",
    re.I,
)
