"""The meanings of label words in insurance, medicine, transport, identity papers and supply, like `lexicon`."""

TRADES: dict[str, str] = {
    "policy": "policy policies police versicherungsschein versicherungspolice poliza apolice polizza polis",
    "insurer": "insurer versicherer assureur asegurador aseguradora segurador seguradora assicuratore verzekeraar",
    "insured": "insured policyholder versicherungsnehmer versicherungsnehmerin versicherter assure souscripteur"
    " asegurado tomador segurado assicurato contraente verzekerde verzekeringnemer",
    "insurance": "insurance versicherung versicherungs assurance seguro seguros assicurazione verzekering",
    "premium": "premium premiums pramie jahrespramie gesamtpramie jahresbeitrag prime prima premio premie",
    "deductible": "deductible selbstbeteiligung selbstbehalt franchise franquia franquicia franchigia",
    "claim": "claim claims schaden sinistre siniestro sinistro schade",
    "patient": "patient patientin patienten patiente paciente paziente",
    "doctor": "doctor physician arzt arztin medecin medico medica arts",
    "admission": "admission admitted aufnahme ingreso internacao internamento admissao ricovero opname hospitalisation",
    "discharge": "discharge discharged entlassung entlassungs alta sortie dimissione ontslag descarga desembarque"
    " dechargement debarquement scarico sbarco lossing",
    "diagnosis": "diagnosis diagnoses diagnose diagnosen diagnostic diagnostico diagnosi",
    "report": "report bericht befund rapport informe relatorio rapporto verslag laudo",
    "port": "port ports hafen puerto porto haven",
    "loading": "loading verladung embarque embarquement chargement carga caricamento imbarco",
    "destination": "destination bestimmungsort destino destinazione bestemming",
    "notify": "notify notificar notifier notificare notificacion notificacao",
    "bl": "bl lading konnossement seekonnossement connaissement conocimiento conhecimento cognossement",
    "booking": "booking buchung buchungs reserva reservation prenotazione boeking",
    "subject": "subject betreff betrifft objet asunto assunto oggetto onderwerp betreft",
    "surname": "surname lastname familienname nachname apellido apellidos apelido cognome achternaam",
    "given": "given forename forenames firstname vorname vornamen prenom prenoms voornaam voornamen",
    "nationality": "nationality staatsangehorigkeit nationalite nacionalidad nacionalidade nazionalita nationaliteit",
    "sex": "sex gender geschlecht sexe sexo sesso geslacht",
    "authority": "authority behorde autorite autoridad autoridade autorita autoriteit",
    "meter": "meter zahler compteur contador contatore",
    "reading": "reading readings zahlerstand releve lectura lettura leitura meterstand",
    "consumption": "consumption verbrauch consommation consumo verbruik",
}

MORE_WORDS: dict[str, str] = {
    "birth": "nascimento",
    "vessel": "embarcacion embarcacao nave motonave schip bateau",
    "landlord": "landlady arrendador locador senhorio locatore verhuurder",
    "tenant": "arrendatario inquilino locatario huurder mieterin",
    "shipper": "expediteur remitente expedidor mittente afzender",
}
"""Further words for meanings of `lexicon`."""

COMPOUNDS: dict[str, tuple[str, ...]] = {
    "ladehafen": ("port", "loading"),
    "verladehafen": ("port", "loading"),
    "laadhaven": ("port", "loading"),
    "entladehafen": ("port", "discharge"),
    "loschhafen": ("port", "discharge"),
    "loshaven": ("port", "discharge"),
    "meldeadresse": ("notify", "party"),
    "versicherungsnummer": ("policy", "number"),
    "versicherungsbeginn": ("insurance", "start"),
    "versicherungsende": ("insurance", "end"),
    "versicherungsablauf": ("insurance", "end"),
    "kostenstelle": ("price", "center"),
    "geburtsname": ("birth", "name"),
}
