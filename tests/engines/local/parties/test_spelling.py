import pytest

from docsieve.engines.local.parties.spelling import corrected


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        ("Leve1 2, 27, High Street", "Level 2, 27, High Street"),
        ("0cean View", "Ocean View"),
        ("NO 29O, LONG LANE, 4330O TOWN", "NO 290, LONG LANE, 43300 TOWN"),
        ("K. B.Lane (North) Ltd", "K.B. Lane (North) Ltd"),
        ("J.1.K. ( South}SDN BHD", "J.I.K. (South) SDN BHD"),
        ("OAK TRADE SON BHD", "OAK TRADE SDN BHD"),
        ("OAK TRADE SDN DHD", "OAK TRADE SDN BHD"),
        ("12 LONG LANE, OLD TOWN. 43300 UPLAND.", "12 LONG LANE, OLD TOWN, 43300 UPLAND."),
        ("Old Town,'Upland", "Old Town, Upland"),
    ],
)
def test_letters_that_ocr_misread_are_corrected_where_the_text_shows_the_printed_form(read: str, printed: str) -> None:
    assert corrected(read) == printed


@pytest.mark.parametrize(
    "printed",
    [
        "Unit B1-02, U13/X",
        "12b Church Rd",
        "St. Mary's Road 5",
        "12 Sunset Blvd. 90210 Hills",
        "Karlstr. 10115 Berlin",
        "SW1A 1AA London",
        "Route 66",
        "Karl's & Eve's Inn",
        "29B",
    ],
)
def test_codes_house_numbers_and_apostrophes_stay_as_they_are(printed: str) -> None:
    assert corrected(printed) == printed
