"""What sections of documents are called, and the words that tell the parts of their entries apart: data, not code.

All words are folded like `canon.folded`; `*` is any ending.
"""

import re
from functools import lru_cache

from docsieve.engines.local.vocabulary.canon import folded

_SECTIONS = {
    "experience": "experience experiences employment career job jobs position positions werdegang berufserfahrung"
    " berufspraxis berufstatigkeit arbeitserfahrung praxiserfahrung erfahrung laufbahn emploi emplois"
    " experiencia experiencias empleo esperienza esperienze werkervaring",
    "education": "education academic training ausbildung ausbildungen bildung bildungsweg schulbildung studium"
    " formation formations etudes educacion formacion istruzione formazione opleiding opleidingen formacao educacao",
    "skills": "skill skills competencies competences expertise abilities kenntnisse fahigkeiten kompetenzen"
    " fertigkeiten habilidades competencias aptitudes aptidoes competenze vaardigheden technologies",
    "languages": "language languages sprachen sprachkenntnisse fremdsprachen langues idiomas linguas lingue talen",
    "certifications": "certification certifications certificate certificates license licenses licences zertifikate"
    " zertifizierungen weiterbildung weiterbildungen fortbildung fortbildungen certificaciones certificazioni"
    " certificaten certificacoes courses kurse cursos",
    "awards": "award awards honors honours scholarships auszeichnungen preise distinctions premios premi",
    "projects": "project projects projekte projets proyectos progetti projecten projetos",
    "publications": "publication publications papers veroffentlichungen publikationen publicaciones pubblicazioni"
    " publicaties publicacoes",
    "references": "reference references referee referees referenz referenzen referencias referenze referenties",
    "interests": "interest interests hobbies hobbys interessen interets loisirs intereses aficiones interessi",
    "profile": "profile summary objective profil kurzprofil zusammenfassung perfil resumen resumo profilo profiel about"
    " samenvatting",
    "contact": "contact kontakt contacto contactos contatti coordonnees contatos",
    "links": "links websites social",
    "memberships": "membership memberships mitgliedschaften volunteering ehrenamt benevolat voluntariado",
    "medications": "medication medications medicines medicine drugs prescription prescriptions medikation medikamente"
    " medicaments ordonnance medicacao medicamentos medicacion terapia farmaci medicatie tratamiento",
    "diagnoses": "diagnosis diagnoses diagnose diagnosen diagnostic diagnostics diagnosticos diagnostico diagnosi"
    " impression problems",
    "allergies": "allergy allergies intolerances allergien unvertraglichkeiten allergias alergias allergie allergieen",
    "findings": "finding findings befund befunde hallazgos resultats risultati bevindingen achados exploration",
    "procedures": "procedure procedures operation operations eingriffe prozeduren actes procedimientos procedimentos",
    "history": "anamnesis anamnese history vorgeschichte antecedents antecedentes anamnesi voorgeschiedenis",
    "recommendations": "recommendation recommendations empfehlung empfehlungen procedere recommandations"
    " recomendaciones raccomandazioni aanbevelingen recomendacoes",
}
_HARMLESS = (
    "professional work working relevant key core technical additional other further my current previous background"
    " areas selected personal general known list overview of and the in at on my me for to discharge admission"
    " beruflicher berufliche beruflich und bei der die weitere besondere relevante aktuelle entlassung edv it"
    " professionnel professionnelle professionnelles profissional profissionais profesional laboral lavorativa"
    " professionale professionali academica academicas academique et e y de la del des al alta a saida sortie los"
    " technische digitale"
)
_UNKNOWN_WORD = 0.3
_MAX_WORDS = 6

_KIND_OF = {word: kind for kind, words in _SECTIONS.items() for word in words.split()}
_PLAIN = frozenset(_HARMLESS.split())
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


@lru_cache(maxsize=4096)
def section_kind(text: str) -> tuple[str, float]:
    """The kind of section that a text names, and how much of the text says so; `""` for any other text."""
    words = _WORD.findall(folded(text[:80]))
    if not 0 < len(words) <= _MAX_WORDS:
        return "", 0.0
    kinds = [_KIND_OF[word] for word in words if word in _KIND_OF]
    if not kinds:
        return "", 0.0
    unknown = sum(word not in _KIND_OF and word not in _PLAIN for word in words)
    return kinds[0], max(0.0, 1.0 - _UNKNOWN_WORD * unknown - 0.1 * (len(set(kinds)) - 1))


def whole(words: str) -> re.Pattern[str]:
    """Any of the words; `*` is any ending or beginning."""
    stems = "|".join(re.escape(word).replace(r"\*", r"\w*") for word in words.split())
    return re.compile(rf"(?<![^\W_])(?:{stems})(?![^\W_])")


