"""Kinds of document, managed on the database without any key."""

from docsieve.domain.ids import new_id
from tests.cli.terminal import CommandLine
from tests.service import Service


def test_a_class_is_added_listed_and_removed(docsieve: CommandLine, service: Service) -> None:
    name = f"c{new_id().hex}"
    added = docsieve("classes", "add", name, "goods that came with a delivery")
    assert added.code == 0
    assert name in added.out
    (listed,) = (each for each in docsieve("classes", "list", "--json").json() if each["name"] == name)
    assert (listed["description"], listed["built_in"]) == ("goods that came with a delivery", False)
    assert name in {each["name"] for each in service.client.get("/classes", params={"limit": 200}).json()["classes"]}
    assert docsieve("classes", "add", name, "x").err == f"name_taken: A class named {name} already exists.\n"
    assert docsieve("classes", "remove", name).out == f"Class {name} removed.\n"
    assert docsieve("classes", "remove", name).err == "not_found: Class not found.\n"


def test_the_built_in_classes_are_shown_and_stay(docsieve: CommandLine) -> None:
    shown = docsieve("classes", "list").out
    assert "invoice" in shown
    assert "built-in" in shown
    assert (
        docsieve("classes", "remove", "invoice").err
        == "not_found: invoice is a built-in class and cannot be removed.\n"
    )


def test_what_cannot_be_a_class_is_refused(docsieve: CommandLine) -> None:
    refused = docsieve("classes", "add", "Not A Name", "x")
    assert refused.code == 1
    assert refused.err.startswith("invalid_request: name: ")
