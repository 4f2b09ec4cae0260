"""What every embedder does, wherever its vectors come from."""

import numpy

from docsieve.embeddings.port import Embedder

TEXTS = ["The invoice is due in thirty days.", "A sonnet has fourteen lines.", "Zürich, 中文, שלום"]


async def test_a_text_becomes_a_row_of_length_one(embedder: Embedder) -> None:
    vectors = await embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == numpy.float32
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_rows_are_in_the_order_of_the_texts_however_many_there_are(embedder: Embedder) -> None:
    texts = [f"{word} {number}" for number in range(60) for word in ("apple", "bridge", "zebra")]
    together = await embedder.embed(texts)
    for at in (0, 1, 64, 179):
        (alone,) = await embedder.embed([texts[at]])
        assert numpy.allclose(together[at], alone, atol=1e-5)


async def test_texts_without_a_word_are_rows_of_zero_and_move_no_other(embedder: Embedder) -> None:
    vectors = await embedder.embed(["", "apple", " \n\t ", "zebra"])
    assert not vectors[[0, 2]].any()
    assert numpy.allclose(vectors[[1, 3]], await embedder.embed(["apple", "zebra"]), atol=1e-5)
    assert (await embedder.embed([])).shape == (0, embedder.dimensions)


async def test_a_question_is_nearest_to_the_text_that_answers_it(embedder: Embedder) -> None:
    (question,) = await embedder.embed(["When is the invoice due?"], query=True)
    assert int(numpy.argmax(await embedder.embed(TEXTS) @ question)) == 0


async def test_a_text_of_any_length_is_embedded(embedder: Embedder) -> None:
    hostile = ["x" * 300_000, "word " * 100_000, "中" * 50_000, "a.b-" * 50_000]
    vectors = await embedder.embed(hostile)
    assert numpy.allclose(numpy.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_the_name_contains_the_model_and_the_size(embedder: Embedder) -> None:
    assert embedder.name.isprintable()
    assert str(embedder.dimensions) in embedder.name
