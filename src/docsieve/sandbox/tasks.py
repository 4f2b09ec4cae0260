"""What a sandboxed child can be asked to do, by name."""

from docsieve.sandbox.analysing import analyse_document
from docsieve.sandbox.extracting import extract_fields, finish_analyses, finish_fields, learn_fields, prepare_text
from docsieve.sandbox.port import Task
from docsieve.sandbox.probing import probe_ocr
from docsieve.sandbox.reading import extract_attachments, read_document
from docsieve.sandbox.rendering import render_page

TASKS: dict[str, Task] = {
    "read_document": read_document,
    "extract_attachments": extract_attachments,
    "analyse_document": analyse_document,
    "render_page": render_page,
    "extract_fields": extract_fields,
    "prepare_text": prepare_text,
    "finish_fields": finish_fields,
    "finish_analyses": finish_analyses,
    "learn_fields": learn_fields,
    "probe_ocr": probe_ocr,
}
