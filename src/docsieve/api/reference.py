"""The API reference at /docs: the OpenAPI document as an HTML page without scripts.

The usual reference pages load scripts from a CDN, but next to a dashboard session only our own scripts may run.
"""

import base64
import hashlib
import json
import re
from html import escape
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid #8886; text-transform: capitalize; }
details { border: 1px solid #8884; border-radius: 6px; margin: .4rem 0; padding: .35rem .7rem; }
summary { cursor: pointer; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; background: #8881; border-radius: 6px; padding: .6rem; }
table { border-collapse: collapse; } td, th { text-align: left; padding: .15rem .9rem .15rem 0; vertical-align: top; }
b { display: inline-block; min-width: 5rem; }
summary small { display: block; opacity: .75; padding-left: 1rem; }
"""
_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_DIGEST}'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
}
_SHAPE = re.compile(r"&quot;#/components/schemas/(\w+)&quot;")
_LINK = r'<a href="#\1">\1</a>'


def install(app: FastAPI) -> None:
    @app.get("/docs", include_in_schema=False, response_class=HTMLResponse)
    async def docs() -> HTMLResponse:
        return HTMLResponse(page(app.openapi(), str(app.openapi_url)), headers=_HEADERS)


def page(described: dict[str, Any], source: str) -> str:
    """The HTML page. `source` is the URL of the OpenAPI document."""
    by_tag: dict[str, list[str]] = {}
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    sections = "".join(f"<h2>{escape(tag)}</h2>{''.join(each)}" for tag, each in by_tag.items())
    shapes = "".join(
        f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary>{_json(shape)}</details>'
        for name, shape in sorted(described["components"]["schemas"].items())
    )
    title = f"{escape(described['info']['title'])} {escape(described['info']['version'])}"
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}: API</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head><body>'
        f"<h1>{title}</h1><p>{escape(described['info'].get('summary', ''))}</p>"
        "<p>Send an API key as <code>Authorization: Bearer …</code> or <code>X-API-Key</code>. Errors are problem"
        ' documents (RFC 9457) with a stable <code>code</code>. For client generators: <a href="'
        f'{escape(source)}">openapi.json</a>.</p>{sections}<h2>Schemas</h2>{shapes}</body></html>'
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    description = operation.get("description", "")
    parts = [f"<p>{escape(description)}</p>" if description else ""]
    if operation.get("parameters"):
        parts.append(f"<table>{''.join(map(_parameter, operation['parameters']))}</table>")
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        parts.append(f"<p>Body: <code>{escape(media_type)}</code></p>{_json(content.get('schema', {}))}")
    parts.append(f"<table>{''.join(_answer(*each) for each in operation['responses'].items())}</table>")
    first_sentence = escape(description.partition(". ")[0])
    title = f"<b>{escape(method.upper())}</b><code>{escape(path)}</code><small>{first_sentence}</small>"
    return f'<details id="{escape(operation["operationId"])}"><summary>{title}</summary>{"".join(parts)}</details>'


def _parameter(parameter: dict[str, Any]) -> str:
    needed = ", required" if parameter.get("required") else ""
    about = parameter.get("description") or parameter.get("schema", {}).get("description", "")
    cells = (f"<code>{escape(parameter['name'])}</code>", f"{escape(parameter['in'])}{needed}", escape(about))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _answer(status: str, answer: dict[str, Any]) -> str:
    shapes = [
        f"{escape(media_type)}{_json(content['schema'])}"
        for media_type, content in answer.get("content", {}).items()
        if status.startswith("2") and content.get("schema")
    ]
    return f"<tr><td><code>{escape(status)}</code></td><td>{escape(answer['description'])} {''.join(shapes)}</td></tr>"


def _json(shape: dict[str, Any]) -> str:
    """Formatted JSON in which the names of schemas are links."""
    text = escape(json.dumps(shape, indent=2, ensure_ascii=False))
    return f"<pre>{_SHAPE.sub(_LINK, text)}</pre>"
