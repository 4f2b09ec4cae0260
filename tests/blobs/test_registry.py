"""A URL names its store by its scheme."""

from collections.abc import Callable
from pathlib import Path

import pytest

from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.object_store import ObjectBlobStore
from docsieve.blobs.registry import open_store
from docsieve.errors import BlobStoreError
from docsieve.errors.setup import UnsupportedBlobUrl

PLUGIN = """
from pathlib import Path
from docsieve.blobs.local import LocalBlobStore

def open_plugin(url):
    return LocalBlobStore(Path(url.removeprefix("attic://")))
"""


@pytest.fixture
def install_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def install() -> None:
        site = tmp_path / "site"
        metadata = site / "attic-1.0.dist-info"
        metadata.mkdir(parents=True)
        (site / "attic_blobs.py").write_text(PLUGIN)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: attic\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("[docsieve.blobs]\nattic = attic_blobs:open_plugin\n")
        monkeypatch.syspath_prepend(site)

    return install


async def test_a_file_url_opens_the_folder_it_names_even_with_odd_characters(tmp_path: Path) -> None:
    root = tmp_path / "ä folder#1?" / "blobs"

    store = open_store(root.as_uri())

    assert isinstance(store, LocalBlobStore)
    await store.check()
    assert (root / ".incoming").is_dir()
    await store.close()


@pytest.mark.parametrize("scheme", ["s3", "az", "gs"])
async def test_bucket_urls_open_the_object_store(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", "account")

    assert isinstance(open_store(f"{scheme}://bucket/folder"), ObjectBlobStore)


def test_an_object_store_that_lacks_its_settings_says_so_on_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)

    with pytest.raises(BlobStoreError):
        open_store("az://container")


@pytest.mark.parametrize("url", ["ftp://user:hunter2@host/x", "blobs", "", "file://host/x", "file:relative", "file://"])
def test_a_url_that_names_no_store_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UnsupportedBlobUrl) as refused:
        open_store(url)

    assert refused.value.code == "unsupported_blob_url"
    assert "file://" in refused.value.detail
    assert "hunter2" not in refused.value.detail


def test_an_installed_package_adds_a_scheme(install_plugin: Callable[[], None], tmp_path: Path) -> None:
    install_plugin()

    assert isinstance(open_store(f"attic://{tmp_path}/attic"), LocalBlobStore)