ROLE = whole(
    "engineer* developer* manager* analyst* assistant* director* lead leader* head officer* consultant* specialist*"
    " coordinator* intern interns internship nurse* teacher* designer* architect* administrator* supervisor*"
    " technician* representative* accountant* scientist* researcher* associate clerk* driver* chef editor*"
    " writer* president founder* cofounder programmer* tutor* trainee* secretary lawyer* attorney* physician*"
    " professor* lecturer* cashier* operator* planner* buyer* agent advisor* adviser* executive* partner fellow"
    " instructor* mechanic* *ingenieur* *entwickler* *leiter* *sachbearbeiter* *assistent* *berater* *student*"
    " *praktikant* *mitarbeiter* *referent* *techniker* *kaufmann *kauffrau *meister *meisterin *fachkraft *lehrer*"
    " *pfleger* *arzt *arztin *verkaufer* geschaftsfuhrer* werkstudent* praktikum *monteur* *verwalter*"
    " developpeur* developpeuse* responsable* charge chargee directeur directrice technicien* comptable* gestionnaire*"
    " stagiaire* vendeur* vendeuse* conseiller* infirmier* ingenieur* redacteur* redactrice* formateur* animateur*"
    " ingenier* engenheir* desarrollador* programador* gerente* jefe jefa director* analista* tecnic* asistente*"
    " assistente* coordenador* coordinador* gestor* consultor* responsavel diretor* estagiari* becari* enfermeir*"
    " enfermer* administrativ* vendedor* comercial encargad* docente* ingegner* svilupp* impiegat* tirocinante*"
    " responsabile* medewerker* ontwikkelaar* beheerder* adviseur* manager* stagiair* verpleegkundige*"
)
SCHOOL = whole(
    "universit* university college school institute institut instituto istituto academy akademie academie academia"
    " hochschule* fachhochschule* *hochschule *schule *gymnasium gymnasium *kolleg lycee ecole faculte escuela escola"
    " colegio facultad faculdade liceo scuola politecnic* polytechnic* polytechnique hogeschool conservatoire college"
    " seminary universiteit universidad* universidade*"
)
DEGREE = re.compile(
    r"(?<![^\W_])(?:[bm]\.?\s?(?:a|sc|s|eng|ed|com|tech|phil|arch|b\.?a)\.?|mba|ph\.?\s?d\.?|dr\.|ll\.?[bm]\.?"
    r"|bachelor\w*|master\w*|doctor(?:ate|ado|at)\w*|diplom\w*|licen[cst]\w*|mestrado|mastere|grado|laurea|abitur"
    r"|matura|fachabitur|mittlere reife|baccalaureat|bac|bts|dut|cap|brevet|certificat\w*|associate|\w*ausbildung|lehre"
    r"|degree|gcses?|a-levels?|hnd|high school|pos-graduacao|posgrado|postgrad\w*|curso|titulo|doutorado|bacharel\w*"
    r"|ingenieria|staatsexamen|magister|minor|major)(?![^\W_])"
)
FREQUENCY = re.compile(
    r"(?<![^\W_])(?:(?:once|twice|three times|\d+ ?(?:x|times|mal|vez|veces|vezes|fois|volte))(?:[ /].*)?|daily|every|"
    r"at bedtime|bid|tid|qid|qd|qhs|prn|as needed|in the morning|taglich|jeden|abends|morgens|bei bedarf|"
    r"par jour|le matin|le soir|cada|al acostarse|por dia|ao dia|al dia|ao deitar|de \d+ em \d+|al giorno|per dag|"
    r"\d(?:[,./]\d)?-\d(?:[,./]\d)?-\d(?:[,./]\d)?(?:-\d)?)(?![^\W_]).*"
)
MEASURE = re.compile(
    r"(?<![\w.,])\d[\d.,]*\s?(?:mg|mcg|ug|µg|μg|g|kg|ml|l|iu|ie|ui|units?|einheiten|%|mmol|tablets?|tabl\.?|tbl\.?|drops|"
    r"tropfen|gouttes|gotas|puffs?|hub)(?:\s?/\s?(?:\d+\s?)?(?:ml|l|h|g|d|day|tag|dose))?(?![\w])",
    re.IGNORECASE,
)
CODE = re.compile(r"(?<![\w.])[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?[-+*!]?(?![\w])")
"""The form of codes of diseases."""

LANGUAGE = whole(
    "english french german spanish portuguese italian dutch chinese mandarin cantonese japanese russian arabic hindi"
    " polish turkish greek swedish danish norwegian finnish korean hebrew malay latin englisch franzosisch deutsch"
    " spanisch portugiesisch italienisch niederlandisch chinesisch japanisch russisch arabisch polnisch turkisch"
    " anglais francais allemand espagnol portugais italien neerlandais chinois russe arabe ingles frances aleman alemao"
    " espanol espanhol portugues italiano holandes chino ruso russo inglese francese tedesco spagnolo portoghese"
    " engels frans duits spaans"
)
