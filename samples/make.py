"""Makes the sample documents: `python -m samples.make`. The same bytes every time."""

from pathlib import Path

from samples import contract, invoice, medical_report, receipt

FOLDER = Path(__file__).parent / "documents"

MADE = {
    "invoice-NL-2026-0417.pdf": invoice.make,
    "receipt-harbour-market.jpg": receipt.make,
    "discharge-letter.pdf": medical_report.make,
    "service-agreement.pdf": contract.make,
}

if __name__ == "__main__":
    for filename, make in MADE.items():
        (FOLDER / filename).write_bytes(make())
