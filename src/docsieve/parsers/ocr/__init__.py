"""OCR: `page.read_image` reads the text of an image."""
