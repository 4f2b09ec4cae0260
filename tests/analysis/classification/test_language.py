"""Which language a text is found to be written in."""

import pytest

from docsieve.analysis.classification.language import detect_language

SENTENCES = {
    "en": "The goods remain our property until they have been paid for in full.",
    "de": "Die Ware bleibt bis zur vollständigen Bezahlung unser Eigentum.",
    "fr": "Les marchandises restent notre propriété jusqu'au paiement intégral du prix.",
    "es": "La mercancía sigue siendo de nuestra propiedad hasta su pago completo.",
    "it": "La merce rimane di nostra proprietà fino al completo pagamento del prezzo.",
    "nl": "De goederen blijven ons eigendom totdat zij volledig zijn betaald.",
    "pt": "As mercadorias continuam a ser nossa propriedade até ao pagamento integral.",
    "pl": "Towar pozostaje naszą własnością do czasu pełnej zapłaty ceny.",
    "sv": "Varorna förblir vår egendom tills de har betalats i sin helhet.",
    "tr": "Mallar bedelinin tamamı ödenene kadar bizim mülkiyetimizde kalır.",
    "ru": "Товар остаётся нашей собственностью до полной оплаты.",
    "el": "Τα εμπορεύματα παραμένουν ιδιοκτησία μας μέχρι την πλήρη εξόφληση.",
    "ar": "تبقى البضاعة ملكا لنا حتى يتم دفع ثمنها بالكامل",
    "he": "הסחורה נשארת בבעלותנו עד לתשלום המלא",
    "hi": "पूरा भुगतान होने तक माल हमारी संपत्ति बना रहता है",
    "zh": "货款付清之前，货物所有权归我方所有。",
    "ja": "代金が全額支払われるまで、商品の所有権は当社に帰属します。",
    "ko": "대금이 전액 지불될 때까지 상품의 소유권은 당사에 있습니다.",
    "th": "สินค้ายังคงเป็นทรัพย์สินของเราจนกว่าจะชำระเงินครบถ้วน",
}


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_enough(language: str) -> None:
    assert detect_language(SENTENCES[language]) == language


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "nl", "pt"])
def test_capitals_numbers_and_codes_around_it_do_not_matter(language: str) -> None:
    noise = "4711 12.50 EUR DE89370400440532013000 info@example.com https://example.com/a?b=c 01/02/2026 X-77/B\n"
    assert detect_language(noise + SENTENCES[language].upper() + "\n" + noise) == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "12,345.67 2026-01-02 €99.00",
        "A4 B7 QX-100 SKU 00017",
        "Ok",
        "info@example.com https://example.com",
        "x y z q w k j",
        "- - - / / / | | |",
    ],
)
def test_a_text_without_sentences_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_the_language_of_most_of_a_mixed_text_wins() -> None:
    mixed = (SENTENCES["fr"] + "\n") * 30 + (SENTENCES["en"] + "\n") * 3
    assert detect_language(mixed) == "fr"


def test_the_end_of_a_text_has_as_many_votes_as_its_beginning() -> None:
    assert detect_language((SENTENCES["fr"] + "\n") * 20 + (SENTENCES["en"] + "\n") * 36) == "en"


def test_a_text_of_many_languages_has_none() -> None:
    assert detect_language("\n".join(SENTENCES.values())) is None


def test_a_long_or_hostile_text_is_judged_by_samples() -> None:
    assert detect_language((SENTENCES["de"] + " ") * 50_000) == detect_language((SENTENCES["de"] + " ") * 50_000)
    assert detect_language("x" * 5_000_000) is None
    detect_language("\x00\ud800" * 10_000)
    detect_language(("(" * 1_000 + "'") * 1_000)
