from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import FormField, Page
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions


def read(path: Path) -> Page:
    [page] = PDF.read(path, ReadOptions()).pages
    return page


def form(path: Path) -> Path:
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.drawString(72, 750, "Application")
    fields = canvas.acroForm
    fields.textfield(name="person.name", value="Grace Hopper", x=100, y=700, width=200, height=20)
    fields.textfield(name="person.nickname", x=100, y=670, width=200, height=20)
    fields.checkbox(name="member", checked=True, x=100, y=640)
    fields.checkbox(name="newsletter", checked=False, x=100, y=610)
    fields.radio(name="payment", value="card", selected=False, x=100, y=580)
    fields.radio(name="payment", value="cash", selected=True, x=150, y=580)
    fields.choice(name="country", value="Norway", options=["Sweden", "Norway"], x=100, y=540, width=100, height=20)
    canvas.save()
    return path


def test_form_fields_have_full_names_kinds_and_values(tmp_path: Path) -> None:
    page = read(form(tmp_path / "form.pdf"))

    assert {(field.name, field.kind, field.value) for field in page.form_fields} == {
        ("person.name", "text", "Grace Hopper"),
        ("person.nickname", "text", None),
        ("member", "checkbox", True),
        ("newsletter", "checkbox", False),
        ("payment", "radio", "cash"),
        ("country", "choice", "Norway"),
    }


def test_a_field_has_its_box_and_its_value_is_in_the_text(tmp_path: Path) -> None:
    page = read(form(tmp_path / "form.pdf"))

    name = next(field for field in page.form_fields if field.name == "person.name")
    value = next(line for line in page.lines if "Grace" in line.text)
    assert _around(name, value.box)
    assert 842 - 720 - 2 <= name.box[1] <= 842 - 720 + 2


def _around(field: FormField, box: tuple[float, float, float, float]) -> bool:
    return field.box[0] <= box[0] and field.box[1] <= box[1] and field.box[2] >= box[2] and field.box[3] >= box[3]


def test_comments_marks_and_links_become_notes(tmp_path: Path) -> None:
    path = tmp_path / "notes.pdf"
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.drawString(72, 700, "Please see our terms for everything else")
    canvas.textAnnotation("Is this still right?", (400, 690, 420, 710))
    width = canvas.stringWidth("Please see our terms", "Helvetica", 12)
    quad = [72, 712, 72 + width, 712, 72, 697, 72 + width, 697]
    canvas.highlightAnnotation("", (72, 697, 72 + width, 712), quad)
    canvas.linkURL("https://example.org/terms", (72, 697, 72 + width, 712))
    canvas.save()

    notes = {note.kind: note for note in read(path).notes}

    assert notes["comment"].text == "Is this still right?"
    assert notes["highlight"].text == "Please see our terms"
    assert notes["link"].target == "https://example.org/terms"
    assert notes["link"].text == "Please see our terms"
    assert notes["comment"].target is None


def test_boxes_of_fields_are_turned_with_their_page(tmp_path: Path) -> None:
    path = tmp_path / "sideways.pdf"
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.acroForm.checkbox(name="here", checked=True, x=100, y=200, size=20)
    canvas.translate(300, 100)
    canvas.rotate(90)
    for row in range(4):
        canvas.drawString(0, -20 * row, "This whole page of text runs up the paper")
    canvas.save()

    page = read(path)

    assert (page.turned, page.width, page.height) == (90, 842, 595)
    [field] = page.form_fields
    assert field.box[0] < 230
    assert field.box[1] < 130
