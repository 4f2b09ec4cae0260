"""Typical phrases of each document class, in English and the larger languages of Europe.

Phrases are normalized like `words_of`: lower case, no accents, punctuation as spaces. `titles` name the document;
`strong` phrases rarely occur elsewhere; `weak` ones count only together.
"""

from dataclasses import dataclass

LANGUAGES = frozenset({"en", "de", "fr", "es", "it", "nl", "pt", "pl"})


@dataclass(frozen=True, slots=True)
class Cues:
    titles: str
    strong: str
    weak: str = ""


CUES: dict[str, Cues] = {
    "invoice": Cues(
        titles="""
        invoice; tax invoice; commercial invoice; proforma invoice; pro forma invoice; sales invoice; credit note;
        credit memo; bill; rechnung; gutschrift; rechnungskorrektur; schlussrechnung; abschlagsrechnung;
        stornorechnung; facture; facture proforma; avoir; note de credit; factura; factura proforma; nota de
        credito; fattura; parcella; nota di credito; factuur; creditnota; creditfactuur; fatura; nota fiscal;
        faktura; faktura vat; faktura korygujaca; rechnungs korrektur""",
        strong="""
        invoice number; invoice no; invoice date; invoice total; invoice amount; bill to; billed to; invoice to;
        ship to; sold to; remit to; send payment to; accounts payable; amount due; balance due; payment terms; due
        date; payment due; purchase order; po number; net 30; rechnungsnummer; rechnungs nr; rechnung nr;
        rechnungsdatum; rechnungsbetrag; rechnungsanschrift; rechnungsempfanger; zahlungsziel;
        zahlungsbedingungen; leistungszeitraum; leistungsdatum; nettobetrag; bruttobetrag; zahlbar bis; zahlbar
        innerhalb; umsatzsteuer id; ust idnr; ust id nr; numero de facture; facture n; date de facture; facture
        no; date d echeance; montant ht; total ht; total ttc; net a payer; tva intracommunautaire; facture a;
        numero de factura; factura n; fecha de factura; base imponible; fecha de vencimiento; importe total;
        numero fattura; fattura n; data fattura; imponibile; partita iva; scadenza; totale fattura; codice
        destinatario; factuurnummer; factuurdatum; vervaldatum; te betalen; btw nummer; btw nr; numero da fatura;
        data da fatura; data de vencimento; chave de acesso; numer faktury; data wystawienia; termin platnosci;
        nabywca; sprzedawca""",
        weak="""
        subtotal; sub total; total; vat; vat no; vat id; gst; sales tax; unit price; quantity; qty; description;
        amount; customer number; customer no; iban; bic; swift; discount; order number; account number;
        zwischensumme; mwst; ust; umsatzsteuer; gesamtbetrag; einzelpreis; menge; bezeichnung; kundennummer;
        kunden nr; bankverbindung; lieferdatum; tva; quantite; prix unitaire; designation; remise; siret; iva;
        cantidad; precio; importe; descripcion; cliente; nif; quantita; prezzo; importo; descrizione; aliquota;
        btw; aantal; prijs; bedrag; omschrijving; subtotaal; quantidade; preco; valor; descricao; nip; netto;
        brutto; ilosc; cena; wartosc""",
    ),
    "receipt": Cues(
        titles="""
        receipt; sales receipt; cash receipt; official receipt; payment receipt; guest check; cash bill;
        kassenbon; quittung; kassenbeleg; kundenbeleg; bewirtungsbeleg; recu; ticket de caisse; ticket; recibo;
        ticket de compra; factura simplificada; scontrino; ricevuta; ricevuta fiscale; documento commerciale;
        kassabon; talao; cupom fiscal; paragon; paragon fiskalny""",
        strong="""
        cash tendered; amount tendered; tendered; change due; change; cashier; thank you for shopping; thank you
        come again; please come again; thank you for your visit; thank you for your purchase; have a nice day;
        merchant copy; customer copy; cardholder copy; card number; approval code; auth code; authorization code;
        terminal id; total sales; rounding adj; rounding adjustment; rounding; round d total; goods sold are not
        returnable; server; guests; dine in; take away; take out; table no; gratuity; tip; items sold; item count;
        total items; register; till; bar gegeben; ruckgeld; gegeben; kasse; bediener; es bediente sie; vielen dank
        fur ihren einkauf; vielen dank fur ihren besuch; kartenzahlung; kundenbeleg; tse signatur; girocard; rendu
        monnaie; rendu; especes; carte bancaire; merci de votre visite; caissier; caisse; efectivo; cambio;
        gracias por su compra; gracias por su visita; le atendio; cajero; contanti; contante; resto; arrivederci e
        grazie; grazie e arrivederci; cassa; contant; wisselgeld; pin betaling; bedankt voor uw bezoek; kassa;
        dinheiro; troco; obrigado pela preferencia; caixa; gotowka; reszta; kasjer""",
        weak="""
        total; subtotal; sub total; cash; visa; mastercard; maestro; amex; credit card; debit card; debit; qty;
        tax; gst; store; item; check; order; thank you; table; date; time; tel; summe; bar; mwst; filiale; bon nr;
        merci; montant; total eur; tarjeta; gracias; totale; grazie; iva; totaal; bedankt; obrigado; cartao; suma;
        sprzedaz""",
    ),
    "contract": Cues(
        titles="""
        contract; agreement; lease agreement; rental agreement; employment agreement; employment contract; service
        agreement; services agreement; master services agreement; license agreement; purchase agreement; loan
        agreement; consulting agreement; non disclosure agreement; confidentiality agreement; memorandum of
        understanding; terms and conditions; terms of service; power of attorney; deed; addendum; amendment;
        vertrag; kaufvertrag; mietvertrag; arbeitsvertrag; dienstvertrag; werkvertrag; darlehensvertrag;
        rahmenvertrag; lizenzvertrag; vereinbarung; geheimhaltungsvereinbarung; vollmacht; allgemeine
        geschaftsbedingungen; contrat; contrat de travail; contrat de bail; contrat de location; convention;
        conditions generales; contrato; contrato de trabajo; contrato de arrendamiento; contrato de compraventa;
        acuerdo; condiciones generales; contratto; contratto di lavoro; contratto di locazione; accordo;
        overeenkomst; arbeidsovereenkomst; huurovereenkomst; koopovereenkomst; algemene voorwaarden; contrato de
        trabalho; contrato de arrendamento; acordo; umowa; insertion order""",
        strong="""
        hereinafter; hereinafter referred to as; in witness whereof; the parties agree; by and between; between
        the parties; party of the first part; whereas; governing law; governed by; indemnify; indemnification;
        termination of this agreement; this agreement; this contract; force majeure; entire agreement;
        severability; effective date; confidential information; shall be liable; binding upon; landlord; tenant;
        lessor; lessee; licensor; licensee; im folgenden; nachfolgend genannt; vertragspartner; vertragsparteien;
        vertragsgegenstand; vertragsdauer; kundigungsfrist; salvatorische klausel; gerichtsstand; schriftform;
        vermieter; mieter; arbeitgeber; arbeitnehmer; auftragnehmer; zwischen den parteien; les parties; il a ete
        convenu; ci apres; entre les soussignes; article 1; duree du contrat; resiliation; droit applicable;
        bailleur; locataire; las partes; reunidos; clausulas; en lo sucesivo; de una parte; arrendador;
        arrendatario; ley aplicable; le parti; di seguito; tra le parti; premesso che; si conviene; locatore;
        conduttore; foro competente; partijen; hierna te noemen; zijn overeengekomen; verhuurder; huurder;
        opzegtermijn; as partes; doravante; clausula; foro da comarca; contratante; contratada; locador;
        locatario; strony; zwanym dalej; strony ustalaja""",
        weak="""
        shall; obligations; term; terms; parties; party; signature; signed; clause; section; breach; warranty;
        liability; notice; terminate; termination; executed; unterschrift; haftung; kundigung; pflichten; ort
        datum; signature precedee; fait a; firma; obligaciones; duracion; rescision; obblighi; recesso; durata;
        handtekening; verplichtingen; assinatura; obrigacoes; rescisao; podpis; contract no; agency""",
    ),
    "bank_statement": Cues(
        titles="""
        bank statement; account statement; statement of account; statement of accounts; checking account
        statement; savings account statement; credit card statement; account summary; kontoauszug; kontoauszuge;
        umsatzubersicht; kreditkartenabrechnung; releve de compte; releve bancaire; releve d identite bancaire;
        extracto de cuenta; extracto bancario; estado de cuenta; movimientos de cuenta; estratto conto; lista
        movimenti; rekeningafschrift; rekeningoverzicht; bankafschrift; extrato de conta; extrato bancario;
        extrato; wyciag bankowy; wyciag z rachunku""",
        strong="""
        opening balance; closing balance; beginning balance; ending balance; previous balance; new balance;
        statement period; statement date; balance brought forward; balance carried forward; brought forward;
        carried forward; available balance; daily balance; average balance; withdrawals; deposits; total deposits;
        total withdrawals; paid in; paid out; money in; money out; sort code; direct debit; overdraft; minimum
        payment due; alter saldo; neuer saldo; anfangssaldo; endsaldo; kontostand; saldo per; buchungstag;
        buchungsdatum; valuta; wertstellung; lastschrift; dauerauftrag; auszug nr; solde precedent; ancien solde;
        nouveau solde; solde initial; solde final; date de valeur; virement; prelevement; retrait dab; total des
        operations; saldo anterior; saldo inicial; saldo final; saldo actual; fecha valor; fecha operacion; cargo;
        abono; domiciliacion; saldo iniziale; saldo finale; data valuta; addebito; accredito; bonifico; prelievo;
        beginsaldo; eindsaldo; vorig saldo; nieuw saldo; afschrijving; bijschrijving; incasso; data valor; debito
        direto; levantamento; lancamentos; saldo poczatkowe; saldo koncowe""",
        weak="""
        balance; transactions; transaction; account number; account holder; debit; credit; iban; bic; atm;
        interest; fees; branch; transfer; saldo; umsatze; gutschrift; uberweisung; kontoinhaber; blz; solde;
        operations; compte; agence; movimientos; cuenta; oficina; titular; movimenti; conto; dare; avere;
        rekening; rekeninghouder; bedrag; conta; agencia; movimentos; bank; rachunek; przelew""",
    ),
    "tax_form": Cues(
        titles="""
        form w 2; form w 9; form w 8ben; form w 8; form w 4; form 1040; form 1099; form 1098; form 941; form 1120;
        form 1065; wage and tax statement; schedule k 1; schedule c; tax return; income tax return; individual
        income tax return; self assessment; tax return for the year; p60 end of year certificate; p45; tax
        certificate; einkommensteuererklarung; einkommensteuerbescheid; steuererklarung; steuerbescheid;
        lohnsteuerbescheinigung; umsatzsteuer voranmeldung; umsatzsteuererklarung; gewerbesteuerbescheid; ausdruck
        der elektronischen lohnsteuerbescheinigung; declaration des revenus; avis d imposition; avis d impot;
        declaration d impots; declaracion de la renta; impuesto sobre la renta; modelo 100; modelo 303; modelo
        347; certificado de retenciones; dichiarazione dei redditi; modello 730; certificazione unica; modello
        f24; modello redditi; aangifte inkomstenbelasting; jaaropgaaf; voorlopige aanslag; declaracao de
        rendimentos; imposto de renda; declaracao de irs; modelo 3; pit 11; pit 37""",
        strong="""
        internal revenue service; department of the treasury; omb no; taxpayer identification number; employer
        identification number; social security wages; medicare wages; federal income tax withheld; state income
        tax; withholding; wages tips other compensation; copy b; nonemployee compensation; recipient s tin; payer
        s tin; payer s federal identification number; filing status; taxable income; adjusted gross income; tax
        year; beneficial owner; backup withholding; under penalties of perjury; irs gov; hm revenue customs; hmrc;
        national insurance contributions; canada revenue agency; finanzamt; steuerklasse; identifikationsnummer;
        solidaritatszuschlag; zu versteuerndes einkommen; einbehaltene lohnsteuer; bruttoarbeitslohn;
        festgesetzte; numero fiscal; revenu fiscal de reference; direction generale des finances publiques; foyer
        fiscal; agencia tributaria; declarante; base liquidable; cuota liquida; agenzia delle entrate; sostituto d
        imposta; contribuente; redditi di lavoro dipendente; ritenute irpef; belastingdienst; loonheffing;
        burgerservicenummer; autoridade tributaria; receita federal; contribuinte; retencao na fonte; urzad
        skarbowy; podatnik""",
        weak="""
        tax; taxpayer; taxes; treasury; tin; ein; ssn; deductions; dividends; exempt; certification; payer;
        recipient; federal; steuer; steuernummer; einkommen; veranlagung; impot; revenus; fiscal; impuesto;
        retenciones; nif; imposta; redditi; codice fiscale; belasting; inkomen; imposto; rendimentos; podatek""",
    ),
    "medical_report": Cues(
        titles="""
        medical report; discharge summary; discharge letter; radiology report; pathology report; laboratory
        report; lab report; lab results; operative report; progress note; clinical summary; consultation report;
        medical certificate; prescription; echocardiogram report; mri report; ct report; patient summary;
        arztbrief; entlassungsbericht; entlassbrief; befund; befundbericht; laborbefund; operationsbericht;
        arztlicher bericht; radiologischer befund; arbeitsunfahigkeitsbescheinigung; compte rendu medical; compte
        rendu d hospitalisation; compte rendu operatoire; compte rendu de consultation; ordonnance; certificat
        medical; informe medico; informe de alta; informe clinico; historia clinica; receta medica; referto;
        referto medico; lettera di dimissione; cartella clinica; medisch verslag; ontslagbrief;
        laboratoriumuitslag; relatorio medico; laudo medico; relatorio de alta; atestado medico; karta
        informacyjna""",
        strong="""
        chief complaint; history of present illness; past medical history; physical examination; review of
        systems; impression; diagnosis; diagnoses; differential diagnosis; prognosis; findings; clinical history;
        clinical indication; vital signs; blood pressure; heart rate; medications; allergies; patient name;
        patient id; date of birth dob; mrn; medical record number; attending physician; referring physician;
        specimen; reference range; hemoglobin; hematocrit; glucose; cholesterol; creatinine; leukocytes; biopsy;
        contrast; mg daily; tablets; dosage; anamnese; diagnose; diagnosen; therapie; untersuchung; beurteilung;
        medikation; korperlicher untersuchungsbefund; referenzbereich; normbereich; patientin; behandlung;
        krankenhaus; klinikum; antecedents; examen clinique; diagnostic; traitement; motif de consultation;
        hospitalisation; antecedentes; exploracion fisica; diagnostico; tratamiento; motivo de consulta; juicio
        clinico; paciente; anamnesi; esame obiettivo; diagnosi; terapia; paziente; ricovero; voorgeschiedenis;
        lichamelijk onderzoek; behandeling; exame fisico; tratamento; queixa principal; medico; rozpoznanie;
        badanie; pacjent""",
        weak="""
        physician; doctor; dr; hospital; clinic; symptoms; pain; surgery; therapy; exam; chronic; acute; ward;
        icd; nurse; dose; mg; arzt; schmerzen; stationar; ambulant; hopital; medecin; docteur; douleur; dolor;
        ospedale; medico; dott; ziekenhuis; arts; pijn; clinica; dor; lekarz; szpital; laboratory; test; result;
        units; patient""",
    ),
    "resume": Cues(
        titles="""
        resume; curriculum vitae; cv; europass; europass curriculum vitae; lebenslauf; tabellarischer lebenslauf;
        curriculo; hoja de vida; zyciorys""",
        strong="""
        work experience; professional experience; employment history; work history; career objective; professional
        summary; career summary; summary of qualifications; education; skills; technical skills; core
        competencies; key skills; certifications; references available upon request; languages; hobbies;
        interests; volunteer experience; achievements; linkedin; github; bachelor of science; bachelor of arts;
        master of science; bachelor s degree; gpa; berufserfahrung; beruflicher werdegang; werdegang; ausbildung;
        schulbildung; studium; kenntnisse; edv kenntnisse; sprachkenntnisse; personliche daten; familienstand;
        praktika; weiterbildung; experience professionnelle; experiences professionnelles; formations;
        competences; langues; centres d interet; diplome; experiencia laboral; experiencia profesional; formacion;
        formacion academica; habilidades; competencias; idiomas; datos personales; esperienza professionale;
        esperienze lavorative; esperienza lavorativa; istruzione e formazione; istruzione; competenze; lingue;
        dati personali; werkervaring; opleiding; opleidingen; vaardigheden; talenkennis; personalia; experiencia
        profissional; formacao academica; formacao; dados pessoais; doswiadczenie zawodowe; wyksztalcenie;
        umiejetnosci; formations et diplomes; stages""",
        weak="""
        experience; university; college; degree; present; responsibilities; managed; developed; objective;
        profile; summary; projects; team; engineer; manager; analyst; developer; internship; awards; universitat;
        abitur; seit; heute; projekte; universite; licence; master; responsable; universidad; licenciatura;
        actualidad; universita; laurea; universiteit; heden; universidade; atual; uniwersytet""",
    ),
    "letter": Cues(
        titles="""
        letter; cover letter; letter of recommendation; reference letter; notice letter; schreiben; anschreiben;
        lettre; carta; lettera; pismo""",
        strong="""
        dear sir; dear madam; dear sirs; dear sir or madam; dear mr; dear mrs; dear ms; dear dr; dear customer;
        dear valued customer; to whom it may concern; yours sincerely; yours faithfully; sincerely; sincerely
        yours; best regards; kind regards; warm regards; respectfully; yours truly; very truly yours; i am writing
        to; we are writing to; please do not hesitate to; looking forward to hearing; enclosed please find; sehr
        geehrte; sehr geehrter; sehr geehrte damen und herren; mit freundlichen grussen; mit freundlichem gruss;
        freundliche grusse; hochachtungsvoll; betreff; ihr zeichen; unser zeichen; ihr schreiben vom; madame
        monsieur; monsieur; cher monsieur; chere madame; veuillez agreer; salutations distinguees; cordialement;
        objet; estimado; estimada; estimados; estimados senores; muy senor mio; atentamente; un cordial saludo;
        saludos cordiales; asunto; egregio; gentile; spettabile; spett le; distinti saluti; cordiali saluti;
        oggetto; geachte; geachte heer; met vriendelijke groet; met vriendelijke groeten; hoogachtend; betreft;
        prezado; prezada; prezados; exmo; atenciosamente; com os melhores cumprimentos; cumprimentos; assunto;
        szanowni panstwo; szanowny panie; z powazaniem""",
        weak="""
        dear; regards; enclosure; encl; re; subject; thank you; hope; anlage; anlagen; datum; bezug; pieces
        jointes; ref; adjunto; fecha; allegati; bijlage; anexo; zalacznik; sent; from; to; cc""",
    ),
    "id": Cues(
        titles="""
        passport; identity card; identification card; national identity card; driver license; driver s license;
        drivers license; driving licence; residence permit; permanent resident; visa; birth certificate; health
        insurance card; student id; personalausweis; reisepass; fuhrerschein; aufenthaltstitel; identitatskarte;
        passeport; carte nationale d identite; carte d identite; permis de conduire; titre de sejour; pasaporte;
        documento nacional de identidad; permiso de conducir; permiso de conduccion; cedula de identidad; tarjeta
        de residencia; passaporto; carta d identita; carta di identita; patente di guida; permesso di soggiorno;
        paspoort; identiteitskaart; rijbewijs; verblijfsdocument; passaporte; bilhete de identidade; cartao de
        cidadao; carteira de identidade; carteira nacional de habilitacao; carta de conducao; paszport; dowod
        osobisty; prawo jazdy""",
        strong="""
        date of birth; place of birth; date of issue; date of expiry; date of expiration; issuing authority;
        nationality; passport no; document no; card no; given names; surname; holder s signature; sex; height;
        eyes; dl; exp; dob; iss; geburtsdatum; geburtsort; staatsangehorigkeit; gultig bis; ausstellende behorde;
        augenfarbe; date de naissance; lieu de naissance; nationalite; date d expiration; date de delivrance;
        fecha de nacimiento; lugar de nacimiento; nacionalidad; fecha de caducidad; valido hasta; data di nascita;
        luogo di nascita; cittadinanza; data di scadenza; scade il; geboortedatum; geboorteplaats; nationaliteit;
        geldig tot; data de nascimento; naturalidade; nacionalidade; validade; data urodzenia; obywatelstwo""",
        weak="""
        name; names; republic; authority; valid; republik; bundesrepublik; republique; prenom; nom; reino;
        apellidos; nombre; repubblica; cognome; nome; koninkrijk; naam; voornamen; republica; apelido; license;
        class; state; male; female; m; f""",
    ),
    "form": Cues(
        titles="""
        form; application form; registration form; order form; claim form; request form; enrollment form;
        enrolment form; consent form; questionnaire; survey; application for; formular; antrag; anmeldung;
        anmeldeformular; antragsformular; fragebogen; formulaire; demande; bulletin d inscription; formulario;
        solicitud; cuestionario; inscripcion; modulo; domanda; richiesta; questionario; formulier; aanvraag;
        aanvraagformulier; inschrijfformulier; vragenlijst; requerimento; pedido; inscricao; formularz; wniosek""",
        strong="""
        please print; please complete; please fill in; fill out; fill in; check one; check all that apply; tick
        the box; tick; check box; for office use only; office use only; official use only; applicant; applicant s
        name; applicant signature; signature of applicant; yes no; first name; last name; middle initial; mailing
        address; zip code; print name; see instructions; instructions; complete this form; this form; bitte
        ausfullen; zutreffendes ankreuzen; bitte ankreuzen; antragsteller; vorname; nachname; ja nein; nur fur den
        dienstgebrauch; a remplir; cochez; cocher la case; cadre reserve; nom et prenom; demandeur; oui non;
        rellene; marque con; a rellenar por; solicitante; nombre y apellidos; si no; compilare; barrare; riservato
        all ufficio; richiedente; nome e cognome; in te vullen; aankruisen; aanvrager; ja nee; preencher;
        assinale; requerente; sim nao; wypelnia; wnioskodawca; nalezy wypelnic""",
        weak="""
        name; address; city; state; zip; phone; email; date; signature; telephone; fax; number; adresse; telefon;
        unterschrift; datum; ville; code postal; direccion; telefono; fecha; firma; indirizzo; data; adres;
        telefoon; postcode; endereco; assinatura""",
    ),
    "article": Cues(
        titles="""
        abstract; white paper; working paper; technical report; research article; original article; review
        article; case study; news; press release; newsletter; editorial; annual report; thesis; dissertation; user
        guide; zusammenfassung; pressemitteilung; forschungsbericht; bachelorarbeit; masterarbeit; diplomarbeit;
        rapport; communique de presse; resumen; articulo; comunicado de prensa; tesis; articolo; comunicato
        stampa; tesi; samenvatting; persbericht; resumo; artigo; dissertacao""",
        strong="""
        et al; doi; doi org; arxiv; keywords; introduction; related work; literature review; methodology; methods;
        results; discussion; conclusion; conclusions; references; bibliography; acknowledgements; acknowledgments;
        corresponding author; proceedings of; journal of; international journal; in this paper; we propose; we
        present; our results; this study; table of contents; table 1; figure 1; fig 1; figure 2; table 2; isbn;
        issn; vol; published; published online; all rights reserved; univ; department of; faculty of; theorem;
        lemma; proof; appendix; einleitung; fazit; literaturverzeichnis; inhaltsverzeichnis; abbildung 1; tabelle
        1; schlusselworter; mots cles; bibliographie; palabras clave; introduccion; conclusiones; bibliografia;
        parole chiave; introduzione; conclusioni; trefwoorden; inleiding; conclusie; palavras chave; introducao;
        conclusao; referencias; wstep""",
        weak="""
        chapter; section; author; authors; university; institute; research; analysis; data; model; study;
        copyright; magazine; editor; reporter; kapitel; abschnitt; autor; forschung; chapitre; auteur; recherche;
        capitulo; investigacion; capitolo; autore; ricerca; hoofdstuk; onderzoek; pesquisa""",
    ),
}
