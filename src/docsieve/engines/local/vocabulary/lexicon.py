"""The meanings of label words in European languages, Malay and Hebrew; a meaning is one English word.

Each entry is a meaning and the words that have it, folded like `canon.folded`. `canon` splits German and Dutch
compounds into their parts, so only irregular ones are listed here.
"""

from docsieve.engines.local.vocabulary.trades import COMPOUNDS, MORE_WORDS, TRADES

MEANINGS: dict[str, str] = {
    "number": "number no nos nr num nbr numb numero nummer nro n nomor nombor numer # № numéro",
    "invoice": "invoice inv invoices rechnung rechnungen rechnungs facture factura fattura factuur faktuur fatura"
    " invois faktura rechn rechnungskorrektur gutschrift",
    "bill": "bill bil billing billed bills facturation facturacion fatturazione facturatie",
    "receipt": "receipt rcpt receipts quittung kassenbon bon beleg belege recu recibo ricevuta resit bonnetje paragon",
    "document": "document doc dokument documento documents dokumen beleg",
    "order": "order orders auftrag bestellung bestell commande pedido ordine ordem pesanan bestelling encomenda",
    "purchase": "purchase po einkauf achat compra acquisto",
    "contract": "contract contracts vertrag vertrags contrat contrato contratto agreement kontrak overeenkomst",
    "customer": "customer customers cust kunde kunden client clients cliente clientes klant pelanggan member debitor",
    "supplier": "supplier suppliers lieferant lieferanten fournisseur proveedor fornitore leverancier fornecedor"
    " pembekal",
    "seller": "seller sellers verkaufer vendeur vendedor venditore verkoper penjual sprzedawca vendor vendors issuer"
    " emittent emetteur emisor leistungserbringer",
    "buyer": "buyer buyers kaufer acheteur comprador acquirente koper pembeli nabywca leistungsempfanger"
    " rechnungsempfanger recipient empfanger destinataire destinatario ontvanger purchaser",
    "company": "company companies firma unternehmen gesellschaft societe empresa azienda societa bedrijf syarikat"
    " entreprise organisation organization business corporation corp",
    "store": "store stores shop filiale markt magasin tienda negozio winkel loja kedai outlet branch merchant merchants"
    " restaurant retailer",
    "employer": "employer employers arbeitgeber employeur empleador werkgever majikan",
    "employee": "employee employees arbeitnehmer mitarbeiter salarie empleado werknemer pekerja",
    "name": "name names nom nombre nome naam nama nazwa bezeichnung noms",
    "person": "person ansprechpartner contact kontakt contacto contatto contactpersoon attention attn",
    "address": "address addresses addr adresse anschrift direccion indirizzo adres endereco alamat domicilio addrs",
    "street": "street strasse rue calle via straat rua jalan",
    "city": "city town ort stadt ville ciudad citta plaats stad cidade bandar",
    "zip": "zip zipcode postcode postal plz postleitzahl poskod",
    "country": "country land pays pais paese negara",
    "state": "state province bundesland etat provincia negeri",
    "phone": "phone tel telephone telefon telefono telefoon telefone fon mobile mobil handy cell hp phones tél",
    "fax": "fax telefax faks",
    "email": "email mail emails courriel correo emel epost",
    "website": "website web webseite www url homepage internet",
    "date": "date dates datum data fecha tarikh tgl dt dated datums dates",
    "issue": "issue issued issuance ausstellung ausgestellt emission emision emissione expedicion uitgifte emissao"
    " wystawienia issuing",
    "due": "due fallig falligkeit faellig echeance vencimiento scadenza vervaldatum verval vencimento payable zahlbar"
    " deadline dovuto dû należność zapłaty",
    "delivery": "delivery deliver delivered lieferung liefer lieferdatum leistung leistungs livraison entrega consegna"
    " levering penghantaran",
    "ship": "ship shipping shipment shipped versand expedition envio spedizione verzending",
    "period": "period zeitraum periode periodo tempoh abrechnungszeitraum leistungszeitraum",
    "time": "time uhrzeit zeit heure hora ora tijd masa times uhr",
    "start": "start starts starting begin begins beginning commencement commencing beginn debut inicio inizio aanvang"
    " mula ab effective",
    "end": "end fim ends ending ende fin final fine einde tamat expiry expiration expires termination thru through",
    "from": "from von du desde dal dari vom van",
    "to": "to bis au hasta al hingga tot ate until till zum",
    "birth": "birth geburt geburts naissance nacimiento nascita geboorte born dob",
    "total": "total totals ttl tot summe gesamt totale totaal jumlah insgesamt gesamtsumme razem totaux totalt"
    " endsumme ogółem łącznie",
    "subtotal": "subtotal subtotals subttl sbttl zwischensumme subtotale subtotaal sousttl soustotal",
    "grand": "grand general generale",
    "amount": "amount amounts amt amout betrag montant importe importo bedrag valor amaun amnt wert sum somme suma"
    " kwota wartosc",
    "net": "net nett netto netta nettobetrag neto netpay untaxed",
    "gross": "gross brutto brut bruto lordo brute",
    "tax": "tax taxes vat gst sst mwst mehrwertsteuer ust umsatzsteuer tva iva btw steuer steuern taxe impuesto imposta"
    " cukai hst pst qst taxable steuerbetrag usst mva moms",
    "excluding": "excluding excl exclusive ex exc before without zzgl zuzuglich ohne hors ht sin escluso escl exklusive"
    " exkl excluded untaxed",
    "including": "including incl inclusive inc inkl inklusive einschl einschliesslich ttc compris incluido incluso"
    " inclusief termasuk included with",
    "balance": "balance bal saldo solde bilanz baki kontostand",
    "pay": "pay payment payments zahlung zahlungs zahlbetrag zahlen paiement pago pagar pagamento pagare betaling"
    " betalen bayaran bayar",
    "paid": "paid tendered tender tend bezahlt paye pagado pagato betaald dibayar gegeben pmt received diterima"
    " zapłacono",
    "cash": "cash bar bargeld especes efectivo contanti tunai contant numerario",
    "card": "card cards karte carte tarjeta carta kad visa mastercard eftpos maestro amex girocard",
    "credit": "credit credits credito kredit haben abono accredito",
    "debit": "debit debits soll lastschrift debito addebito cargo",
    "change": "change ruckgeld wechselgeld zuruck rendu cambio resto baki wisselgeld troco chg",
    "rounding": "rounding round rounded rundung arrondi redondeo arrotondamento afronding pembundaran rnd bundar adj",
    "discount": "discount disc discounts rabatt remise descuento sconto korting diskaun skonto savings saved saving"
    " abschlag abschlage nachlass",
    "charge": "charge charges",
    "surcharge": "surcharge surcharges zuschlag zuschlage supplement recargo toeslag",
    "deposit": "deposit prepaid anzahlung acompte anticipo acconto advance",
    "service": "service serv svc servis servicio services dienst bedienung",
    "tip": "tip gratuity trinkgeld pourboire propina",
    "item": "item items artikel article articles articulo articolo produkt product products produit producto prodotto"
    " ware barang goods prod posten towar towaru usługi",
    "position": "position pos positions",
    "description": "description desc descr beschreibung designation descripcion descrizione omschrijving descricao"
    " butiran perihal particulars leistungsbeschreibung libelle concepto",
    "quantity": "quantity quantities qty qtys menge anzahl quantite cantidad quantita aantal hoeveelheid quantidade"
    " kuantiti stuck stk pcs qte cant ilosc",
    "unit": "unit units einheit unite unidad unita eenheid einzel per each ea uom jm",
    "price": "price prices preis prix precio prezzo prijs preco harga rate cost kosten cout cena",
    "percent": "percent percentage prozent pct taux satz prozentsatz % stawka",
    "currency": "currency wahrung devise moneda valuta divisa matawang moeda",
    "id": "id ident identification identifier kennung identifikation",
    "registration": "registration reg register registered registre handelsregister hrb hra siren siret pendaftaran roc",
    "file": "file filed filing stamped",
    "principal": "principal principle",
    "code": "code codes kode codigo codice kod",
    "reference": "reference ref refs referenz referencia riferimento referentie rujukan zeichen",
    "account": "account acct acc konto compte cuenta conto rekening conta akaun kontonummer",
    "iban": "iban",
    "bic": "bic swift",
    "bank": "bank banque banco banca",
    "type": "type typ art tipo jenis soort kind",
    "status": "status zustand statut estado stato",
    "table": "table tisch tbl mesa tavolo meja",
    "cashier": "cashier kassierer caissier cajero cassiere juruwang operator clerk server served waiter salesperson"
    " staff",
    "page": "page seite pagina muka pg",
    "line": "line zeile ligne linea lijn",
    "shipper": "shipper ablader verlader embarcador cargador chargeur",
    "consignee": "consignee consignatario consignatário",
    "vessel": "vessel schiff seeschiff buque navio navire",
    "voyage": "voyage voy reise viaje viagem",
    "seal": "seal siegel precinto lacre plomb",
    "container": "container contenedor contentor conteneur",
    "package": "package packages pkg pkgs packstück packstücke colis bulto bultos",
    "weight": "weight wt gewicht poids peso berat",
    "remarks": "remarks remark note notes bemerkung remarque comments comment anmerkung",
    "title": "title titel titre titolo",
    "signature": "signature unterschrift firma_signature signed",
    "salary": "salary wages lohn gehalt salaire salario loon gaji",
    "holder": "holder owner inhaber inhaberin titular titulaire intestatario houder",
    "opening": "opening initial initiale inicial iniziale anfangs anfang abertura apertura",
    "previous": "previous prior brought forward alter altes vorheriger vorig anterior precedente precedent ancien"
    " ancienne vortrag reporte",
    "original": "original originale originel ursprunglich oorspronkelijk",
    "other": "other alt alternate alternative andere anderer anderes autre otro altro outro",
    "revision": "revision rev revised",
    "closing": "closing closed cierre chiusura cloture abschluss",
    "new": "new neuer neues nouveau nouvelle nuevo nuova nuovo novo nieuw nieuwe actual",
    "rent": "rent miete loyer alquiler affitto huur sewa",
    "landlord": "landlord lessor vermieter bailleur",
    "tenant": "tenant lessee mieter locataire",
    "sold": "sold verkauft vendu vendido venduto",
    "sales": "sales sale verkauf vente ventes ventas vendite verkoop jualan supplies",
}

