"""A judge that is equally sure of every candidate, for tests of what follows from how sure it is."""

import math

from docsieve.engines.local.judge.features import FEATURES
from docsieve.engines.local.judge.judge import Judge


def judge_that_says(probability: float) -> Judge:
    """One tree that is a single leaf."""
    leaf = [0, 0.0, 0, 0, math.log(probability / (1 - probability))]
    return Judge.load(
        {"features": list(FEATURES), "nodes": [leaf], "roots": [0], "depth": 0, "bias": 0.0, "slope": 1.0}
    )
