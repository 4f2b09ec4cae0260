"""Schemas, prompts and the defaults of projects, managed on the database without any key."""

import json
from pathlib import Path

from docsieve.domain.ids import new_id
from docsieve.domain.schemas.ready import READY
from tests.cli.terminal import CommandLine
from tests.service import Service

SCHEMA = {"type": "object", "properties": {"total": {"type": "number"}}}


def _file(folder: Path, name: str, content: object) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_a_schema_is_added_shown_used_and_removed(docsieve: CommandLine, service: Service, tmp_path: Path) -> None:
    name = f"s{new_id().hex}"
    added = docsieve("schemas", "add", name, _file(tmp_path, "a.json", SCHEMA), "--note", "the first")
    assert added.code == 0, added.err
    assert f"{name}@1" in added.out
    second = {**SCHEMA, "x-color": "red"}
    again = docsieve("schemas", "add", name, "-", "--no-make-current", stdin=json.dumps(second))
    assert f"{name}@2" in again.out
    assert again.err == "warning: /x-color: x-color is ignored\n"
    assert docsieve("schemas", "show", name).json() == SCHEMA
    assert docsieve("schemas", "show", f"{name}@2").json() == second
    assert docsieve("schemas", "use", name, 2).code == 0
    assert service.client.get(f"/schemas/{name}").json()["version"] == 2
    versions = docsieve("schemas", "versions", name, "--json").json()
    assert [(each["version"], each["note"]) for each in versions] == [(2, None), (1, "the first")]
    assert docsieve("schemas", "remove", name).out == f"Schema {name} removed.\n"
    assert docsieve("schemas", "show", name).err == f"unknown_schema: Schema {name} not found.\n"
    assert docsieve("schemas", "show", f"{name}@1").json() == SCHEMA


def test_the_ready_made_schemas_are_listed_and_can_be_copied(docsieve: CommandLine) -> None:
    listed = {each["name"]: each["ready"] for each in docsieve("schemas", "list", "--json").json()}
    assert {name for name, ready in listed.items() if ready} == READY.keys()
    assert docsieve("schemas", "show", "invoice").json() == READY["invoice"]


def test_a_check_shows_fields_and_problems_of_a_schema(docsieve: CommandLine, tmp_path: Path) -> None:
    fields = _file(tmp_path, "f.json", [{"name": "total", "type": "money"}])
    assert "number  amount" in docsieve("schemas", "check", "--from-fields", fields).out
    wrong = _file(tmp_path, "a.json", {**SCHEMA, "required": ["tax"]})
    refused = docsieve("schemas", "add", "x", wrong)
    assert (refused.code, refused.err) == (1, "schema_invalid: /required/0: there is no property with that name\n")


def test_a_prompt_is_added_and_a_project_works_with_it(docsieve: CommandLine, service: Service, tmp_path: Path) -> None:
    prompt, project = f"p{new_id().hex}", f"j{new_id().hex}"
    assert docsieve("prompts", "add", prompt, _file(tmp_path, "p.txt", "Be exact.\n")).code == 0
    assert f"{prompt}@2" in docsieve("prompts", "add", prompt, "-", stdin="Be very exact.").out
    assert docsieve("prompts", "show", f"{prompt}@1").out == "Be exact.\n"
    assert docsieve("prompts", "use", prompt, 1).code == 0
    docsieve("projects", "create", project)
    wanted = ["--schema", "receipt", "--engine", "local", "--prompt", prompt, "--threshold", "0.7", "--budget", "20"]
    assert docsieve("projects", "set", project, *wanted).code == 0
    shown = service.client.get(f"/projects/{project}").json()
    assert (shown["schema"], shown["engine"], shown["prompt"]) == ("receipt", "local", prompt)
    assert (shown["threshold"], shown["budget_usd"], shown["model"]) == (0.7, 20, None)
    assert docsieve("prompts", "remove", prompt).err.startswith("still_in_use: ")
    assert docsieve("projects", "set", project, "--unset", "prompt", "--unset", "budget").code == 0
    assert service.client.get(f"/projects/{project}").json()["budget_usd"] is None
    assert docsieve("prompts", "remove", prompt).out == f"Prompt {prompt} removed.\n"
    assert docsieve("prompts", "versions", prompt, "--json").json()[0]["template"] == "Be very exact."
    assert "20 USD" not in docsieve("projects", "show", project).out
