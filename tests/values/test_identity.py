"""What names people, companies, accounts and places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.values.booleans import parse_boolean
from docsieve.values.contact.addresses import address_clue
from docsieve.values.contact.internet import find_emails, find_urls, parse_email, parse_url
from docsieve.values.contact.phones import find_phones, parse_phone
from docsieve.values.currencies import currency_of, find_currencies
from docsieve.values.ibans import find_ibans, parse_iban
from docsieve.values.names import company_clue, person_clue
from docsieve.values.normal import normalized
from docsieve.values.times import find_times, parse_time


def test_an_account_number_is_believed_only_with_the_right_checksum() -> None:
    assert parse_iban("DE89 3704 0044 0532 0130 00") == "DE89370400440532013000"
    assert parse_iban("IBAN: GB82 WEST 1234 5698 7654 32") == "GB82WEST12345698765432"
    assert parse_iban("DE89 3704 0044 0532 0130 01") is None
    assert parse_iban("DE89 3704 0044 0532 0130") is None


def test_an_account_number_is_found_before_other_words() -> None:
    [(start, end, iban)] = find_ibans("Konto: DE89 3704 0044 0532 0130 00 BIC COBADEFF")
    assert (start, end, iban) == (7, 34, "DE89370400440532013000")


@given(st.integers(4, 21), st.sampled_from("0123456789"))
def test_one_wrong_digit_breaks_an_account_number(place: int, digit: str) -> None:
    right = "DE89370400440532013000"
    wrong = right[:place] + digit + right[place + 1 :]
    assert (parse_iban(wrong) is not None) == (wrong == right)


def test_phones_are_told_from_dates_and_short_numbers() -> None:
    text = "Tel: 03-8061 2922 Fax (214) 652-4800 or +49 (0)89 / 123 456-78 on 28/04/2018, room 12"
    assert [number for _, _, number in find_phones(text)] == [
        "03-8061 2922",
        "(214) 652-4800",
        "+49 (0)89 / 123 456-78",
    ]
    assert parse_phone("Tel : 03-1234567") == "03-1234567"
    assert parse_phone("28.04.2018") is None
    assert parse_phone("call me") is None


def test_mail_and_web_addresses_are_found_without_surrounding_text() -> None:
    assert parse_email("Contact <jane.doe@example.co.uk>.") == "jane.doe@example.co.uk"
    assert [each for _, _, each in find_emails("a@b.de, c@d.org")] == ["a@b.de", "c@d.org"]
    assert parse_url("see https://example.org/a?b=1.") == "https://example.org/a?b=1"
    assert [each for _, _, each in find_urls("www.example.com (example.de)")] == ["www.example.com", "example.de"]


def test_an_address_of_a_mail_is_not_a_web_page() -> None:
    assert find_urls("jane@example.com") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yes", True),
        ("☒", True),
        ("[x]", True),
        ("selected", True),
        ("Ja", True),
        ("no", False),
        ("☐", False),
        ("Nein", False),
    ],
)
def test_yes_and_no_are_read_from_words_and_marks(text: str, expected: bool) -> None:
    assert parse_boolean(text) is expected


def test_other_words_are_neither_yes_nor_no() -> None:
    assert parse_boolean("maybe") is None
    assert parse_boolean("nothing to declare") is None


def test_times_are_read_in_both_halves_of_the_day() -> None:
    found = [time.isoformat("minutes") for _, _, time in find_times("8:01PM 20:07 14.30 Uhr 3.50 8h30 12:05 am")]
    assert found == ["20:01", "20:07", "14:30", "08:30", "00:05"]
    assert parse_time("25:00") is None


def test_a_legal_form_marks_a_company() -> None:
    for name in ("MR. D.I.Y. (M) SDN BHD", "Bei Spiel GmbH", "Acme, Inc.", "Société X S.A.R.L.", "Foo sp. z o.o."):
        assert company_clue(name) == 1.0, name
    assert company_clue("go as you like") == 0.0


def test_two_words_with_capitals_may_be_a_person_and_a_title_says_so() -> None:
    assert person_clue("Theodor Est") > 0.5
    assert person_clue("Dr. Anna von der Heide") == 1.0
    assert person_clue("Invoice 123") == 0.0
    assert person_clue("Bei Spiel GmbH") == 0.0


def test_a_number_before_the_area_code_in_brackets_is_not_part_of_a_phone_number() -> None:
    assert [number for _, _, number in find_phones("Store 204 (705) 745-3381")] == ["(705) 745-3381"]
    assert [number for _, _, number in find_phones("1 (705) 745-3381")] == ["1 (705) 745-3381"]


def test_a_postal_code_before_a_town_is_not_a_phone_number() -> None:
    assert find_phones("80020-300 Curitiba") == []


def test_postal_codes_of_several_countries_show_an_address() -> None:
    for text in ("80020-300 Curitiba", "4050-253 Porto", "STRATHMORE VIC 3041", "#01-13 Anchor Point"):
        assert address_clue(text) >= 0.3, text


def test_street_and_postcode_tell_an_address() -> None:
    for text in ("LOT 3, JALAN PELABUR 23/1, 40300 SHAH ALAM", "Hauptstraße 5, 80331 München", "Bellevue, WA, 98005"):
        assert address_clue(text) >= 0.5, text
    assert address_clue("Total 12.50") == 0.0
    assert address_clue("Invoice total") < 0.5


def test_currencies_are_known_by_code_symbol_and_name() -> None:
    assert [currency_of(text) for text in ("EUR", "€", "euros", "US$", "rm", "kr", "xyz")] == [
        "EUR",
        "EUR",
        "EUR",
        "USD",
        "MYR",
        None,
        None,
    ]
    assert [code for _, _, code in find_currencies("RM 5.00 or USD 1.20, 3 €")] == ["MYR", "USD", "EUR"]


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(text: str) -> None:
    for find in (find_ibans, find_phones, find_emails, find_urls, find_times):
        for start, end, _ in find(text):
            assert 0 <= start < end <= len(text)
    address_clue(text)
    company_clue(text)
    person_clue(text)


def test_long_hostile_runs_end() -> None:
    for piece in ("a.", "1-", "(", "@a.", "DE12 ", "+1 ", "www.", "A B "):
        for find in (find_ibans, find_phones, find_emails, find_urls, find_times):
            find(piece * 5_000)
        company_clue(piece * 5_000)
        address_clue(piece * 5_000)


def test_the_punctuation_of_a_legal_form_does_not_make_another_company() -> None:
    assert normalized("Kite Pharma, Inc.") == normalized("KITE PHARMA INC")
    assert normalized("Green & Partners, L.P.") == normalized("Green and Partners LP")
    assert normalized("Akin, Gump") != normalized("Akin Gump")


def test_a_state_is_the_same_place_with_and_without_the_word() -> None:
    assert normalized("State of Texas") == normalized("the State of Texas") == normalized("Texas")
    assert normalized("Republic of Texas") != normalized("Texas")