MEANINGS |= TRADES
for _meaning, _words in MORE_WORDS.items():
    MEANINGS[_meaning] = f"{MEANINGS[_meaning]} {_words}"

_HEBREW = {
    "number": "מספר מס", "invoice": "חשבונית", "receipt": "קבלה", "customer": "לקוח", "name": "שם", "address": "כתובת",
    "phone": "טלפון", "date": "תאריך", "total": "סהכ הכל", "amount": "סכום", "tax": "מעמ", "discount": "הנחה",
    "item": "פריט מוצר", "description": "תיאור פירוט", "quantity": "כמות", "price": "מחיר", "pay": "תשלום תשלומים",
}  # fmt: skip
for _meaning, _words in _HEBREW.items():
    MEANINGS[_meaning] = f"{MEANINGS[_meaning]} {_words}"

_STOP_WORDS_TEXT = (
    "of the a an and or on in at is are for by as this that your our my its it de der die das des dem den la le "
    "les el los las lo il un une ein eine und et y e o i del della di do da das dos en im am ihre ihr ihrer "
    "unsere unser votre notre su het een bzw mit per pro s d l &"
)
STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
"""Words without meaning in a label."""

_GENERIC_TEXT = (
    "number date name amount total code id type time price description item value reference unit line address"
)
GENERIC = frozenset(_GENERIC_TEXT.split())
"""Words that are not specific enough alone: "number" does not mean a contract number."""

