"""Suggestions for documents that could not be read."""

_REMEDIES = {
    "parser_crashed": "Try again. If it still fails, save or print it as a new PDF and upload that."
    " If several scans fail like this, run `docsieve doctor` on the worker's machine.",
    "ocr_backend_unusable": "Run `docsieve doctor` on the worker's machine.",
}


def explained(code: str | None, reason: str | None) -> str:
    """The code, the reason and, if there is one, a suggestion."""
    said = f"{code}: {reason}"
    remedy = _REMEDIES.get(code or "")
    return f"{said} {remedy}" if remedy is not None else said
