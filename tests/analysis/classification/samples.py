"""Short documents of every kind, written for the tests; each is (class, language, text)."""

SAMPLES: list[tuple[str, str, str]] = [
    (
        "invoice",
        "en",
        """Northwind Tools Ltd
INVOICE
Invoice No: 20931   Invoice Date: 4 March 2026   Due Date: 3 April 2026
Bill To: Contoso Gardens, 5 Mill Lane, Leeds
Description  Qty  Unit Price  Amount
Pruning shears  10  12.50  125.00
Hose 20 m  2  31.00  62.00
Subtotal 187.00  VAT 20% 37.40  Total 224.40
Payment terms: 30 days net. IBAN GB33BUKB20201555555555""",
    ),
    (
        "invoice",
        "de",
        """Schreinerei Huber GmbH, Lindenweg 3, 83022 Rosenheim
Rechnung Nr. 2026-118
Rechnungsdatum: 12.02.2026  Kundennummer: 4470
Pos Bezeichnung Menge Einzelpreis Gesamt
1 Eichentisch 1 1.450,00 1.450,00
2 Lieferung 1 80,00 80,00
Nettobetrag 1.530,00 EUR  zzgl. 19 % MwSt 290,70 EUR  Gesamtbetrag 1.820,70 EUR
Zahlbar innerhalb von 14 Tagen. USt-IdNr. DE123456789""",
    ),
    (
        "invoice",
        "fr",
        """Atelier Dubois SARL
FACTURE N° 2026-044
Date de facture : 03/02/2026   Date d'échéance : 05/03/2026
Désignation Quantité Prix unitaire Montant HT
Réparation moteur 1 640,00 640,00
Total HT 640,00  TVA 20 % 128,00  Total TTC 768,00  Net à payer 768,00 €""",
    ),
    (
        "invoice",
        "es",
        """Talleres Romero S.L.  NIF B12345678
FACTURA
Factura nº 88/2026  Fecha de factura: 01/03/2026
Descripción Cantidad Precio Importe
Revisión anual 1 210,00 210,00
Base imponible 210,00  IVA 21 % 44,10  Importe total 254,10 €  Fecha de vencimiento: 31/03/2026""",
    ),
    (
        "invoice",
        "it",
        """Officina Bianchi S.r.l.  Partita IVA 01234567890
FATTURA n. 12/2026
Data fattura 15/01/2026   Scadenza 15/02/2026
Descrizione Quantità Prezzo Importo
Consulenza tecnica 8 60,00 480,00
Imponibile 480,00  IVA 22% 105,60  Totale fattura 585,60 EUR""",
    ),
    (
        "invoice",
        "nl",
        """Bakker Installaties B.V.  BTW nummer NL001234567B01
FACTUUR
Factuurnummer 2026-0031  Factuurdatum 10-02-2026  Vervaldatum 24-02-2026
Omschrijving Aantal Prijs Bedrag
Onderhoud cv-ketel 1 95,00 95,00
Subtotaal 95,00  BTW 21% 19,95  Te betalen 114,95""",
    ),
    (
        "invoice",
        "pt",
        """Oficina Almeida Lda
FATURA
Número da fatura: 77/2026   Data da fatura: 02/02/2026   Data de vencimento: 04/03/2026
Descrição Quantidade Preço Valor
Manutenção 1 150,00 150,00
IVA 23% 34,50  Total 184,50 EUR""",
    ),
    (
        "receipt",
        "en",
        """CORNER MARKET
221 High Street
Tel 020 7946 0000
Cashier: Ann  Till 3
Milk 1.20
Bread 0.95
Apples 2.10
SUBTOTAL 4.25
CASH 5.00
CHANGE 0.75
14/02/2026 17:42
THANK YOU PLEASE COME AGAIN""",
    ),
    (
        "receipt",
        "de",
        """Bäckerei Sonnenschein
Marktplatz 1
Es bediente Sie: Petra
2 Brezel 1,60
1 Kaffee 2,40
SUMME EUR 4,00
Bar gegeben 5,00
Rückgeld 1,00
09.01.2026 08:12
Vielen Dank für Ihren Besuch""",
    ),
    (
        "receipt",
        "fr",
        """Boulangerie Martin
Ticket de caisse
Croissant 1,10
Café 1,80
TOTAL 2,90
Espèces 5,00
Rendu monnaie 2,10
12/01/2026 09:05
Merci de votre visite""",
    ),
    (
        "contract",
        "en",
        """LEASE AGREEMENT
This Lease Agreement is made by and between Oak Estates LLC (hereinafter the "Landlord") and J. Doe (the "Tenant").
WHEREAS the Landlord owns the premises, the parties agree as follows.
1. Term. The term of this agreement begins on the effective date and lasts twelve months.
2. Termination. Either party may terminate on sixty days notice in the event of a breach.
3. Governing law. This agreement shall be governed by the laws of Ohio.
IN WITNESS WHEREOF the parties have executed this agreement. Signature""",
    ),
    (
        "contract",
        "de",
        """Arbeitsvertrag
zwischen der Muster AG, im Folgenden Arbeitgeber genannt, und Frau Erika Beispiel, Arbeitnehmer.
 1 Vertragsgegenstand und Tätigkeit.  2 Vergütung.  3 Kündigungsfrist: drei Monate zum Quartalsende.
 9 Salvatorische Klausel. Änderungen bedürfen der Schriftform. Gerichtsstand ist Köln.
Ort, Datum, Unterschrift""",
    ),
    (
        "contract",
        "es",
        """CONTRATO DE ARRENDAMIENTO
REUNIDOS de una parte don Luis Pérez, en lo sucesivo el arrendador, y de otra doña Ana Gil, la arrendataria.
Las partes acuerdan las siguientes cláusulas. Primera. Duración. Segunda. Renta. Ley aplicable. Firma""",
    ),
    (
        "bank_statement",
        "en",
        """First River Bank
ACCOUNT STATEMENT
Statement period 01/01/2026 - 31/01/2026  Account number 00112233  Sort code 10-20-30
Date Description Paid out Paid in Balance
Opening balance 1,000.00
02/01/2026 Direct debit Water 45.00 955.00
05/01/2026 Salary 2,100.00 3,055.00
09/01/2026 ATM withdrawal 60.00 2,995.00
20/01/2026 Rent transfer 900.00 2,095.00
Closing balance 2,095.00""",
    ),
    (
        "bank_statement",
        "de",
        """Sparkasse Musterstadt
Kontoauszug Nr. 2/2026
Kontoinhaber Max Muster  IBAN DE02120300000000202051
Buchungstag Valuta Verwendungszweck Betrag
Alter Saldo 512,30
03.02. 03.02. Lastschrift Stadtwerke 61,00-
05.02. 05.02. Gehalt 2.310,00+
17.02. 17.02. Dauerauftrag Miete 780,00-
Neuer Saldo 1.981,30""",
    ),
    (
        "bank_statement",
        "it",
        """Banca del Lago
ESTRATTO CONTO
Saldo iniziale 1.200,00
03/02/2026 Bonifico a favore 500,00
10/02/2026 Addebito utenze 80,00
18/02/2026 Prelievo 100,00
Saldo finale 1.520,00  Data valuta  Dare Avere  Conto corrente""",
    ),
    (
        "tax_form",
        "en",
        """Form W-2 Wage and Tax Statement 2025
Department of the Treasury Internal Revenue Service  OMB No. 1545-0008
a Employee's social security number  b Employer identification number (EIN)
1 Wages, tips, other compensation 48,200.00  2 Federal income tax withheld 5,100.00
3 Social security wages 48,200.00  5 Medicare wages and tips 48,200.00
Copy B To Be Filed With Employee's FEDERAL Tax Return""",
    ),
    (
        "tax_form",
        "de",
        """Ausdruck der elektronischen Lohnsteuerbescheinigung für 2025
Finanzamt Köln-Süd  Identifikationsnummer 12 345 678 901  Steuerklasse 1
3. Bruttoarbeitslohn 52.000,00  4. Einbehaltene Lohnsteuer 8.900,00  5. Solidaritätszuschlag 0,00""",
    ),
    (
        "medical_report",
        "en",
        """DISCHARGE SUMMARY
Patient Name: A. Sample  MRN: 000771
Chief complaint: chest pain. History of present illness: The patient is a 58 year old male.
Physical examination: blood pressure 140/90, heart rate 88. Diagnosis: unstable angina.
Medications: aspirin 100 mg daily. Attending physician: Dr. Lee, City Hospital""",
    ),
    (
        "medical_report",
        "de",
        """Klinikum Nord, Innere Medizin
Arztbrief
Sehr geehrte Frau Kollegin, wir berichten über Ihre Patientin.
Diagnosen: arterielle Hypertonie. Anamnese: seit Wochen Schmerzen. Befund unauffällig.
Beurteilung und Therapie: Medikation wie folgt, Behandlung stationär.""",
    ),
    (
        "medical_report",
        "fr",
        """Hôpital Saint-Louis
COMPTE RENDU D'HOSPITALISATION
Motif de consultation : douleur. Antécédents : diabète. Examen clinique normal.
Diagnostic : pneumonie. Traitement : antibiotiques.""",
    ),
    (
        "resume",
        "en",
        """Jordan Rivers
jordan@example.com | linkedin.com/in/jordan
PROFESSIONAL SUMMARY
Software developer with ten years of experience.
WORK EXPERIENCE
Senior Engineer, Acme, 2019 - Present
Engineer, Globex, 2014 - 2019
EDUCATION
Bachelor of Science, State University, 2010 - 2014
SKILLS
Python, SQL, leadership""",
    ),
    (
        "resume",
        "de",
        """Lebenslauf
Persönliche Daten: Erika Beispiel, geboren 1990
Berufserfahrung
2018 - heute Projektleiterin, Muster AG
2014 - 2018 Ingenieurin
Ausbildung und Studium
2009 - 2014 Universität Stuttgart
Kenntnisse  Sprachkenntnisse  Hobbys""",
    ),
    (
        "resume",
        "fr",
        """Curriculum vitae
Camille Moreau
Expérience professionnelle
2017 - 2024 Responsable marketing
Formation
2012 - 2017 Master, Université de Lyon
Compétences  Langues  Centres d'intérêt""",
    ),
    (
        "letter",
        "en",
        """Green Energy Ltd, 1 Wind Road
14 March 2026
Dear Mr Porter,
Re: your enquiry
Thank you for your letter. We are writing to confirm that the engineer will visit you next week.
Please do not hesitate to contact us if the day does not suit you.
Yours sincerely,
Helen Marsh""",
    ),
    (
        "letter",
        "de",
        """Stadtwerke Musterstadt
Betreff: Ihr Schreiben vom 3. März
Sehr geehrte Damen und Herren,
wir danken Ihnen für Ihre Nachricht und teilen Ihnen mit, dass die Arbeiten im April beginnen.
Mit freundlichen Grüßen
Karl Weber""",
    ),
    (
        "letter",
        "it",
        """Spettabile Comune di Parma
Oggetto: richiesta di informazioni
Gentile Dottoressa, Le scrivo per chiedere notizie sui lavori nella nostra via.
In attesa di un cortese riscontro porgo distinti saluti. Paolo Neri""",
    ),
    (
        "id",
        "en",
        """PASSPORT
UNITED KINGDOM OF GREAT BRITAIN
Surname SAMPLE  Given names JANE
Nationality BRITISH CITIZEN  Date of birth 01 JAN 90  Place of birth LONDON
Date of issue 02 FEB 20  Date of expiry 02 FEB 30
P<GBRSAMPLE<<JANE<<<<<<<<<<<<<<<<<<<<<<<<<<<
1234567897GBR9001018F3002027<<<<<<<<<<<<<<04""",
    ),
    (
        "id",
        "de",
        """BUNDESREPUBLIK DEUTSCHLAND
PERSONALAUSWEIS
Name MUSTERMANN  Vornamen ERIKA
Geburtsdatum 12.08.1983  Staatsangehörigkeit DEUTSCH  Geburtsort BERLIN  Gültig bis 01.08.2031""",
    ),
    (
        "form",
        "en",
        """APPLICATION FORM
Please print and complete this form in black ink.
First name ____________  Last name ____________
Mailing address ______________________  Zip code ________
Are you a member? [ ] Yes [ ] No
Signature of applicant ______________  Date ________
FOR OFFICE USE ONLY""",
    ),
    (
        "form",
        "nl",
        """AANVRAAGFORMULIER parkeervergunning
In te vullen door de aanvrager
Naam ____________  Adres ____________  Postcode ______
Aankruisen wat van toepassing is: [ ] bewoner [ ] bedrijf
Handtekening ____________""",
    ),
    (
        "article",
        "en",
        """Sparse Methods for River Flow Prediction
Abstract
We present a method that predicts river flow from sparse sensors. Our results improve on related work.
Keywords: hydrology, regression
1 Introduction
Floods are costly. Smith et al. studied them before. In this paper we propose a sparse model.
2 Methods
The data is described in Table 1 and shown in Figure 1.
5 Conclusion
This study shows that few sensors are enough.
References
[1] A. Smith, Journal of Hydrology, vol. 12. doi.org/10.1000/1""",
    ),
    ("other", "en", "The kettle is in the kitchen and the tea is in the cupboard above it."),
    ("other", "en", "Upper left red\nLower right black"),
]
