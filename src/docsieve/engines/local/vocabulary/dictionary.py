"""English words for what documents and schemas are about, and the words of other languages that mean the same.

Unlike those of `lexicon`, these words are no sign of a label: they are as common in sentences and names. Folded like
there; `canon` splits compounds, so only their parts are listed.
"""

DICTIONARY: dict[str, str] = {
    "accident": "accident accidents unfall unfalle accidente acidente incidente infortunio ongeval",
    "activity": "activity activities tatigkeit tatigkeiten activite activites actividad atividade attivita activiteit",
    "agenda": "agenda tagesordnung",
    "against": "against gegen dagegen contre contra contro tegen",
    "agency": "agency agentur agence agencia agenzia agentschap",
    "agent": "agent agents vertreter agente",
    "agreed": "agreed vereinbart vereinbarte vereinbarten convenu convenue acordado acordada convenido pattuito",
    "allergy": "allergy allergies allergic allergie allergien alergia alergias allergia",
    "animal": "animal animals tier tiere animaux animal animais animale dier",
    "applicant": "applicant applicants antragsteller antragstellerin bewerber bewerberin demandeur demandeuse"
    " candidat"
    " solicitante requerente candidato richiedente aanvrager",
    "application": "application applications antrag antrags bewerbung demande candidature solicitud requerimento"
    " candidatura domanda richiesta aanvraag",
    "appointment": "appointment appointments rendez verabredung cita appuntamento afspraak",
    "approved": "approved approval approves genehmigt genehmigte genehmigten genehmigtes bewilligt"
    " bewilligte bewilligter freigegeben freigabe approuve approuvee approbation aprobado aprobada aprobo aprobacion"
    " aprovado aprovada aprovacao approvato goedgekeurd adopted adopte adoptee beschlossen beschlossenes",
    "area": "area flache superficie surface nutzflache wohnflache grundflache oppervlakte",
    "attachment": "attachment attachments enclosure enclosures anlage anlagen annexe annexes anexo anexos allegato"
    " bijlage",
    "author": "author authors autor autorin verfasser verfasserin auteur autora autore",
    "authorized": "authorized authorised befugt ermachtigt bevollmachtigt autorise autorisee autorizado autorizada",
    "award": "award awarded awards zuschlag bewilligung octroi adjudicacion concesion concedido concedida concessao"
    " attribution accorde accordee",
    "beneficiary": "beneficiary beneficiaries begunstigter begunstigte beneficiaire beneficiario begunstigde",
    "blood": "blood blut sang sangre sangue bloed",
    "brand": "brand marke marque marca merk make hersteller manufacturer fabricant fabricante produttore",
    "budget": "budget haushalt etat presupuesto orcamento bilancio begroting",
    "building": "building gebaude batiment immeuble edificio gebouw",
    "capacity": "capacity kapazitat capacite capacidad capacidade capacita capaciteit",
    "freight": "freight cargo ladung fracht fret marchandise marchandises mercancia mercancias mercadoria mercadorias"
    " merce vracht",
    "carrier": "carrier haulier haulage forwarder spediteur spedition frachtfuhrer transporteur transportista"
    " transportador transportadora transportadora vettore vervoerder",
    "category": "category categories class klasse kategorie categorie categoria clase classe",
    "cause": "cause justification reason grund ursache anlass motif raison motivo causa razon razao oorzaak",
    "center": "center centre zentrum centro centrum",
    "certificate": "certificate certificates bescheinigung zertifikat urkunde certificat attestation certificado"
    " certificato certificaat",
    "chair": "chair chairs chairperson chairman chairwoman presiding presides president vorsitz vorsitzende"
    " vorsitzender"
    " sitzungsleitung presidence presidente presidenta presidencia preside voorzitter",
    "chief": "chief leiter leiterin leitung chef responsable jefe jefa chefe capo hoofd",
    "child": "child children kind kinder enfant enfants hijo hijos filho filhos figlio figli",
    "color": "color colour farbe couleur color cor colore kleur",
    "committee": "committee ausschuss comite comision comissao comitato commissie",
    "complaint": "complaint beschwerde reklamation plainte reclamation queja reclamacion reclamacao reclamo klacht",
    "condition": "condition conditions auflage auflagen bedingung bedingungen condicion condiciones condicao"
    " condicoes condizione condizioni voorwaarde voorwaarden restriction restrictions einschrankung einschrankungen"
    " restriccion restricciones restricao restricoes prescriptions",
    "consumption": "usage used",
    "consultation": "consultation beratung sprechstunde consulta consultazione",
    "contribution": "contribution contributions beitrag beitrage anteil eigenanteil eigenmittel cotisation"
    " cotisations"
    " apport contribucion aportacion contribuicao contributo bijdrage",
    "copy": "copy copies kopie ausfertigung copie exemplaire copia exemplar",
    "court": "court gericht tribunal cour corte juzgado rechtbank",
    "course": "course kurs lehrgang cours curso corso cursus",
    "cover": "cover coverage deckung versicherungsschutz couverture garantie cobertura copertura dekking",
    "damage": "damage damages schaden dommage dommages dano danos danno danni schade",
    "day": "day days tag tage tagen jour jours dia dias giorno giorni dag dagen",
    "debtor": "debtor schuldner debiteur deudor devedor debitore",
    "decision": "decision entscheidung bescheid beschluss resolucion decisao decisione besluit resolution",
    "degree": "degree abschluss diplom diplome grado titulo laurea grau",
    "department": "department dept abteilung departement service departamento reparto afdeling",
    "departure": "departure abfahrt abflug abreise depart salida partida partenza vertrek",
    "arrival": "arrival ankunft anreise arrivee llegada chegada arrivo aankomst eta",
    "director": "director direktor direktorin geschaftsfuhrer geschaftsfuhrerin directeur directrice directora"
    " direttore"
    " diretor diretora direktion",
    "distance": "distance entfernung strecke distancia distanza afstand",
    "donor": "donor donors funder spender geldgeber fordergeber donateur bailleur donante financiador doador donatore",
    "driver": "driver fahrer fahrerin conducteur chauffeur conductor motorista conducente bestuurder",
    "duration": "duration laufzeit dauer duree duracion duracao durata duur",
    "duty": "duty duties aufgabe aufgaben pflicht pflichten obligation obligations obligacion obrigacao",
    "education": "education ausbildung bildung formation educacion educacao formacion formacao formazione opleiding",
    "election": "election elections wahl election elecciones eleicao elezione",
    "emergency": "emergency notfall notdienst storung urgence urgences emergencia emergencias urgencia urgencias"
    " emergenza noodgeval",
    "energy": "energy energie energia electricity strom electricite electricidad eletricidade",
    "engine": "engine motor moteur motore",
    "equipment": "equipment ausrustung gerat gerate equipement equipo equipamento attrezzatura apparatuur",
    "examination": "examination exam untersuchung prufung examen exame esame onderzoek",
    "expense": "expense expenses aufwendung aufwendungen ausgabe ausgaben spesen depense depenses gasto gastos"
    " despesa"
    " despesas spesa spese",
    "family": "family familie famille familia famiglia",
    "favor": "favor favour ayes dafur",
    "fee": "fee fees gebuhr gebuhren honorar entgelt frais redevance honoraires emoluments tasa honorarios"
    " tassa vergoeding leges taxa emolumentos cuota",
    "fixed": "fixed grundpreis grundgebuhr fixe fijo fija fixo fixa fisso vast standing abonnement",
    "flight": "flight flug vol vuelo voo volo vlucht",
    "floor": "floor storey stockwerk etage geschoss planta piso andar piano verdieping",
    "frequency": "frequency haufigkeit frequence frecuencia frequencia frequenza",
    "fuel": "fuel kraftstoff treibstoff carburant combustible combustivel carburante brandstof",
    "gas": "gas gaz",
    "grant": "grant grants funding funded forderung forder finanzierung financement financiacion financiamento"
    " finanziamento financiering zuwendung fordersumme fordermittel stipendium subvention subvencion subvencao"
    " subsidio"
    " sovvenzione subsidie beihilfe ayuda bourse beca bolsa",
    "guarantee": "guarantee warranty garantie gewahrleistung garantia garanzia",
    "guarantor": "guarantor burge burgin garant caution avalista fiador garante",
    "health": "health gesundheit sante salud saude salute gezondheid",
    "height": "height hohe hauteur altura altezza hoogte",
    "hour": "hour hours stunde stunden heure heures hora horas ora ore uur",
    "increase": "increase erhohung augmentation aumento verhoging",
    "injury": "injury verletzung blessure lesion lesao lesione letsel",
    "inspection": "inspection prufung kontrolle inspektion controle inspeccion inspecao ispezione keuring",
    "inspector": "inspector prufer inspektor inspecteur",
    "installment": "installment instalment installments rata versement acompte echeance cuota plazo prestacao",
    "interest": "interest zins zinsen zinssatz interet interets interes intereses juros interesse interessi rente",
    "investor": "investor anleger investisseur inversor investidor investitore",
    "judge": "judge richter juge juez juiz giudice rechter",
    "language": "language languages sprache sprachen langue langues idioma idiomas lingua taal",
    "law": "law laws recht rechts droit loi derecho ley direito lei diritto legge",
    "lawyer": "lawyer attorney counsel anwalt rechtsanwalt rechtsanwaltin avocat avocate abogado abogada advogado"
    " avvocato advocaat",
    "lender": "lender lenders darlehensgeber kreditgeber preteur prestamista mutuante",
    "borrower": "borrower darlehensnehmer kreditnehmer emprunteur prestatario mutuario",
    "length": "length lange longueur longitud comprimento lunghezza",
    "letter": "letter schreiben brief lettre carta lettera",
    "level": "level stufe niveau nivel livello",
    "license": "license licence lizenz licenca licencia licenza permis permit permits genehmigung erlaubnis"
    " autorisation autorizacion autorizacao autorizzazione alvara vergunning permiso",
    "loan": "loan darlehen kredit pret prestamo emprestimo prestito lening",
    "location": "location venue place lieu lugar local luogo ort site standort emplacement sede sitzungsort"
    " endroit locatie",
    "loss": "loss verlust perte perdida perda perdita verlies",
    "maintenance": "maintenance wartung instandhaltung entretien mantenimiento manutencao manutenzione onderhoud",
    "manager": "manager gerente gestor gestora verwalter verwalterin gestionnaire gerant",
    "marital": "marital familienstand civil matrimonial",
    "material": "material materials werkstoff materiau materiel materiale materiaal",
    "maximum": "maximum maximal maximale maximales maximo maxima massimo max hochst",
    "minimum": "minimum mindest minimal minimale minimo minima min",
    "measure": "measure messung mesure medida misura maatregel",
    "medication": "medication medications medicine medikament medikamente medikation medicament medicaments"
    " medicamento"
    " medicamentos medicacion farmaco farmaci medicijn",
    "meeting": "meeting meetings assembly sitzung sitzungen sitzungs versammlung treffen besprechung reunion seance"
    " assemblee junta asamblea sesion reuniao assembleia sessao riunione seduta vergadering",
    "member": "mitglied mitglieder membre membres miembro miembros membro membros socio socios socia lid leden",
    "minutes": "minutes protokoll niederschrift protokollant protokollfuhrer protokollfuhrung acta ata verbale notulen",
    "model": "model modell modele modelo modello",
    "month": "month months monat monate monaten monatlich monatliche mois mes meses mese mesi maand maanden",
    "mortgage": "mortgage hypothek hypotheque hipoteca ipoteca",
    "next": "next nachste nachster nachstes prochain prochaine proximo proxima prossimo prossima volgende siguiente",
    "night": "night nacht nachte nuit nuits noche noches noite noites notte",
    "notary": "notary notar notarin notaire notario tabeliao notaio notaris",
    "notice": "notice kundigung kundigungsfrist preavis preaviso aviso preavviso opzegging",
    "nurse": "nurse pflegekraft infirmiere infirmier enfermera enfermero enfermeira infermiera",
    "object": "object objekt gegenstand objet objeto oggetto",
    "occupancy": "occupancy belegung ocupacion ocupacao lotacao",
    "occupation": "occupation profession beruf metier profesion profissao professione beroep oficio",
    "offer": "offer quote quotation angebot offre devis oferta presupuesto proposta offerta offerte",
    "office": "office buro amt bureau oficina escritorio ufficio kantoor",
    "officer": "officer official beamter beamtin fonctionnaire funcionario oficial funzionario ambtenaar",
    "operator": "betreiber exploitant operador gestore",
    "organization": "verein gremium organisme association asociacion associacao associazione vereniging entidad"
    " entite"
    " organizacion organizacao organizzazione gemeinschaft body entity",
    "origin": "origin herkunft ursprung origine origen origem herkomst",
    "owner": "eigentumer eigentumerin proprietaire propietario propietaria proprietario proprietaria eigenaar",
    "participant": "participant participants attendee attendees attendance teilnehmer teilnehmerin teilnehmende"
    " participante participantes asistente asistentes partecipante deelnemer",
    "partner": "partner partners partenaire socio parceiro",
    "passenger": "passenger passengers passagier fahrgast passager pasajero passageiro passeggero",
    "payee": "payee zahlungsempfanger",
    "penalty": "penalty fine fines strafe vertragsstrafe bussgeld amende penalite multa penalizacion sanzione boete",
    "people": "people persons personen personnes personas pessoas persone effectif",
    "plan": "plan tariff tarif tarifa tariffa formule modalidad",
    "plate": "plate kennzeichen immatriculation matricula targa kenteken",
    "power": "power leistung puissance potencia potenza vermogen",
    "premises": "premises raume raumlichkeiten locaux instalaciones instalacoes locali betriebsstatte establecimiento"
    " estabelecimento etablissement pand lieferstelle verbrauchsstelle",
    "present": "present anwesend anwesende anwesenden presents presente presentes presenti aanwezig",
    "price": "custo custos costo costos coste costes couts costi",
    "procedure": "procedure verfahren procedimiento procedimento procedura",
    "program": "program programme programm programa programma",
    "project": "project projekt vorhaben projet proyecto projeto progetto",
    "property": "property immobilie grundstuck liegenschaft propriete bien inmueble propiedad propriedade"
    " imovel immobile"
    " proprieta pand",
    "purpose": "purpose use zweck nutzung verwendung destination finalidad finalidade uso scopo doel",
    "quarter": "quarter quartal trimestre kwartaal",
    "quorum": "quorum beschlussfahig beschlussfahigkeit",
    "recommendation": "recommendation recommendations empfehlung empfehlungen recommandation recomendacion"
    " recomendacao"
    " raccomandazione aanbeveling",
    "renewal": "renewal renewable renewed verlangerung verlangerbar erneuerung renouvellement renouvelable"
    " reconductible"
    " renovacion renovable renovacao renovavel rinnovo rinnovabile verlenging",
    "repair": "repair reparatur reparation reparacion reparacao riparazione reparatie",
    "request": "request anfrage anforderung requete peticion pedido richiesta verzoek",
    "required": "required erforderlich requis requise requerido requerida richiesto vereist",
    "residence": "residence wohnort wohnsitz wohnhaft domicile residencia residenza woonplaats demeurant domicilie"
    " residente residing",
    "result": "result results ergebnis ergebnisse resultat resultats resultado resultados risultato risultati"
    " resultaat"
    " uitslag",
    "revenue": "revenue turnover umsatz umsatzerlose erlos erlose chiffre ingresos receita receitas ricavi omzet",
    "risk": "risk risiko risque riesgo risco rischio",
    "room": "room rooms zimmer raum chambre salle habitacion sala quarto camera kamer pieces",
    "route": "route strecke itineraire ruta rota itinerario percorso",
    "sample": "sample specimen probe echantillon prelevement muestra amostra campione monster",
    "schedule": "schedule zeitplan fahrplan calendrier horario calendario programma rooster",
    "season": "season saison temporada stagione seizoen",
    "secretary": "secretary schriftfuhrer schriftfuhrerin secretaire secretario secretaria segretario secretaris",
    "share": "share anteil participacion quota aandeel",
    "size": "size grosse taille tamano tamanho dimensione maat",
    "square": "square quadrat carre cuadrado quadrado quadrato",
    "student": "student students schuler schulerin studierende etudiant etudiante eleve estudiante alumno"
    " alumna aluno"
    " studente",
    "supervisor": "supervisor vorgesetzter betreuer superviseur supervisora",
    "symptom": "symptom symptoms symptome symptomes sintoma sintomas sintomi beschwerden",
    "task": "task tache tarea tarefa compito taak",
    "team": "team mannschaft equipe equipo squadra",
    "telephone": "rufnummer",
    "temperature": "temperature temperatur temperatura temperatuur",
    "test": "test tests prueba teste",
    "ticket": "ticket fahrschein billet boleto billete bilhete biglietto kaartje",
    "training": "training schulung fortbildung entrenamiento treinamento formazione",
    "transport": "transport transports transporte trasporto vervoer beforderung",
    "travel": "travel trip reise voyage viaje viagem viaggio reis",
    "treatment": "treatment therapy behandlung therapie traitement tratamiento tratamento trattamento terapia",
    "treasurer": "treasurer kassenwart schatzmeister tresorier tesorero tesoureiro tesoriere penningmeester",
    "trustee": "trustee treuhander fiduciaire fiduciario",
    "valid": "valid validity gultig gultigkeit valable valide validite valido valida validez validade validita geldig"
    " vigente vigencia vigor",
    "vehicle": "vehicle vehicles car fahrzeug auto vehicule vehiculo veiculo veicolo voertuig",
    "volume": "volume volumen rauminhalt",
    "vote": "vote votes stimme stimmen abstimmung voix voto votos votacion votacao voti stem",
    "waste": "waste abfall dechet dechets residuo residuos rifiuti afval",
    "water": "water wasser eau agua acqua",
    "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
    "width": "width breite largeur ancho anchura largura larghezza breedte",
    "witness": "witness witnesses zeuge zeugin zeugen temoin temoins testigo testigos testemunha testimone getuige",
    "work": "work works arbeit arbeiten travail travaux trabajo trabajos trabalho obra obras lavoro lavori werk",
    "worker": "worker arbeiter arbeiterin ouvrier travailleur trabajador trabalhador lavoratore",
    "writer": "writer taker redacteur redige redigee redacta redactada protokollant",
    "year": "year years jahr jahre jahres jahren annee annees ano anos anno anni jaar",
    "adjourned": "adjourned adjournment geschlossen schluss levee levada cierre encerrada",
}
