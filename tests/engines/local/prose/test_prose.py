"""What the local engine finds in sentences, and where."""

from dataclasses import replace

import pytest

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import offer
from tests.engines.local.drawing import material, written
from tests.engines.local.test_fields import found, values

DATE: Schema = {"type": "string", "format": "date"}
MONEY: Schema = {"type": "number"}
PARTIES: Schema = {"type": "array", "items": {"type": "string"}, "description": "Parties of the agreement"}

AGREEMENT = written(
    """
MUTUAL NON-DISCLOSURE AGREEMENT
This Agreement is entered into as of the third day of May, 2024 (the “Effective Date”)
by and between Maple Research, Inc., a Delaware corporation (“Discloser”), and Oak &
Sons, L.P., having its office at 12 Elm Road, Boston, MA 02110 (“Recipient”).
1. Background.
The parties met on January 9, 2023 and expect to share records that are not public.
2. Term.
This Agreement shall remain in effect for a period of two (2) years and may be ended
on 30 days notice to the other party at its address given above.
3. Governing Law.
This Agreement shall be governed by and construed under the laws of the State of New
York, without regard to its rules on conflicts of laws.
"""
)
LEASE = written(
    """
The lease runs for one year, beginning on July 1, 2026 and ending on June 30, 2027, at
a rent of $1,850.00 per month, payable in advance on the first day of each month.
The tenant pays a deposit of $2,775.00 as security, and a late charge of $75.00 where
the rent is not received by the fifth day of the month in which it falls due.
"""
)


def test_the_facts_of_an_agreement_are_found_in_its_sentences() -> None:
    read = values(
        AGREEMENT,
        effective_date={**DATE, "description": "Date on which the agreement takes effect"},
        governing_law="State or country whose law governs the agreement",
        term="How long the agreement is in force",
        notice_period="Notice needed to end the agreement",
    )
    assert read == {
        "effective_date": "2024-05-03",
        "governing_law": "New York",
        "term": "2 years",
        "notice_period": "30 days",
    }


def test_the_parties_of_an_agreement_are_a_list_in_the_order_of_the_text() -> None:
    read = values(AGREEMENT, parties=PARTIES)
    assert read == {"parties[0]": "Maple Research, Inc.", "parties[1]": "Oak & Sons, L.P."}


def test_companies_in_the_first_sentence_are_parties_however_it_is_worded() -> None:
    page = written(
        "Die Firma Ahorn Logistik GmbH & Co. KG mit Sitz in Am Markt 9, 80331 München und die Firma\n"
        "Eiche Verlag AG mit Sitz in Dresden schließen am 4. Juli 2024 die nachstehende Vereinbarung."
    )
    assert list(values(page, parties=PARTIES).values()) == ["Ahorn Logistik GmbH & Co. KG", "Eiche Verlag AG"]


def test_parties_have_their_roles_and_addresses() -> None:
    item = {name: {"type": "string"} for name in ("name", "role", "address")}
    read = values(AGREEMENT, parties={"type": "array", "items": {"type": "object", "properties": item}})
    assert read["parties[1].name"] == "Oak & Sons, L.P."
    assert read["parties[1].role"] == "Recipient"
    assert read["parties[1].address"] == "12 Elm Road, Boston, MA 02110"


def test_a_party_is_found_by_its_role() -> None:
    assert values(AGREEMENT, recipient="who receives the information") == {"recipient": "Oak & Sons, L.P."}


def test_a_name_across_two_lines_has_a_place_on_each() -> None:
    spots = found(AGREEMENT, parties=PARTIES)["parties[1]"].spots
    assert [spot.text for spot in spots] == ["Oak &", "Sons, L.P.,"]


def test_amounts_and_dates_belong_to_the_words_around_them() -> None:
    read = values(
        LEASE,
        security_deposit=MONEY,
        rent={**MONEY, "description": "Rent per month"},
        late_charge=MONEY,
        start_date=DATE,
        end_date=DATE,
    )
    assert read == {
        "security_deposit": 2775.0,
        "rent": 1850.0,
        "late_charge": 75.0,
        "start_date": "2026-07-01",
        "end_date": "2027-06-30",
    }


