"""A discharge letter of two pages: the patient and what was found, then laboratory, medication and advice."""

from samples.sheet import FAINT, HEIGHT, WIDTH, Sheet
from samples.typefaces import SANS, SANS_BOLD

_LEFT, _RIGHT = 60.0, WIDTH - 60.0
_ACCENT = "#1d4f91"

_PATIENT = (
    ("Patient name:", "Tomas Lindqvist", "Patient ID:", "HV-448120"),
    ("Date of birth:", "14 September 1961", "Sex:", "Male"),
    ("Report type:", "Discharge letter", "Age:", "64 years"),
    ("Admission date:", "2 February 2026", "Discharge date:", "9 February 2026"),
    ("Report number:", "DL-2026-0193", "Report date:", "10 February 2026"),
)
_DIAGNOSES = (
    ("J18.9", "Community-acquired pneumonia, right lower lobe"),
    ("I10", "Essential hypertension"),
    ("E11.9", "Type 2 diabetes mellitus without complications"),
)
_LABORATORY = (
    ("C-reactive protein", "148", "mg/L", "0 - 5", "H"),
    ("Leukocytes", "14.2", "10^9/L", "4.0 - 10.0", "H"),
    ("Haemoglobin", "138", "g/L", "135 - 175", ""),
    ("Creatinine", "92", "umol/L", "60 - 105", ""),
    ("HbA1c", "53", "mmol/mol", "20 - 42", "H"),
    ("Sodium", "136", "mmol/L", "135 - 145", ""),
)
_MEDICATION = (
    ("Amoxicillin", "1 g", "three times daily", "5 days"),
    ("Metformin", "500 mg", "twice daily", "continuing"),
    ("Ramipril", "5 mg", "once daily", "continuing"),
)


def _letterhead(sheet: Sheet, page: int) -> None:
    canvas = sheet.canvas
    canvas.setFillColor(_ACCENT)
    canvas.circle(_LEFT + 15, HEIGHT - 66, 15, stroke=0, fill=1)
    canvas.setFillColor("#ffffff")
    canvas.rect(_LEFT + 12.5, HEIGHT - 75, 5, 18, stroke=0, fill=1)
    canvas.rect(_LEFT + 6, HEIGHT - 68.5, 18, 5, stroke=0, fill=1)
    sheet.text(_LEFT + 42, 64, "Havsvik General Hospital", font=SANS_BOLD, size=14, ink=_ACCENT)
    sheet.text(_LEFT + 42, 79, "Department of Internal Medicine", size=9, ink=FAINT)
    sheet.text(_RIGHT, 64, "Strandallee 3, 18000 Havsvik", size=8.5, ink=FAINT, to="right")
    sheet.text(_RIGHT, 77, "Phone: +46 555 010 220", size=8.5, ink=FAINT, to="right")
    sheet.rule(_LEFT, 96, _RIGHT, ink=_ACCENT, thickness=1.1)
    sheet.text(_RIGHT, 800, f"Page {page} of 2", size=8, ink=FAINT, to="right")


def _section(sheet: Sheet, y: float, title: str) -> float:
    sheet.text(_LEFT, y, title, font=SANS_BOLD, size=11, ink=_ACCENT)
    return y + 17


def _prose(sheet: Sheet, y: float, title: str, said: str) -> float:
    return sheet.paragraph(_LEFT, _section(sheet, y, title), _RIGHT - _LEFT, said) + 13


def _patient(sheet: Sheet) -> float:
    sheet.text(_LEFT, 130, "Discharge Letter", font=SANS_BOLD, size=20)
    sheet.block(_LEFT, 148, _RIGHT - _LEFT, 94, ink="#eef3f9")
    y = 166.0
    for label, value, other_label, other_value in _PATIENT:
        sheet.text(_LEFT + 12, y, label, ink=FAINT)
        sheet.text(_LEFT + 92, y, value, font=SANS_BOLD if label.startswith("Patient") else SANS)
        sheet.text(_LEFT + 260, y, other_label, ink=FAINT)
        sheet.text(_LEFT + 344, y, other_value)
        y += 16.5
    return 272.0


