"""Words that begin, continue or end a document, in English and the larger languages of Europe.

Phrases are normalized like `words_of`: lower case, no accents, punctuation as spaces.
"""

import re

from docsieve.analysis.classification.words import words_of


def phrases(text: str) -> re.Pattern[str]:
    """Matches any of the phrases, separated by semicolons, in a text that `folded` normalized."""
    each = sorted((" ".join(words_of(phrase)) for phrase in text.split(";")), key=len, reverse=True)
    return re.compile(rf" (?:{'|'.join(map(re.escape, each))}) ")


SALUTATION = phrases(
    """dear; dear sir or madam; dear sir; dear madam; to whom it may concern; hello; sehr geehrte; sehr geehrter;
    sehr geehrtes; liebe;
    lieber; guten tag; hallo; madame monsieur; cher; chere; chers; bonjour; madame; monsieur; estimado; estimada;
    estimados; muy senor; muy senores; hola; gentile; egregio; spettabile; buongiorno; geachte; beste; prezado;
    prezada; caro; cara; exmo; szanowny; szanowna; szanowni"""
)

CLOSING = phrases(
    """sincerely; yours sincerely; yours truly; yours faithfully; kind regards; best regards; with kind regards;
    respectfully; cordially; mit freundlichen grussen; freundliche grusse; mit freundlichem gruss; hochachtungsvoll;
    cordialement; salutations distinguees; sinceres salutations; bien a vous; atentamente; un cordial saludo;
    saludos cordiales; cordiali saluti; distinti saluti; met vriendelijke groet; hoogachtend; atenciosamente;
    com os melhores cumprimentos; z powazaniem; in witness whereof; authorized signature; signature of; signed by;
    place and date; ort und datum; ort datum; date and signature; datum und unterschrift; unterschrift; lieu et date;
    fait a; firma y fecha; lugar y fecha; luogo e data; end of report; end of document; ende des berichts;
    fin du rapport; fin del informe; thank you for your business; vielen dank fur ihren auftrag;
    merci de votre confiance; gracias por su confianza"""
)

TOTAL = phrases(
    """total; grand total; total due; total amount; amount due; balance due; total payable; invoice total; net pay;
    closing balance; gesamt; gesamtbetrag; gesamtsumme; summe; rechnungsbetrag; zu zahlen; endbetrag; auszahlung;
    total ttc; montant total; net a payer; total a payer; total a pagar; importe total; totale; totale da pagare;
    totale fattura; totaal; totaalbedrag; te betalen; razem; do zaplaty; valor total"""
)

CARRIED_OVER = phrases(
    """carried forward; brought forward; balance carried forward; balance brought forward; continued from previous page;
    continued from page; continuation; continuation sheet; continued; cont d; ubertrag; zwischensumme ubertrag;
    fortsetzung; a reporter; report de la page precedente; suite de la page; suma y sigue; suma anterior;
    continuacion; viene de la pagina anterior; riporto; segue dalla pagina precedente; vervolg; a transportar;
    transporte; continuacao;
    do przeniesienia; z przeniesienia; ciag dalszy"""
)

CONTINUES_OVERLEAF = phrases(
    """carried forward; balance carried forward; continued on next page; continued overleaf; continues on next page;
    see next page; please turn over; continued on page; see reverse; subtotal carried forward; ubertrag;
    fortsetzung auf der nachsten seite; fortsetzung nachste seite; bitte wenden; siehe ruckseite; a reporter;
    suite page suivante; suite au verso; suma y sigue; continua en la pagina siguiente; continua en la siguiente
    pagina; a riportare; segue alla pagina successiva; zie volgende pagina; a transportar; do przeniesienia"""
)

APPENDIX = phrases(
    """appendix; annex; annexe; attachment; exhibit; schedule; enclosure; anhang; anlage; beilage; piece jointe; anexo;
    adjunto; allegato; bijlage; zalacznik; terms and conditions; general terms and conditions;
    allgemeine geschaftsbedingungen; conditions generales; condiciones generales; instructions"""
)

SEPARATOR = phrases(
    """separator sheet; document separator; separator page; batch separator; separation sheet; patch t; patch ii;
    patch 2; patch code; new document; trennblatt; trennseite; dokumententrenner; feuille de separation; page de
    separation; intercalaire; hoja separadora; separador de documentos; foglio separatore; scheidingsblad;
    barcode separator; blank separator; do not remove this sheet; document break; end of batch; start of batch"""
)


def folded(text: str) -> str:
    """Normalized words with a space before, after and between, as the patterns above expect."""
    return f" {' '.join(words_of(text))} "
