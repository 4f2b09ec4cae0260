"""URLs that documents are downloaded from, and the list of those that are allowed."""

from uuid import UUID

import pytest
from pydantic import ValidationError

from docsieve.settings import Settings
from docsieve.sources import is_allowed, parse_source

TENANT = UUID(int=7)
ALLOWED = ("s3://bucket", "gs://bucket/inbox/", "https://files.example.com:443/public", "az://shared/{tenant}")


@pytest.mark.parametrize(
    "source",
    [
        "s3://bucket/a.pdf",
        "S3://bucket/a b?c#d.pdf",
        "gs://bucket/inbox/2026/a.pdf",
        "https://files.example.com/public/a.pdf?signature=1",
        "https://FILES.example.com:443/public/a.pdf",
        f"az://shared/{TENANT}/a.pdf",
    ],
)
def test_what_is_in_a_listed_bucket_host_or_folder_is_allowed(source: str) -> None:
    assert is_allowed(parse_source(source), ALLOWED, TENANT)


@pytest.mark.parametrize(
    "source",
    [
        "s3://bucket2/a.pdf",
        "gs://bucket/a.pdf",
        "gs://bucket/inbox2/a.pdf",
        "http://files.example.com/public/a.pdf",
        "https://files.example.com/private/a.pdf",
        "https://files.example.com:8443/public/a.pdf",
        "https://files.example.com.evil.com/public/a.pdf",
        f"az://shared/{UUID(int=8)}/a.pdf",
    ],
)
def test_everything_else_is_not_allowed(source: str) -> None:
    assert not is_allowed(parse_source(source), ALLOWED, TENANT)
    assert not is_allowed(parse_source(source), (), TENANT)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "a.pdf",
        "ftp://files.example.com/a.pdf",
        "file:///etc/passwd",
        "s3:///a.pdf",
        "https://files.example.com@evil.com/public/a.pdf",
        "https://files.example.com\\@evil.com/public/a.pdf",
        "https://files.example.com./public/a.pdf",
        "https://files.example.com/public/../private/a.pdf",
        "https://files.example.com/public/%2e%2e/private/a.pdf",
        "https://files.example.com/public/..%2Fprivate/a.pdf",
        "https://files.example.com/public/a.pdf#part",
        "https://files.example.com/public/a b.pdf",
        "gs://bucket/inbox/../secret.pdf",
        "s3://bucket/a\n.pdf",
        f"s3://bucket/{'a' * 2048}",
    ],
)
def test_an_odd_url_is_refused(source: str) -> None:
    with pytest.raises(ValueError):
        parse_source(source)


def test_a_url_is_shown_without_its_query_which_may_be_a_signature() -> None:
    source = parse_source("https://files.example.com/my%20file.pdf?X-Amz-Signature=abc")
    assert source.shown == "https://files.example.com/my%20file.pdf"
    assert source.whole == "https://files.example.com/my%20file.pdf?X-Amz-Signature=abc"
    assert source.plain_path == "my file.pdf"


@pytest.mark.parametrize("entry", ["files.example.com", "https://a/?b=c", "s3://bucket/x-{tenant}", "ftp://a"])
def test_an_entry_that_would_never_match_is_refused_at_the_start(entry: str) -> None:
    with pytest.raises(ValidationError, match="sources_allow"):
        Settings.model_validate({"sources_allow": entry})


@pytest.mark.parametrize("entry", ["s3://docs", "s3://docs/blobs", "s3://docs/blobs/documents", "s3://docs/{tenant}"])
def test_the_blob_store_itself_cannot_be_a_source(entry: str) -> None:
    with pytest.raises(ValidationError, match="blob store"):
        Settings.model_validate({"sources_allow": entry, "blob_url": "s3://docs/blobs"})


def test_another_folder_of_the_bucket_of_the_blob_store_can_be_a_source() -> None:
    settings = Settings.model_validate({"sources_allow": "s3://docs/inbox, gs://docs", "blob_url": "s3://docs/blobs"})
    assert settings.sources_allow == ("s3://docs/inbox", "gs://docs")
