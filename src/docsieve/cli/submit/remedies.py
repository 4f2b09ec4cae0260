"""What to do about a document that could not be read, for the person at the command line."""

_REMEDIES = {
    "parser_crashed": "Try it once more; then save or print it as a new PDF and send that."
    " If several scans fail like this, run `docsieve doctor` on the machine that reads them.",
    "ocr_backend_unusable": "Run `docsieve doctor` on the machine that reads it.",
}


def explained(code: str | None, reason: str | None) -> str:
    """The code, the reason and, where one helps, the remedy."""
    said = f"{code}: {reason}"
    remedy = _REMEDIES.get(code or "")
    return f"{said} {remedy}" if remedy is not None else said
