"""Mail made for tests."""

from email.message import EmailMessage
from pathlib import Path


def mail(*, subject: str = "Invoice 4711", attachments: tuple[tuple[str, bytes], ...] = ()) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Jürgen Müller <jm@example.org>"
    message["To"] = "billing@example.org"
    message["Date"] = "Mon, 2 Nov 2026 10:00:00 +0100"
    message["Subject"] = subject
    message.set_content("Dear colleagues,\n\nplease pay 12.50 €.\n")
    for name, content in attachments:
        message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return message


def eml(path: Path) -> Path:
    path.write_bytes(bytes(mail(attachments=(("Rechnung für März.pdf", b"%PDF-1.4"),))))
    return path


def mbox(path: Path) -> Path:
    opening = b"From jm@example.org Mon Nov  2 10:00:00 2026\n"
    path.write_bytes(b"\n".join(opening + bytes(mail(subject=f"Mail {n}")) + b"\n" for n in range(3)))
    return path


SAMPLES = {"eml": eml, "mbox": mbox}