def test_a_sentence_about_an_amount_without_tax_is_not_about_the_tax() -> None:
    page = written("The customer pays a sum excluding tax 7,000.00 EUR at the end of this month.")
    offered = offer(
        material(page), {"type": "object", "properties": {"tax_total": {**MONEY, "x-labels": ["Tax"]}}}
    ).single
    assert not [each.why for _, found in offered for each in found if each.why.endswith("about 'tax' on page 1")]


def test_an_amount_per_month_is_found_by_what_follows_it() -> None:
    page = written("For the services, $8,100.00 per month shall be paid, and $75.00 for every hour beyond them.")
    assert values(page, fee={**MONEY, "description": "what the client pays per month"}) == {"fee": 8100.0}


def test_a_duration_is_converted_to_the_unit_that_a_number_asks_for() -> None:
    page = written("This agreement shall remain in effect for a period of two (2) years from its date.")
    assert values(page, term_months={"type": "integer", "description": "Term in months"}) == {"term_months": 24}


@pytest.mark.parametrize(
    ("text", "law", "term"),
    [
        (
            "Diese Vereinbarung hat eine Laufzeit von zwei Jahren ab ihrer Unterzeichnung.\n"
            "Sie unterliegt dem Recht der Republik Österreich unter Ausschluss des Kaufrechts.",
            "Republik Österreich",
            "2 Jahren",
        ),
        (
            "Le présent contrat est conclu pour une durée de douze (12) mois à compter de ce jour.\n"
            "Il est régi par les lois de la République française et par ses usages.",
            "République française",
            "12 mois",
        ),
        (
            "El presente acuerdo tendrá una duración de tres (3) años desde su firma por todos.\n"
            "El acuerdo se regirá por las leyes de la República Argentina y sus normas.",
            "República Argentina",
            "3 años",
        ),
    ],
)
def test_law_and_term_are_found_in_other_languages(text: str, law: str, term: str) -> None:
    assert values(written(text), governing_law="Applicable law", term="Duration") == {
        "governing_law": law,
        "term": term,
    }


def test_the_law_under_which_a_company_exists_does_not_govern_the_agreement() -> None:
    page = written(
        "This is an agreement of Oak Inc., a company organized under the laws of Georgia, to be\n"
        "interpreted by the parties in good faith and without any regard to past dealings."
    )
    assert values(page, governing_law="Applicable law") == {}


def test_the_date_of_a_letter_is_the_date_of_its_agreement() -> None:
    page = written(
        "Oak Research, LLC\n12 Elm Road\n\nMarch 4, 2021\n\nDear Sir:\n\n"
        "We write to you about the exchange of records that are not public."
    )
    assert values(page, effective_date={**DATE, "description": "When the agreement takes effect"}) == {
        "effective_date": "2021-03-04"
    }


def test_a_sentence_continues_on_the_next_page_after_the_page_number() -> None:
    first = written("The agreement of the parties shall remain in effect for a period of two\n3", number=1)
    second = written("years from the date on which the last of them has signed this document.", number=2)
    pages: list[Page] = [first, second]
    assert values(pages, term="How long the agreement lasts") == {"term": "2 years"}


def test_a_label_before_an_equals_sign_is_a_label() -> None:
    page = written("REGISTRANT NAME=OFFICE OF TIBET\nDATE STAMPED=1991-01-01\nREGISTRATION DATE=1964-03-14")
    read = values(page, registrant_name="Name of the registrant", file_date=DATE)
    assert read == {"registrant_name": "OFFICE OF TIBET", "file_date": "1991-01-01"}


def parties_in(text: str) -> list[object]:
    return list(values(written(text), parties=PARTIES).values())


def test_parties_after_commas_are_found_and_places_and_laws_are_not_parties() -> None:
    read = parties_in(
        """
This Agreement is entered into this 1st day of May, 2029, by and among Orion Chips Ltd.,
a company organized under the laws of the Cayman Islands (“Orion”), The Rim Group, Inc.,
a company under the laws of Hong Kong (“Rim”), and Tess Kerr, of 12 Elm Road, Boston, MA
02110 (“Kerr”). The Securities Exchange Act of 1934 (the “Act”) applies to what they hold.
"""
    )
    assert read == ["Orion Chips Ltd.", "The Rim Group, Inc.", "Tess Kerr"]


