"""Which remote parsers this server is configured for, by the name that a sender asks for."""

from collections.abc import Mapping

from docsieve.errors import Invalid, UnsupportedType
from docsieve.remote.azure.client import MODELS, AzureDocumentIntelligence
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.remote.port import RemoteParser


def open_remote_parsers(azure: AzureAccount | None) -> Mapping[str, RemoteParser]:
    """Opening costs nothing: a provider's library is loaded and a connection made when a document is read."""
    if azure is None:
        return {}
    return {name: AzureDocumentIntelligence(name, azure.endpoint, azure.key) for name in MODELS}


def remote_parser(parsers: Mapping[str, RemoteParser], name: str, media_type: str) -> RemoteParser:
    """The parser of that name, if it is configured here and reads this type."""
    parser = parsers.get(name)
    if parser is None:
        raise Invalid(f"Parser {name} is not available on this server.")
    if media_type not in parser.media_types:
        raise UnsupportedType(f"The parser {name} does not support {media_type}.")
    return parser
