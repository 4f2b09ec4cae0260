"""Which files are archives, by their first bytes."""

from hypothesis import given
from hypothesis import strategies as st

from docsieve.archives.types import TAR_BLOCK, detect, is_tar

CHECKSUM = 148


@given(st.lists(st.sampled_from(b"01234567 \x00"), min_size=8, max_size=8).map(bytes))
def test_a_text_with_digits_where_a_tar_has_its_checksum_is_not_a_tar(digits: bytes) -> None:
    head = b"A" * CHECKSUM + digits + b"B" * (TAR_BLOCK - CHECKSUM - 8)
    assert not is_tar(head)


@given(st.binary(max_size=2 * TAR_BLOCK))
def test_no_bytes_keep_the_type_from_being_detected(head: bytes) -> None:
    detect(head)
