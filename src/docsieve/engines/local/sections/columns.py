"""Which part of an entry a field of a list asks for."""

import re
from collections.abc import Sequence

from docsieve.engines.local.sections.kinds import whole
from docsieve.engines.local.vocabulary.canon import folded
from docsieve.engines.local.vocabulary.targets import Target

_WORDS = {
    "current": "current* ongoing present",
    "start": "start* begin* since from von beginn debut inicio inizio desde",
    "end": "end ends ended enddate until to thru bis ende fin fim fine graduat* completed date year datum jahr annee",
    "period": "period dates duration zeitraum years when periode periodo time",
    "details": "description details responsibilit* achievement* task* duties highlights summary beschreibung bullets",
    "degree": "degree qualification* diploma abschluss diplome titulo grado",
    "school": "institut* school university college hochschule universidad escuela universite ecole",
    "organization": "company employer organisation organization firm firma arbeitgeber unternehmen entreprise empresa"
    " issuer publisher",
    "role": "title position role job jobtitle function occupation poste puesto cargo funktion rolle",
    "place": "location place city where country ort lieu lugar luogo ville ciudad cidade",
    "language": "language sprache langue idioma lingua taal",
    "level": "level proficiency fluency niveau nivel livello",
    "grade": "grade gpa mark note average score",
    "subject": "field major subject speciali* discipline fachrichtung studiengang area",
    "measure": "dose dosage strength amount quantity dosis dosierung dosagem posologie",
    "frequency": "frequency schedule often einnahme haufigkeit frequence frecuencia frequencia directions instructions",
    "code": "code icd* kode codigo",
    "reason": "reason indication reaction severity",
}
_PATTERNS = {part: whole(words) for part, words in _WORDS.items()}
_NOT_DESCRIBED = frozenset(("current", "start", "end", "period", "details"))
"""Parts that a description mentions too often to mean them."""

_NAMING = frozenset(("", "role", "organization", "school", "degree", "language"))
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\-\s]+")
_DESCRIBED_WORDS = 8


def parts_of(targets: Sequence[Target]) -> list[str]:
    """For each field the part that it asks for; `""` for a text known only by its place in the entry."""
    parts = [_part(target) for target in targets]
    if "details" in parts and not _NAMING & set(parts):
        parts[parts.index("details")] = ""  # the description is what the entry is about
    return parts


def _part(target: Target) -> str:
    words = [folded(word) for word in _WORD.split(target.field.name) if word]
    if target.field.kind == "boolean":
        return "current" if any(_PATTERNS["current"].fullmatch(word) for word in words) else "flag"
    described = [word.strip(",.;()") for word in folded(target.field.description).split()[:_DESCRIBED_WORDS]]
    named = ((part, word) for word in words for part in _WORDS if part != "current")
    said = ((part, word) for word in described for part in _WORDS if part not in _NOT_DESCRIBED)
    return next((part for part, word in (*named, *said) if _PATTERNS[part].fullmatch(word)), "")
