"""Lists of parties, from the text that introduces them, and of those who signed for them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from docsieve.domain.extraction import Found
from docsieve.domain.schemas.fields import path_text
from docsieve.engines.local.lists.groups import Group, groups_of
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.prose.addresses import address_in
from docsieve.engines.local.prose.fields import Prose
from docsieve.engines.local.prose.names import Party
from docsieve.engines.local.prose.signatures import Part, Signed, signed_for
from docsieve.engines.local.prose.topics import PARTIES
from docsieve.engines.local.vocabulary.targets import Target

_SCORE = 0.85
_ALONE = 0.6
_MAX_PARTIES = 8
_OF_PARTY = frozenset(("party", "company", "organization", "behalf", "entity"))
_OF_TITLE = frozenset(("title", "position", "capacity", "role", "function"))
_SIGNATURES = re.compile(r"sign(?:ature|ator|er)|unterschrift|firma|assinatura|handtekening", re.I)
_ADDRESS_WITHIN = 260
_ROLES = frozenset(("role", "type", "capacity", "term", "designation", "defined"))


def party_lists(targets: Sequence[Target], prose: Prose) -> Mapping[str, Mapping[str, Found]]:
    """For each list of parties in the schema, by its path, the values of its items."""
    lists: dict[str, dict[str, Found]] = {}
    for group in groups_of(targets):
        field = group.columns[0].target.field
        if not group.scalars and _SIGNATURES.search(" ".join((field.group or ("",))[-1:] + field.list_labels)):
            lists[path_text(field.group or ())] = _signatures(group, prose)
        asked = " ".join((*(field.group or ()), field.description if group.scalars else "")).replace("_", " ")
        if PARTIES.search(asked) and prose.parties:
            lists[path_text(field.group or ())] = _values(group, prose)
    return {path: values for path, values in lists.items() if values}


def _values(group: Group, prose: Prose) -> dict[str, Found]:
    found: dict[str, Found] = {}
    parties = prose.parties[:_MAX_PARTIES]
    score = _SCORE if 1 < len(parties) < 4 else _ALONE
    for number, party in enumerate(parties):
        if party.address is None:
            others = [each.name.start for each in parties if each.name.start > party.name.end]
            end = min((party.name.end + _ADDRESS_WITHIN, *others))
            party = replace(party, address=address_in(prose.running, party.name.end, end))
        for column in group.columns:
            place = party.name.start, party.name.end
            if not group.scalars:
                wanted = _place(column.target, party)
                if wanted is None:
                    continue
                place = wanted
            text = prose.running.text[slice(*place)].strip(" ,;")
            path = path_text(column.target.field.path).replace("[]", f"[{number}]", 1)
            why = f"party named on page {prose.running.page_of(place[0])}"
            found[path] = Found(text, score, prose.running.spots(*place), why)
    return found


def _place(target: Target, party: Party) -> tuple[int, int] | None:
    if target.type == "address" or "address" in target.words:
        return party.address
    if _ROLES & set(target.words):
        return party.roles[0][1:] if party.roles else None
    return (party.name.start, party.name.end) if "name" in target.words or "party" in target.words else None


def _signatures(group: Group, prose: Prose) -> dict[str, Found]:
    """Who signed, with what they are and whom they signed for, under the name of each party."""
    found: dict[str, Found] = {}
    for number, signed in enumerate(signed_for(prose.view, {party.name.text for party in prose.parties})):
        for column in group.columns:
            part = _part(column.target, signed)
            if part is not None:
                path = path_text(column.target.field.path).replace("[]", f"[{number}]", 1)
                why = f"signed for '{signed.party.text[:40]}'"
                found[path] = Found(part.text, _SCORE, [spot(part.tokens, part.piece)], why)
    return found


def _part(target: Target, signed: Signed) -> Part | None:
    if target.type == "date":
        return None
    if _OF_PARTY & set(target.words):
        return signed.party
    if _OF_TITLE & set(target.words):
        return signed.title
    return signed.name if "name" in target.words or target.type == "person" else None
