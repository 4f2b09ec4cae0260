"""How documents of a batch become groups."""

import time
from typing import Any
from uuid import UUID

import pytest

from docsieve.domain.batches import MAX_GROUP_DOCUMENTS, GroupBy, Member
from docsieve.domain.ids import new_id
from docsieve.errors.batches import PatternInvalid
from docsieve.services.batches.grouping import group
from docsieve.services.batches.natural_order import natural_key
from docsieve.services.batches.patterns import NamePattern


def document(name: str, parent: Member | None = None, **known: Any) -> Member:
    path = name if parent is not None else None
    parent_id = parent.id if parent is not None else None
    filename = name.rpartition("/")[2]
    given = {"status": "ready", "media_type": "application/pdf", **known}
    return Member(new_id(), filename, path=path, parent_id=parent_id, **given)


def archive(name: str, parent: Member | None = None) -> Member:
    return document(name, parent, status="unpacked", media_type="application/zip")


def named(members: list[Member], by: GroupBy | None = None, **options: Any) -> dict[str, list[str]]:
    found = group(members, by or GroupBy(), **options)
    return {each.name: [member.filename for member in each.documents] for each in found}


def test_numbers_in_names_are_ordered_by_value_and_letters_without_case() -> None:
    names = ["page 10", "Page 2", "page 1", "b", "A", "page 1b", "page 01"]
    ordered = ["A", "b", "page 01", "page 1", "page 1b", "Page 2", "page 10"]
    assert sorted(names, key=natural_key) == ordered


def test_one_group_per_document_is_the_default_and_unpacked_archives_are_in_none() -> None:
    box = archive("box.zip")
    found = named([box, document("b.pdf", box), document("a/c.pdf", box), document("x.pdf")])
    assert found == {"a/c.pdf": ["c.pdf"], "b.pdf": ["b.pdf"], "x.pdf": ["x.pdf"]}


def test_a_packet_that_was_cut_is_in_no_group_but_its_parts_are() -> None:
    packet = document("pile.pdf")
    parts = [document(f"pile (pages {pages}).pdf", packet, is_part=True) for pages in ("1–2", "3")]
    assert named([packet, *parts, document("uncut.pdf", split="auto")], GroupBy(mode="all")) == {
        "all": ["pile (pages 1–2).pdf", "pile (pages 3).pdf", "uncut.pdf"]
    }


def test_documents_with_the_same_name_get_groups_with_different_names() -> None:
    found = group([document("a.pdf") for _ in range(3)], GroupBy(), taken_names=["a.pdf (2)"])
    assert [each.name for each in found] == ["a.pdf", "a.pdf (3)", "a.pdf (4)"]


def test_all_together_is_one_group_in_natural_order() -> None:
    members = [document("p10.pdf"), document("p9.pdf")]
    assert named(members, GroupBy(mode="all")) == {"all": ["p9.pdf", "p10.pdf"]}


def test_a_group_per_folder_of_the_archive_also_in_nested_archives() -> None:
    box = archive("box.zip")
    inner = archive("b/inner.zip", box)
    mail = document("a/mail.eml", box)
    members = [
        box,
        inner,
        mail,
        document("a/2.pdf", box),
        document("a/1.pdf", box),
        document("root.pdf", box),
        document("c/x.pdf", inner),
        document("attached.pdf", mail),
        document("loose.pdf"),
    ]
    assert named(members, GroupBy(mode="folder")) == {
        "a": ["1.pdf", "2.pdf", "mail.eml", "attached.pdf"],
        "b/inner.zip/c": ["x.pdf"],
        "box.zip": ["root.pdf"],
        "loose.pdf": ["loose.pdf"],
    }


def test_folders_of_two_archives_with_the_same_name_are_two_groups() -> None:
    first, second = archive("1.zip"), archive("2.zip")
    members = [first, second, document("a/x.pdf", first), document("a/x.pdf", second)]
    assert named(members, GroupBy(mode="folder")) == {"1.zip/a": ["x.pdf"], "2.zip/a": ["x.pdf"]}


def test_a_pattern_groups_by_what_its_group_matches_and_flags_names_that_do_not_match() -> None:
    members = [document(name) for name in ("INV-2_p2.pdf", "INV-2_p1.pdf", "INV-10.pdf", "readme.txt")]
    found = group(members, GroupBy(mode="pattern", pattern=r"^(?P<group>INV-\d+)"))
    assert [(each.name, len(each.documents), [p.code for p in each.problems]) for each in found] == [
        ("INV-2", 2, []),
        ("INV-10", 1, []),
        ("readme.txt", 1, ["no_match"]),
    ]


def test_a_group_per_document_class() -> None:
    members = [document("1", document_class="invoice"), document("2", document_class="receipt"), document("3")]
    assert list(named(members, GroupBy(mode="class"))) == ["invoice", "receipt", "unclassified"]


def test_explicit_groups_keep_their_order_and_leave_no_document_out() -> None:
    a, b, c = document("a"), document("b"), document("c")
    by = GroupBy.model_validate({"mode": "explicit", "groups": [{"name": "z", "documents": [c.id, a.id]}]})
    found = group([a, b, c], by)
    assert [(each.name, [m.filename for m in each.documents]) for each in found] == [("z", ["c", "a"]), ("b", ["b"])]
    assert [problem.code for problem in found[1].problems] == ["not_listed"]


def test_only_documents_that_were_not_started_are_grouped() -> None:
    a, b = document("a"), document("b")
    assert named([a, b], GroupBy(mode="all"), started={a.id}, taken_names=["all"]) == {"all (2)": ["b"]}


def test_unreadable_documents_and_groups_that_are_too_large_are_named() -> None:
    members = [document(str(n)) for n in range(MAX_GROUP_DOCUMENTS)] + [document("x", status="failed")]
    [found] = group(members, GroupBy(mode="all"))
    assert [problem.code for problem in found.problems] == ["unreadable", "too_many_documents"]


@pytest.mark.parametrize("pattern", ["(?P<group>a", r"(?P<group>a)\1", "(?=(?P<group>a))", "no group", "(?P<other>a)"])
def test_a_pattern_that_cannot_be_used_is_refused(pattern: str) -> None:
    with pytest.raises(PatternInvalid):
        NamePattern(pattern)


def test_a_pattern_that_would_backtrack_for_ages_takes_no_time() -> None:
    pattern = NamePattern("(?P<group>(a+)+)+$")
    began = time.process_time()
    for _ in range(1000):
        assert pattern.group_of("a" * 250 + "!") is None
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "given",
    [
        {"mode": "pattern"},
        {"mode": "all", "pattern": "(?P<group>x)"},
        {"mode": "explicit"},
        {"mode": "explicit", "groups": [{"documents": [str(UUID(int=1))]}, {"documents": [str(UUID(int=1))]}]},
        {"mode": "explicit", "groups": [{"documents": []}]},
    ],
)
def test_an_incomplete_or_contradictory_grouping_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        GroupBy.model_validate(given)