def _table(sheet: Sheet, y: float, columns: tuple[tuple[str, float], ...], rows: tuple[tuple[str, ...], ...]) -> float:
    sheet.block(_LEFT, y - 13, _RIGHT - _LEFT, 19, ink="#eef3f9")
    for name, x in columns:
        sheet.text(x, y, name, font=SANS_BOLD, size=9)
    for row in rows:
        y += 20
        for cell, (_, x) in zip(row, columns, strict=True):
            sheet.text(x, y, cell, font=SANS_BOLD if cell == "H" else SANS)
        sheet.rule(_LEFT, y + 6, _RIGHT)
    return y + 32


def _first_page(sheet: Sheet) -> None:
    _letterhead(sheet, 1)
    y = _patient(sheet)
    said = [
        "Hospital: Havsvik General Hospital",
        "Referring physician: Dr. Karin Holm",
        "Allergies: sulfonamides, latex",
    ]
    y = sheet.lines(_LEFT, y, said, leading=16) + 12
    y = _prose(sheet, y, "Reason for visit", "Fever, productive cough and shortness of breath for four days.")
    y = _prose(
        sheet, y, "Medical history",
        "Hypertension since 2009, type 2 diabetes since 2017; former smoker, stopped in 2012.",
    )  # fmt: skip
    y = _prose(
        sheet, y, "Findings",
        "Consolidation of the right lower lobe without effusion; fine crackles on auscultation.",
    )  # fmt: skip
    y = _prose(
        sheet, y, "Course in hospital",
        "On admission the temperature was 39.1 °C, blood pressure 148/86 mmHg and oxygen saturation 91 percent on room "
        "air. Under antibiotic treatment the fever settled within three days. Mr Lindqvist was discharged in good "
        "general condition, without need for oxygen.",
    )  # fmt: skip
    y = _section(sheet, y, "Diagnoses")
    _table(sheet, y + 4, (("Code", _LEFT + 8), ("Diagnosis", _LEFT + 76)), _DIAGNOSES)


def _second_page(sheet: Sheet) -> None:
    _letterhead(sheet, 2)
    y = _section(sheet, 130, "Laboratory")
    columns = (("Test", _LEFT + 8), ("Value", _LEFT + 170), ("Unit", _LEFT + 240), ("Reference range", _LEFT + 318),
               ("Flag", _LEFT + 430))  # fmt: skip
    y = _table(sheet, y + 4, columns, _LABORATORY)
    y = _section(sheet, y, "Medication at discharge")
    drugs = (("Medication", _LEFT + 8), ("Dose", _LEFT + 170), ("Frequency", _LEFT + 240), ("Duration", _LEFT + 370))
    y = _table(sheet, y + 4, drugs, _MEDICATION)
    y = _prose(
        sheet, y, "Recommendations",
        "Chest radiograph in six weeks; check of HbA1c and kidney function in three months.",
    )  # fmt: skip
    sheet.canvas.setStrokeColor(_ACCENT)
    sheet.canvas.setLineWidth(1.3)
    sheet.canvas.bezier(_LEFT + 4, HEIGHT - y - 34, _LEFT + 40, HEIGHT - y + 6, _LEFT + 50, HEIGHT - y - 62,
                        _LEFT + 118, HEIGHT - y - 22)  # fmt: skip
    sheet.lines(_LEFT, y + 60, ["Attending physician: Dr. Elin Sandberg", "Havsvik, 10 February 2026"], leading=15)


def make() -> bytes:
    sheet = Sheet("Discharge letter DL-2026-0193", "Havsvik General Hospital")
    _first_page(sheet)
    sheet.new_page()
    _second_page(sheet)
    return sheet.finished()
