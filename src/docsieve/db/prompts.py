"""A tenant's prompts; the content of a version is the template."""

from docsieve.db.versions import Versions

PROMPTS = Versions("prompt")
