"""Where documents may be downloaded from: URLs of object stores and web servers, and the operator's list of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote
from uuid import UUID

STORES = frozenset({"s3", "az", "gs"})
SCHEMES = (*sorted(STORES), "https", "http")
TENANT = "{tenant}"
"""In an entry of the list: the id of the tenant that downloads."""

MAX_LENGTH = 2048
_DEFAULT_PORTS = {"https": ":443", "http": ":80"}
_URL = re.compile(r"(?P<scheme>[a-zA-Z0-9]+)://(?P<place>[^/?#]+)(?:/(?P<path>.*))?", re.DOTALL)
# A name that every parser of URLs understands in the same way, so that the allowed place is the one that is called.
_PLACE = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9])?(:[0-9]{1,5})?|\[[0-9a-f:]+\](:[0-9]{1,5})?")


@dataclass(frozen=True, slots=True)
class SourceUrl:
    """`place` is a bucket, a container, or a host with its port if that is unusual. `path` has no leading slash."""

    scheme: str
    place: str
    path: str
    query: str = ""

    @property
    def shown(self) -> str:
        """Without the query, which may be the signature of a signed URL."""
        return f"{self.scheme}://{self.place}/{self.path}"

    @property
    def whole(self) -> str:
        return f"{self.shown}?{self.query}" if self.query else self.shown

    @property
    def in_store(self) -> bool:
        return self.scheme in STORES

    @property
    def plain_path(self) -> str:
        """As the server sees it. Keys of object stores are not encoded."""
        return self.path if self.in_store else unquote(self.path)


def parse_source(text: str) -> SourceUrl:
    """Raises ValueError, which names the mistake."""
    found = _URL.fullmatch(text)
    if found is None or (scheme := found["scheme"].lower()) not in SCHEMES:
        raise ValueError(f"must be a URL that starts with {', '.join(f'{each}://' for each in SCHEMES)}")
    if len(text) > MAX_LENGTH or not text.isprintable():
        raise ValueError(f"must have at most {MAX_LENGTH} characters, and no control characters")
    place = found["place"].lower().removesuffix(_DEFAULT_PORTS.get(scheme, "/"))
    if _PLACE.fullmatch(place) is None:
        raise ValueError("has no valid bucket, container or host")
    path, query = found["path"] or "", ""
    if scheme not in STORES:
        if " " in text or "#" in text:
            raise ValueError("must not contain a space or a fragment")
        path, _, query = path.partition("?")
    source = SourceUrl(scheme, place, path, query)
    if "\\" in source.plain_path or {".", ".."} & set(source.plain_path.split("/")):
        raise ValueError("must not contain a backslash, nor . or .. between slashes")
    return source


def parse_entry(text: str) -> SourceUrl:
    """An entry of the operator's list: a bucket or a host, or a folder there. Raises ValueError."""
    entry = parse_source(text.rstrip("/"))
    if entry.query:
        raise ValueError("must not contain a query")
    if any(TENANT in part and part != TENANT for part in entry.path.split("/")):
        raise ValueError(f"must have {TENANT} between slashes")
    return entry


def is_allowed(source: SourceUrl, entries: Iterable[str], tenant_id: UUID) -> bool:
    return any(_covers(parse_entry(entry.replace(TENANT, str(tenant_id))), source) for entry in entries)


def overlaps(entry: str, store_url: str) -> bool:
    """Whether an entry and a blob store have objects in common."""
    try:
        store = parse_entry(store_url)
    except ValueError:
        return False
    allowed = parse_entry(entry.partition(TENANT)[0])
    return _covers(allowed, store) or _covers(store, allowed)


def _covers(entry: SourceUrl, source: SourceUrl) -> bool:
    if (entry.scheme, entry.place) != (source.scheme, source.place):
        return False
    return not entry.path or source.path == entry.path or source.path.startswith(f"{entry.path}/")
