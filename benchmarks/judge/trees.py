"""Fitting the judge: boosted trees over the features of candidates, and a logistic curve over their sums."""

from collections.abc import Sequence
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.judge.records import Record
from docsieve.engines.local.judge.features import FALLING, FEATURES, RISING

Numbers = NDArray[np.float64]

_ROUNDS = 160
_SETTINGS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 31, "min_data_in_leaf": 40, "feature_fraction": 0.7,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 10.0, "seed": 1, "num_threads": 1, "deterministic": True,
    "force_row_wise": True, "verbose": -1,
    "monotone_constraints": [1 if name in RISING else -1 if name in FALLING else 0 for name in FEATURES],
}  # fmt: skip
_STEPS = 50
_RIDGE = 5.0


def weights_of(kinds: Sequence[str]) -> Numbers:
    """Each kind of document counts by the root of its size."""
    _, at, sizes = np.unique(kinds, return_inverse=True, return_counts=True)
    weights: Numbers = 1.0 / np.sqrt(sizes[at])
    weights *= len(weights) / weights.sum()
    return weights


def fit(records: Sequence[Record]) -> dict[str, Any]:
    """The stored form of a judge, with the curve of a logistic function."""
    rows = np.array([record.features for record in records])
    right = np.array([record.right for record in records], dtype=float)
    weights = weights_of([record.kind for record in records])
    booster = lightgbm.train(_SETTINGS, lightgbm.Dataset(rows, right, weight=weights, free_raw_data=False), _ROUNDS)
    return stored(booster.dump_model())


def stored(dumped: dict[str, Any]) -> dict[str, Any]:
    nodes: list[list[float]] = []
    depth = 0

    def add(node: dict[str, Any], level: int) -> int:
        nonlocal depth
        depth = max(depth, level)
        at = len(nodes)
        nodes.append([])
        if "leaf_value" in node:
            nodes[at] = [0, 0.0, at, at, round(node["leaf_value"], 5)]
            return at
        children = add(node["left_child"], level + 1), add(node["right_child"], level + 1)
        nodes[at] = [node["split_feature"], float(f"{node['threshold']:.7g}"), *children, 0.0]
        return at

    roots = [add(tree["tree_structure"], 0) for tree in dumped["tree_info"]]
    return {
        "features": list(FEATURES), "bias": 0.0, "slope": 1.0, "depth": depth, "roots": roots, "nodes": nodes,
    }  # fmt: skip


def logistic(margins: Numbers, right: Numbers, weights: Numbers, *others: Numbers) -> tuple[float, ...]:
    """Bias and slope that make probabilities of margins, by Newton's method, drawn towards 0 and 1.

    Further columns have slopes too, which are drawn towards 0.
    """
    data = np.column_stack([np.ones(len(margins)), margins, *others])
    expected = np.array([0.0, 1.0, *(0.0 for _ in others)])
    found = expected
    for _ in range(_STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(data @ found, -30, 30)))
        slope = data.T @ (weights * (likely - right)) + _RIDGE * (found - expected)
        bend = (data * (weights * likely * (1 - likely))[:, None]).T @ data + _RIDGE * np.eye(len(expected))
        found = found - np.linalg.solve(bend, slope)
    return tuple(round(float(each), 4) for each in found)
