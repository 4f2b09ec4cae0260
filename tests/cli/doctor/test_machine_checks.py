"""What the doctor says about a blob store that cannot be used."""

from pathlib import Path

import pytest

from docsieve.cli.doctor import machine_checks
from docsieve.settings import Settings
from tests.emulators.faulty_proxy import Fault, faulty_proxy


async def test_refused_credentials_are_named_with_what_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with faulty_proxy(upstream=1) as store:
        store.always = Fault(status=403, body=b"<Error><Code>InvalidAccessKeyId</Code></Error>")
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{store.port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"):
            monkeypatch.setenv(name, "wrong-secret")
        monkeypatch.setenv("AWS_ALLOW_HTTP", "true")

        found = await machine_checks.blob_store(Settings(data_dir=tmp_path, blob_url="s3://bucket"))

    assert found.level == "problem"
    assert "refused the credentials of this server (InvalidAccessKeyId)" in found.reason
    assert found.remedy is not None and "AWS_*" in found.remedy and "clock" in found.remedy
    assert "wrong-secret" not in found.reason + found.remedy
