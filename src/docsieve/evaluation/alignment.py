"""Aligns the items of two lists whose correspondence is unknown."""

from collections.abc import Callable, Sequence
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

_MAX_EXACT = 250 * 250  # up to this many pairs, the optimal alignment is computed, which takes cubic time


def align(left: Sequence[A], right: Sequence[B], agreement: Callable[[A, B], float]) -> list[tuple[int, int]]:
    """Pairs of indexes with the highest total agreement. Items without any agreement have no partner.

    Long lists are aligned greedily, by the highest agreement and then by the smallest shift.
    """
    if not left or not right:
        return []
    weights = [[agreement(each, other) for other in right] for each in left]
    pairs = _greedy(weights) if len(left) * len(right) > _MAX_EXACT else _best(weights)
    return sorted((i, j) for i, j in pairs if weights[i][j] > 0)


def _greedy(weights: list[list[float]]) -> list[tuple[int, int]]:
    scored = [
        (-weight, abs(i - j), i, j) for i, row in enumerate(weights) for j, weight in enumerate(row) if weight > 0
    ]
    free_left, free_right = set(range(len(weights))), set(range(len(weights[0])))
    pairs = []
    for _, _, i, j in sorted(scored):
        if i in free_left and j in free_right:
            free_left.remove(i)
            free_right.remove(j)
            pairs.append((i, j))
    return pairs


def _best(weights: list[list[float]]) -> list[tuple[int, int]]:
    """The Hungarian algorithm with shortest augmenting paths, over the shorter side first."""
    if len(weights) > len(weights[0]):
        turned = [list(column) for column in zip(*weights, strict=True)]
        return [(i, j) for j, i in _best(turned)]
    rows, columns = len(weights), len(weights[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    owner = [0] * (columns + 1)  # rows and columns count from 1 here; 0 is unassigned
    for row in range(1, rows + 1):
        _give_column(row, owner, weights, row_price, column_price)
    return [(owner[column] - 1, column - 1) for column in range(1, columns + 1) if owner[column]]


def _give_column(
    row: int, owner: list[int], weights: list[list[float]], row_price: list[float], column_price: list[float]
) -> None:
    columns = len(column_price) - 1
    owner[0] = row
    least, came_from = [float("inf")] * (columns + 1), [0] * (columns + 1)
    seen = [False] * (columns + 1)
    column = 0
    while owner[column]:
        seen[column] = True
        current, step, following = owner[column], float("inf"), 0
        for other in range(1, columns + 1):
            if seen[other]:
                continue
            cost = -weights[current - 1][other - 1] - row_price[current] - column_price[other]
            if cost < least[other]:
                least[other], came_from[other] = cost, column
            if least[other] < step:
                step, following = least[other], other
        for other in range(columns + 1):
            if seen[other]:
                row_price[owner[other]] += step
                column_price[other] -= step
            else:
                least[other] -= step
        column = following
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]
