"""Text regions from a detector's map, which says of each pixel how likely it is part of a line of text.

Likely pixels that touch form a component. A region is the smallest rectangle around one, enlarged to take in whole
letters: the map shows only the middle of a line.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from docsieve.parsers.ocr.rapid.quads import Quad, sides

_LIKELY = 0.3
_MIN_MEAN = 0.5
# Sides in pixels of the map: of a component, of a region, and of a region clipped to the map.
_MIN_COMPONENT, _MIN_REGION, _MIN_CLIPPED = 3.0, 5.0, 3.0
_ENLARGE = 1.6
_MAX_COMPONENTS = 1000

Likelihood = NDArray[np.float32]
_Mask = NDArray[np.bool_]
_Indices = NDArray[np.intp]
_Points = NDArray[np.float64]


def find_regions(likelihood: Likelihood) -> list[Quad]:
    """The regions in pixels of the map, where pixel 0 reaches from 0 to 1."""
    height, width = likelihood.shape
    found = []
    for outline in outlines(_thickened(likelihood > _LIKELY)):
        component = smallest_rectangle(outline)
        if min(sides(component)) < _MIN_COMPONENT or _mean_inside(likelihood, component) < _MIN_MEAN:
            continue
        region = _enlarged(component)
        clipped = np.clip(region, 0, (width, height)).astype(np.float32)
        if min(sides(region)) >= _MIN_REGION and min(sides(clipped)) > _MIN_CLIPPED and _is_convex(clipped):
            found.append(clipped)
    return found


def _thickened(mask: _Mask) -> _Mask:
    """The mask with the right and lower neighbors of each pixel, which closes hairline gaps.

    The centers of its outermost pixels lie on the outer edges of the original ones.
    """
    wider = mask.copy()
    wider[:, 1:] |= mask[:, :-1]
    thick = wider.copy()
    thick[1:] |= wider[:-1]
    return thick


def outlines(mask: _Mask) -> Iterator[_Points]:
    """The first and the last pixel `(x, y)` of every row of each component, the largest components first."""
    starts, ends = _runs(mask)
    stride = mask.shape[1] + 1
    component = _components(starts, ends, stride)
    # By component, and as before from top to bottom and from left to right.
    order = np.argsort(component, kind="stable")
    rows, first = np.divmod(starts[order], stride)
    last = first + (ends - starts)[order] - 1
    _, begin, counts = np.unique(component[order], return_index=True, return_counts=True)
    sizes = np.add.reduceat(last - first + 1, begin) if len(begin) else begin
    for index in np.argsort(-sizes, kind="stable")[:_MAX_COMPONENTS]:
        runs = slice(begin[index], begin[index] + counts[index])
        yield _row_ends(rows[runs], first[runs], last[runs])


def _runs(mask: _Mask) -> tuple[_Indices, _Indices]:
    """Where runs of set pixels start and end, counted through the rows laid end to end, each followed by a gap."""
    height, width = mask.shape
    padded = np.zeros(1 + height * (width + 1), dtype=np.bool_)
    padded[1:].reshape(height, width + 1)[:, :width] = mask
    changes = np.flatnonzero(padded[1:] != padded[:-1])
    return changes[::2], changes[1::2]


def _components(starts: _Indices, ends: _Indices, stride: int) -> _Indices:
    """For each run the first run that it is connected to; runs of adjacent rows touch also by their corners."""
    first_above = np.searchsorted(ends, starts - stride, side="left")
    touching = np.maximum(np.searchsorted(starts, ends - stride, side="right") - first_above, 0)
    below = np.repeat(np.arange(len(starts)), touching)
    above = np.arange(len(below)) + np.repeat(first_above - (np.cumsum(touching) - touching), touching)
    label = np.arange(len(starts))
    while True:
        one, other = label[above], label[below]
        apart = one != other
        if not apart.any():
            return label
        # Every label that has a smaller neighbor joins it, so at least half of them go in each round.
        np.minimum.at(label, np.maximum(one, other)[apart], np.minimum(one, other)[apart])
        while (label[label] != label).any():
            label = label[label]


def _row_ends(rows: _Indices, first: _Indices, last: _Indices) -> _Points:
    lines, begin = np.unique(rows, return_index=True)
    left, right = np.minimum.reduceat(first, begin), np.maximum.reduceat(last, begin)
    return np.column_stack((np.concatenate((left, right)), np.concatenate((lines, lines)))).astype(np.float64)


def smallest_rectangle(points: _Points) -> Quad:
    """The rectangle of least area around points; its upper side is within 45 degrees of level."""
    hull = _hull(points)
    along = np.roll(hull, -1, axis=0) - hull
    # One side of the rectangle lies on a side of the hull; a quarter turn names the same rectangle differently.
    angle = (np.arctan2(along[:, 1], along[:, 0]) + np.pi / 4) % (np.pi / 2) - np.pi / 4
    right = np.column_stack((np.cos(angle), np.sin(angle)))
    down = np.column_stack((-np.sin(angle), np.cos(angle)))
    x, y = hull @ right.T, hull @ down.T
    areas = np.ptp(x, axis=0) * np.ptp(y, axis=0)
    best = int(np.argmin(areas))
    x0, x1, y0, y1 = x[:, best].min(), x[:, best].max(), y[:, best].min(), y[:, best].max()
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return np.asarray(corners @ np.array([right[best], down[best]]), dtype=np.float32)


def _hull(points: _Points) -> _Points:
    """The corners of the convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted(map(tuple, points.tolist()))
    return np.array(_chain(ordered)[:-1] + _chain(ordered[::-1])[:-1] or ordered[:1])


def _chain(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    chain: list[tuple[float, ...]] = []
    for x, y in points:
        while len(chain) > 1:
            (x0, y0), (x1, y1) = chain[-2:]
            if (x1 - x0) * (y - y0) > (y1 - y0) * (x - x0):
                break
            chain.pop()
        chain.append((x, y))
    return chain


def _mean_inside(likelihood: Likelihood, quad: Quad) -> float:
    x0, y0 = np.floor(quad.min(axis=0)).astype(int)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int)
    window = likelihood[max(y0, 0) : y1 + 1, max(x0, 0) : x1 + 1]
    inside = Image.new("1", window.shape[::-1])
    ImageDraw.Draw(inside).polygon([(x - max(x0, 0), y - max(y0, 0)) for x, y in quad.tolist()], fill=1)
    return float(window[np.asarray(inside)].mean())


def _enlarged(quad: Quad) -> Quad:
    """The rectangle moved outwards on each side by the same distance, which grows with its shorter side."""
    width, height = sides(quad)
    distance = _ENLARGE * width * height / (2 * (width + height))
    right, down = (quad[1] - quad[0]) / width * distance, (quad[3] - quad[0]) / height * distance
    return np.asarray(quad + np.array([-right - down, right - down, right + down, down - right]), dtype=np.float32)


def _is_convex(quad: Quad) -> bool:
    """Whether it turns clearly to the right at each corner; clipping may lay three corners on one line."""
    ahead = np.roll(quad, -1, axis=0) - quad
    behind = np.roll(ahead, 1, axis=0)
    return bool((behind[:, 0] * ahead[:, 1] - behind[:, 1] * ahead[:, 0] >= 1).all())