SPELLED_TOGETHER: dict[str, tuple[str, ...]] = {
    **COMPOUNDS,
    "vervaldatum": ("due", "date"),
    "lieferdatum": ("delivery", "date"),
    "zipcode": ("zip", "code"),
    "steuerbetrag": ("tax", "amount"),
    "handelsrechnung": ("invoice",),
    "endbetrag": ("total", "amount"),
    "nettobetrag": ("net", "amount"),
    "zahlbetrag": ("pay", "amount"),
    "warenempfanger": ("ship", "to"),
    "lieferanschrift": ("ship", "address"),
    "rechnungsanschrift": ("bill", "address"),
    "idnr": ("id", "number"),
    "ustid": ("tax", "id"),
    "ustidnr": ("tax", "id", "number"),
    "vatid": ("tax", "id"),
    "nif": ("tax", "id"),
    "cif": ("tax", "id"),
    "nip": ("tax", "id"),
    "abn": ("tax", "id"),
    "siret": ("registration", "number", "siret"),
    "dob": ("birth", "date"),
    "usd": ("currency",),
    "untaxed": ("excluding", "tax"),
    "taxable": ("excluding", "tax"),
    "ht": ("excluding", "tax"),
    "ttc": ("including", "tax"),
    "plz": ("zip", "code"),
    "postcode": ("zip", "code"),
    "poskod": ("zip", "code"),
    "postleitzahl": ("zip", "code"),
    "gesamtsumme": ("grand", "total"),
    "endsumme": ("grand", "total"),
    "subtotal": ("subtotal",),
    "po": ("purchase", "order"),
    "payable": ("due",),
    "kontoinhaber": ("account", "holder"),
    "kontoinhaberin": ("account", "holder"),
    "rekeninghouder": ("account", "holder"),
    "saldovortrag": ("previous", "balance"),
    "attn": ("attention",),
    "attention": ("attention",),
}
"""Words with several meanings at once."""

_COMPOUND_HEADS_TEXT = (
    "nummer nummern nr no datum betrag summe name adresse anschrift preis preise steuer id termin zeit menge "
    "zeitraum empfanger wahrung code satz rechnung saldo"
)
COMPOUND_HEADS = _COMPOUND_HEADS_TEXT.split()
