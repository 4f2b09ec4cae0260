"""Which database a command speaks to: the one in the settings, or the embedded one under the data directory."""

from collections.abc import Iterator
from contextlib import contextmanager

from docsieve.db.embedded import EmbeddedServer, running_url
from docsieve.settings import Settings


@contextmanager
def database_url(settings: Settings) -> Iterator[str]:
    """Attach to the server that runs already, or run the embedded one for as long as this lasts."""
    url = settings.database_url.get_secret_value() if settings.database_url else running_url(settings.data_dir)
    if url is not None:
        yield url
        return
    server = EmbeddedServer(settings.data_dir)
    try:
        yield server.start()
    finally:
        server.stop()
