"""From a detector's map to text regions, and from a text region to a level line."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from docsieve.parsers.ocr.rapid.quads import Quad, cut, sides, slope
from docsieve.parsers.ocr.rapid.regions import Likelihood, find_regions, outlines, smallest_rectangle

Corners = list[tuple[float, float]]


def likelihood(*shapes: Corners, size: tuple[int, int] = (300, 200), value: float = 0.9) -> Likelihood:
    image = Image.new("F", size)
    for shape in shapes:
        ImageDraw.Draw(image).polygon(shape, fill=value)
    return np.array(image)


def bar(x0: float, y0: float, x1: float, y1: float) -> Corners:
    """The pixels from `x0` up to but without `x1`, and likewise down."""
    return [(x0, y0), (x1 - 1, y0), (x1 - 1, y1 - 1), (x0, y1 - 1)]


def turned_bar(center: tuple[float, float], width: float, height: float, degrees: float) -> Corners:
    """A bar whose upper side falls to the right by so many degrees."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    corners = [(-width / 2, -height / 2), (width / 2, -height / 2), (width / 2, height / 2), (-width / 2, height / 2)]
    return [(center[0] + x * cos - y * sin, center[1] + x * sin + y * cos) for x, y in corners]


def box(quad: Quad) -> list[float]:
    return [*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()]


def test_a_region_is_the_likely_pixels_and_a_margin_that_grows_with_their_height() -> None:
    (low,) = find_regions(likelihood(bar(100, 50, 200, 60)))
    (high,) = find_regions(likelihood(bar(100, 50, 200, 70)))

    margin = 1.6 * 100 * 10 / (2 * 110)
    assert box(low) == pytest.approx([100 - margin, 50 - margin, 200 + margin, 60 + margin], abs=0.01)
    assert box(high)[1] < box(low)[1]


@pytest.mark.parametrize("degrees", [-30, -3, 0, 2, 44])
def test_a_region_lies_as_its_line_does(degrees: float) -> None:
    (found,) = find_regions(likelihood(turned_bar((150, 100), 150, 14, degrees)))

    assert slope(found) == pytest.approx(degrees, abs=0.5)
    width, height = sides(found)
    assert width > 4 * height
    assert found.mean(axis=0) == pytest.approx([150, 100], abs=1)


def test_the_corners_of_a_standing_region_begin_at_its_upper_left() -> None:
    (found,) = find_regions(likelihood(turned_bar((150, 100), 14, 150, 4)))

    upper_left, upper_right, lower_right, lower_left = found.tolist()
    assert upper_left[0] < upper_right[0]
    assert lower_left[0] < lower_right[0]
    assert max(upper_left[1], upper_right[1]) < min(lower_left[1], lower_right[1])


def test_lines_that_touch_are_one_region_and_lines_apart_are_two() -> None:
    first = bar(20, 50, 100, 60)

    assert len(find_regions(likelihood(first, bar(101, 50, 200, 60)))) == 1
    assert len(find_regions(likelihood(first, bar(103, 50, 200, 60)))) == 2
    assert len(find_regions(likelihood(first, bar(20, 63, 100, 73)))) == 2


def test_specks_and_unlikely_areas_are_not_regions() -> None:
    thin_frame = [*bar(20, 20, 200, 24), *bar(20, 20, 24, 150)]

    assert find_regions(np.zeros((64, 64), dtype=np.float32)) == []
    assert find_regions(likelihood(bar(50, 50, 52, 52))) == []
    assert find_regions(likelihood(bar(50, 50, 150, 60), value=0.4)) == []
    assert find_regions(likelihood(thin_frame)) == []


def test_a_region_at_the_edge_ends_there_and_can_be_cut_out() -> None:
    size = (300, 200)
    at_edges = [turned_bar(center, 120, 20, 20) for center in ((10, 100), (290, 60), (150, 2), (150, 198), (2, 4))]
    for shape in at_edges:
        for found in find_regions(likelihood(shape, size=size)):
            assert found.min() >= 0
            assert (found <= size).all()
            assert cut(Image.new("RGB", size, "white"), found, 48, widths=(8, 192, 3200)).pixels.min() == 255


def by_flood(mask: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """The boxes of the components of a mask, found pixel by pixel."""
    left = set(zip(*(axis.tolist() for axis in np.nonzero(mask)), strict=True))
    found = []
    while left:
        component, front = [], [left.pop()]
        while front:
            row, column = front.pop()
            component.append((row, column))
            near = {(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)} & left
            left -= near
            front.extend(near)
        rows, columns = zip(*component, strict=True)
        found.append((min(columns), min(rows), max(columns), max(rows)))
    return sorted(found)


@pytest.mark.parametrize("density", [0.1, 0.3, 0.45, 0.9])
def test_components_are_those_that_a_flood_fill_finds(density: float) -> None:
    random = np.random.default_rng(7)
    for _ in range(20):
        mask = random.random((24, 31)) < density

        found = [(*each.min(axis=0).astype(int), *each.max(axis=0).astype(int)) for each in outlines(mask)]

        assert sorted(found) == by_flood(mask)


def test_no_other_rectangle_around_the_points_is_smaller() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        points = random.integers(0, 60, (12, 2)).astype(np.float64)
        width, height = sides(smallest_rectangle(points))
        for degrees in np.arange(0, 90, 0.5):
            along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
            across = np.array([-along[1], along[0]])
            assert width * height <= np.ptp(points @ along) * np.ptp(points @ across) + 0.01


@pytest.mark.parametrize("points", [[(5, 5)], [(5, 5), (9, 5)], [(5, 5), (5, 9)], [(1, 1), (2, 2), (3, 3)]])
def test_points_on_a_line_have_a_flat_rectangle(points: Corners) -> None:
    found = smallest_rectangle(np.array(points, dtype=np.float64))

    assert min(sides(found)) == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("degrees", [0, 7, -20])
@pytest.mark.parametrize("height", [30, 150])
def test_a_region_is_cut_out_level_and_its_places_are_found_again(degrees: float, height: int) -> None:
    image = Image.new("RGB", (900, 700), "white")
    quad = np.array(turned_bar((450, 350), 4 * height, height, degrees), dtype=np.float32)
    upper_middle, lower_middle = (quad[0] + quad[1]) / 2, (quad[2] + quad[3]) / 2
    left_half = np.array([quad[0], upper_middle, lower_middle, quad[3]])
    ImageDraw.Draw(image).polygon([(x, y) for x, y in left_half.tolist()], fill=(200, 0, 0))

    piece = cut(image, quad, 48, widths=(8, 192, 3200))

    assert piece.pixels.shape == (48, 192, 3)
    assert piece.pixels[4:-4, 4:90].reshape(-1, 3).mean(axis=0) == pytest.approx([200, 0, 0], abs=2)
    assert piece.pixels[4:-4, 102:-4].min() > 250
    assert piece.box(0, 96) == pytest.approx(box(left_half), abs=1)
