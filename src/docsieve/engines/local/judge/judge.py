"""The learned judge: how likely each candidate is the value of its field.

Rules propose, and their own score is the first thing the judge looks at. It is a small set of decision trees over the
features in `features`, trained by `make train` on documents with known values. `model.json` is written by it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.judge.features import FEATURES, Offers, features_of

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Judge:
    """Trees as columns: each row is a node that compares a feature with a threshold, or a leaf with a value.

    A leaf has itself as both children, so that all rows of all trees are walked down in the same number of steps.
    """

    feature: NDArray[np.int32]
    threshold: Numbers
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: Numbers
    roots: NDArray[np.int32]
    depth: int
    bias: float
    slope: float

    @classmethod
    def load(cls, stored: Mapping[str, Any]) -> "Judge":
        if stored["features"] != list(FEATURES):
            raise ValueError("The judge was trained with other features. Run `make train`.")
        nodes = stored["nodes"]
        feature, threshold, left, right, value = (list(column) for column in zip(*nodes, strict=True))
        return cls(
            np.array(feature, dtype=np.int32),
            np.array(threshold, dtype=float),
            np.array(left, dtype=np.int32),
            np.array(right, dtype=np.int32),
            np.array(value, dtype=float),
            np.array(stored["roots"], dtype=np.int32),
            stored["depth"],
            stored["bias"],
            stored["slope"],
        )

    def judge(self, offers: Offers, scene: Scene) -> None:
        """Replace the score of each candidate with the probability that it is right."""
        candidates = [each for _, offered in offers for each in offered]
        if candidates:
            likely = self.probabilities(np.array(features_of(offers, scene), dtype=float))
            for each, probability in zip(candidates, likely, strict=True):
                each.score = round(float(probability), 4)

    def probabilities(self, rows: Numbers) -> Numbers:
        return 1.0 / (1.0 + np.exp(-(self.bias + self.slope * self.margins(rows))))

    def margins(self, rows: Numbers) -> Numbers:
        """The sum of the leaves that each row reaches, one per tree."""
        at = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        every = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = rows[every, self.feature[at]] <= self.threshold[at]
            at = np.where(goes_left, self.left[at], self.right[at])
        total: Numbers = self.value[at].sum(axis=1)
        return total


@lru_cache(maxsize=1)
def trained() -> Judge:
    return Judge.load(json.loads(files(__package__).joinpath("model.json").read_text(encoding="utf-8")))
