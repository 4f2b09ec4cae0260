"""Generated packets, read by the real parser, and the real packet of the shared corpora."""

import json
from pathlib import Path

import pytest
from benchmarks.packet_parts.figures import figures
from benchmarks.packet_parts.gaps import read
from benchmarks.packet_parts.packets import TRAITS, packet
from benchmarks.packets import judged
from benchmarks.quality import CORPORA

from docsieve.analysis.packets.detect import WORTH_REVIEW, detect
from docsieve.analysis.packets.score import model
from docsieve.domain.packets import DetectedSplits

DIGITAL = [trait for trait in TRAITS if trait != "scan"]


def detected(content: bytes, cache: Path) -> DetectedSplits:
    pages = read(content, cache)
    looks = {page.number: seen for page, seen in pages}
    return detect((page for page, _ in pages), lambda page: looks[page.number])


def test_the_same_seed_gives_the_same_packet() -> None:
    assert packet(3, "scan", ["receipt", "certificate"]) == packet(3, "scan", ["receipt", "certificate"])
    assert packet(3, "plain").content != packet(4, "plain").content


def test_generated_packets_are_cut_where_a_person_would(tmp_path: Path) -> None:
    packets = [packet(seed, trait) for seed in (0, 2) for trait in DIGITAL]
    reached = figures(judged(((each, read(each.content, tmp_path)) for each in packets), model()))
    assert reached["precision"] >= 0.9
    assert reached["recall"] >= 0.9
    assert reached["sure_precision"] >= 0.95


def test_separator_sheets_are_left_out_and_cut_for_sure(tmp_path: Path) -> None:
    made = packet(2, "separators")
    found = detected(made.content, tmp_path)
    assert {page.page for page in found.left_out if page.reason == "separator"} == made.left_out.keys()
    sure = {cut.after_page for cut in found.cuts if cut.confidence == 0.99}
    assert sure == {page - 1 for page in made.left_out}


def test_blank_backs_of_a_pile_are_left_out(tmp_path: Path) -> None:
    made = packet(1, "duplex")
    assert {page.page for page in detected(made.content, tmp_path).left_out} == made.left_out.keys()


def test_every_document_of_the_real_packet_is_cut_or_proposed(tmp_path: Path) -> None:
    source = CORPORA / "packets" / "taxes-combined.pdf"
    if not source.is_file():
        pytest.skip("needs ../shared/corpora")
    truth = json.loads((source.parent / "ground_truth.jsonl").read_text().splitlines()[0])["fields"]["pages"]
    starts = [each["page"] for each in truth if each["part_page"] == 1 and each["page"] > 1]
    found = detected(source.read_bytes(), tmp_path)
    assert [cut.after_page + 1 for cut in found.cuts] == starts
    assert all(cut.confidence is not None and cut.confidence >= WORTH_REVIEW and cut.reasons for cut in found.cuts)
