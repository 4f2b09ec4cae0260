"""Fields of documents with more of them than fit into one page."""

import httpx

from docsieve.api.routes.documents.fields import _PAGE
from tests.api.extracting import VALUE, completed
from tests.api.running import Running


async def test_thousands_of_fields_are_streamed_in_order_with_what_people_did_to_them(
    api: Running, client: httpx.AsyncClient
) -> None:
    lines = [{"text": f"Line {number}", "price": number / 4} for number in range(_PAGE)]
    extraction = await completed(api, client, {**VALUE, "lines": lines})
    [document_id] = extraction["documents"]
    last = f"lines[{_PAGE - 1}].text"
    fixes = {"fields": [{"path": last, "value": "Fixed"}]}
    fixed = await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)
    assert fixed.status_code == 200, fixed.text
    for path in (f"/documents/{document_id}/fields", f"/extractions/{extraction['id']}/fields"):
        answer = await client.get(path)
        assert "content-length" not in answer.headers
        read = answer.json()
        assert read["extraction_id"] == extraction["id"] and read["schema_requested"]
        paths = [each["path"] for each in read["fields"]]
        listed = [f"lines[{number}].{leaf}" for number in range(_PAGE) for leaf in ("text", "price")]
        assert [each for each in paths if each.startswith("lines")] == listed
        by_path = {each["path"]: each for each in read["fields"]}
        assert by_path["lines[3].price"]["value"] == 0.75
        assert by_path["lines[3].price"]["correction"] is None
        assert by_path[last]["correction"]["new_value"] == "Fixed"