def test_a_title_over_the_first_sentence_is_not_part_of_a_name() -> None:
    read = parties_in(
        """
SERVICE AGREEMENT
Maple Research, Inc., a company with offices at 12 Elm Road (the “Customer”), hereby
engages Oak Bridge LLC, with offices at 43 Lime Avenue (the “Contractor”), as follows.
"""
    )
    assert read == ["Maple Research, Inc.", "Oak Bridge LLC"]


@pytest.mark.parametrize(
    "text",
    [
        "Discloser:     Maple Research, Inc.\nRecipient:     Oak Bridge LLC",
        "Discloser                      Recipient\nMaple Research, Inc.           Oak Bridge LLC",
        "Parties\nMaple Research, Inc.\nOak Bridge LLC",
        "Parties:\n(1) Maple Research, Inc., of 12 Elm Road, Boston\n(2) Oak Bridge LLC, of 43 Lime Avenue, Boston",
    ],
)
def test_parties_are_found_at_labels_and_in_lists(text: str) -> None:
    assert parties_in(text) == ["Maple Research, Inc.", "Oak Bridge LLC"]


def test_parties_that_only_sign_are_found_above_their_signatures() -> None:
    read = parties_in(
        """
The undersigned agree to keep what they learn about the business of each other secret.

MAPLE RESEARCH, INC.                    OAK BRIDGE LLC
By: /s/ Ruth Calloway                   By: /s/ Tess Kerr
Title: President                        Title: Manager
"""
    )
    assert read == ["MAPLE RESEARCH, INC.", "OAK BRIDGE LLC"]


def test_an_anniversary_is_a_term_and_the_notice_of_termination_is_not() -> None:
    page = written(
        """
Unless ended earlier on 30 days' written notice, this Agreement shall remain in effect
until the second (2nd) anniversary of the date hereof and shall then expire.
"""
    )
    assert values(page, term="How long the agreement is in force") == {"term": "2 years"}


def test_short_sentences_count_where_they_follow_another_or_a_heading() -> None:
    page = written(
        """
Oak Bridge LLC hereby engages Maple Research, Inc. as its consultant. It starts on May 3, 2029.
2. Choice of law
The law of Ohio applies.
"""
    )
    read = values(page, start_date={**DATE, "description": "Start of the agreement"}, governing_law="Governing law")
    assert read == {"start_date": "2029-05-03", "governing_law": "Ohio"}


def test_an_agreement_without_a_date_in_its_text_has_the_one_at_its_head_or_of_its_signatures() -> None:
    body = "We agree to hold what we learn about each other in confidence and to use it for no other end."
    head = found(written(f"UNDERTAKING\nDate: 15 December 2030\n{body}"), effective_date=DATE)["effective_date"]
    signed = found(
        written(
            f"UNDERTAKING\n{body}\n\n/s/ Ruth Calloway                  /s/ Tess Kerr\n"
            "Dated: May 14, 2029                Dated: May 14, 2029"
        ),
        effective_date=DATE,
    )["effective_date"]
    assert (head.value, signed.value) == ("2030-12-15", "2029-05-14")


def test_on_letter_paper_the_month_of_a_date_comes_first() -> None:
    text = written("The term of this lease begins on 2/3/2029 and ends when a party gives notice to the other one.")
    letter = replace(text, width=612.0, height=792.0)
    assert values(text, start_date=DATE) == {"start_date": "2029-03-02"}
    assert values(letter, start_date=DATE) == {"start_date": "2029-02-03"}


def test_a_time_without_competition_is_a_doubtful_term() -> None:
    page = written(
        """
For a period of one (1) year from the date hereof, neither party shall solicit for employment any
officer of the other, or acquire any of its securities without consent.
"""
    )
    term = found(page, term="How long the agreement is in force").get("term")
    assert term is None or term.value is None or (term.score or 0.0) < 0.6
    both = written(
        """
For a period of one (1) year from the date hereof, neither party shall solicit for employment any
officer of the other. The duties of the parties shall continue for a period of three years.
"""
    )
    assert values(both, term="How long the agreement is in force") == {"term": "3 years"}
