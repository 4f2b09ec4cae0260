"""The disk reserve of the embedded database."""

from pathlib import Path

from docsieve.db.server.reserve import Reserve

MIN_FREE_BYTES = 64 * 1024


def test_a_reserve_is_taken_as_soon_as_the_first_start_has_created_its_folder(tmp_path: Path) -> None:
    reserve = Reserve(tmp_path / "data", MIN_FREE_BYTES)
    reserve.tend()
    assert not reserve.file.exists()

    reserve.file.parent.mkdir(parents=True)
    reserve.tend()

    assert reserve.file.stat().st_size == MIN_FREE_BYTES // 2
