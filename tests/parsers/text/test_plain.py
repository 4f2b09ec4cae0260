from pathlib import Path

import pytest

from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument, TooManyPages
from docsieve.parsers.flow.metrics import A4
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.text.formats import TEXT


def read(path: Path, data: bytes, max_pages: int = 100) -> list[Page]:
    path.write_bytes(data)
    reading = TEXT.read(path, ReadOptions(max_pages=max_pages))
    pages = list(reading.pages)
    assert len(pages) == reading.page_count
    return pages


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_text_is_read_in_whatever_encoding_it_came(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path / "text", "Größe: 5 m\r\n“so”\r\n".encode(encoding))[0].text == "Größe: 5 m\n“so”"


OLD = {
    "Sehr geehrte Damen und Herren, bitte überweisen Sie den fälligen Betrag. Grüße aus Köln, Straße 5": [
        "cp1252",
        "cp850",
    ],
    "Nous vous prions d'agréer nos salutations distinguées. Été, où, à la fenêtre, ça, Noël": ["latin-1", "mac_roman"],
    "El niño está en España. ¿Qué tal? ¡Adiós! Año, teléfono, dirección": ["cp1252"],
    "Proszę przesłać fakturę na kwotę 100 zł. Dziękuję, Łódź, żółć": ["cp1250", "iso8859_2"],
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Děkuji za fakturu": ["cp1250", "iso8859_2"],
    "Türkiye'de işçi sınıfı ağır şartlarda çalışıyor. İstanbul": ["cp1254"],
    "Уважаемые коллеги, направляем вам счёт на оплату. Итого: 1500 рублей": ["cp1251", "koi8_r", "cp866", "iso8859_5"],
    "Αγαπητοί συνεργάτες, σας αποστέλλουμε το τιμολόγιο. Ευχαριστώ πολύ": ["cp1253", "iso8859_7"],
    "שלום רב, מצורפת חשבונית עבור השירותים שלכם. תודה רבה": ["cp1255", "iso8859_8"],
    "السلام عليكم ورحمة الله وبركاته، نرسل لكم الفاتورة. شكرا جزيلا": ["cp1256"],
    "拝啓、貴社ますますご清栄のこととお慶び申し上げます。請求書をお送りいたします。": ["cp932", "euc_jp", "iso2022_jp"],
    "尊敬的客户，您好！请查收本月的发票，总金额为五千元。谢谢。": ["gb18030"],
    "親愛的客戶您好，請查收本月份的發票，總金額為五千元。謝謝您。": ["big5"],
    "안녕하세요. 이번 달 청구서를 보내드립니다. 감사합니다.": ["euc_kr"],
    "Plain words, wide letters: 12": ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"],
}


@pytest.mark.parametrize(("text", "encoding"), [(text, name) for text, names in OLD.items() for name in names])
def test_legacy_encodings_are_detected_from_the_language(tmp_path: Path, text: str, encoding: str) -> None:
    data = (text + "\n").encode(encoding)

    assert TEXT.sniff(data) == "text/plain"
    assert " ".join(read(tmp_path / "text", data)[0].text.split()) == text


def test_one_strange_letter_after_megabytes_of_plain_ones_is_found(tmp_path: Path) -> None:
    data = b"plain words " * 50_000 + "größer, schöner".encode("cp1252")

    assert read(tmp_path / "text", data, max_pages=5000)[-1].text.endswith("größer, schöner")


def test_blank_lines_part_paragraphs(tmp_path: Path) -> None:
    [page] = read(tmp_path / "text", b"one\ntwo\n\n\nthree\n")

    assert [(line.text, line.block) for line in page.lines] == [("one", 0), ("two", 0), ("three", 1)]


def test_a_byte_that_the_encoding_does_not_know_costs_that_character_only(tmp_path: Path) -> None:
    assert read(tmp_path / "text", b"un caf\xe9 \x81 press\xe9 b")[0].text == "un café \ufffd pressé b"


def test_text_that_contradicts_its_own_mark_is_corrupt(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument):
        read(tmp_path / "text", b"\xef\xbb\xbf\xff\xff")


def test_a_page_holds_sixty_lines_and_a_form_feed_begins_another(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(A4.rows + 1)]

    pages = read(tmp_path / "text", ("\n".join(lines) + "\flast").encode())

    assert [len(page.lines) for page in pages] == [A4.rows, 1, 1]
    assert pages[2].text == "last"


def test_a_long_line_is_wrapped_between_words(tmp_path: Path) -> None:
    [page] = read(tmp_path / "text", b"twelve chars " * 20)

    assert all(len(line.text) <= A4.columns for line in page.lines)
    assert page.text.replace("\n", " ") == ("twelve chars " * 20).strip()


def test_a_word_longer_than_a_line_is_cut(tmp_path: Path) -> None:
    [page] = read(tmp_path / "text", b"x" * 250)

    assert [len(line.text) for line in page.lines] == [100, 100, 50]


def test_an_empty_text_is_one_empty_page(tmp_path: Path) -> None:
    assert [page.lines for page in read(tmp_path / "text", b"\n")] == [[]]


def test_more_pages_than_allowed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TooManyPages):
        read(tmp_path / "text", b"\f\f\f", max_pages=3)


def test_invisible_characters_are_left_out(tmp_path: Path) -> None:
    assert read(tmp_path / "text", b"a\x00b \x07 c\x1bd")[0].text == "ab cd"
