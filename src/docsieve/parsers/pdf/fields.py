"""The fields of a PDF form (AcroForm) and their values."""

from typing import Any, Literal

import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Box, FormField
from docsieve.parsers.pdf.strings import wide_string
from docsieve.parsers.pdf.text.boxes import union

_Kind = Literal["text", "checkbox", "radio", "choice", "signature", "button"]

_KINDS: dict[int, _Kind] = {
    pdfium_c.FPDF_FORMFIELD_PUSHBUTTON: "button",
    pdfium_c.FPDF_FORMFIELD_CHECKBOX: "checkbox",
    pdfium_c.FPDF_FORMFIELD_RADIOBUTTON: "radio",
    pdfium_c.FPDF_FORMFIELD_COMBOBOX: "choice",
    pdfium_c.FPDF_FORMFIELD_LISTBOX: "choice",
    pdfium_c.FPDF_FORMFIELD_TEXTFIELD: "text",
    pdfium_c.FPDF_FORMFIELD_SIGNATURE: "signature",
}
_MAX_OPTIONS = 1_000


class FieldReader:
    """Collects the fields of one page; the buttons of a radio group are one field."""

    def __init__(self, form: Any) -> None:
        self._form = form
        self._groups: dict[str, FormField] = {}
        self.fields: list[FormField] = []

    def add(self, widget: Any, box: Box) -> None:
        kind = _KINDS.get(pdfium_c.FPDFAnnot_GetFormFieldType(self._form, widget))
        if kind is None:
            return
        name = self._string(pdfium_c.FPDFAnnot_GetFormFieldName, widget)
        if kind == "radio":
            self._add_radio(widget, name, box)
        else:
            self.fields.append(FormField(name, kind, self._value(widget, kind), box))

    def _add_radio(self, widget: Any, name: str, box: Box) -> None:
        """The value and box of a group are those of the selected button; if none is selected, the box covers all."""
        chosen = bool(pdfium_c.FPDFAnnot_IsChecked(self._form, widget))
        group = self._groups.get(name)
        if group is None:
            group = self._groups[name] = FormField(name, "radio", None, box)
            self.fields.append(group)
        elif group.value is None:
            group.box = union(group.box, box)
        if chosen:
            group.value = self._string(pdfium_c.FPDFAnnot_GetFormFieldExportValue, widget)
            group.box = box

    def _value(self, widget: Any, kind: _Kind) -> str | bool | list[str] | None:
        if kind == "checkbox":
            return bool(pdfium_c.FPDFAnnot_IsChecked(self._form, widget))
        if kind == "signature":
            return bool(pdfium_c.FPDFAnnot_HasKey(widget, b"V"))
        if kind == "button":
            return None
        value = self._string(pdfium_c.FPDFAnnot_GetFormFieldValue, widget)
        if kind == "choice":
            chosen = self._chosen_options(widget)
            return chosen if len(chosen) > 1 else chosen[0] if chosen else value or None
        return value or None

    def _chosen_options(self, widget: Any) -> list[str]:
        count = min(pdfium_c.FPDFAnnot_GetOptionCount(self._form, widget), _MAX_OPTIONS)
        return [
            self._label(widget, index)
            for index in range(max(count, 0))
            if pdfium_c.FPDFAnnot_IsOptionSelected(self._form, widget, index)
        ]

    def _label(self, widget: Any, index: int) -> str:
        return wide_string(
            lambda buffer, size: pdfium_c.FPDFAnnot_GetOptionLabel(self._form, widget, index, buffer, size)
        )

    def _string(self, ask: Any, widget: Any) -> str:
        return wide_string(lambda buffer, size: ask(self._form, widget, buffer, size))
