"""Lines of sight and viewsheds by brute force in fractions."""

from fractions import Fraction

import numpy as np
import pytest

import hitscan
from hitscan import Status, Visibility


def passes_inside(low, high, start, end):
    """Whether a segment has a point strictly inside a box, exactly."""
    enter, leave = Fraction(0), Fraction(1)
    for k in range(3):
        a, way = Fraction(float(start[k])), Fraction(float(end[k])) - Fraction(float(start[k]))
        lo, hi = Fraction(float(low[k])), Fraction(float(high[k]))
        if way == 0:
            if not lo < a < hi:
                return False
            continue
        first, last = sorted([(lo - a) / way, (hi - a) / way])
        enter, leave = max(enter, first), min(leave, last)
    return enter < leave


def test_boxes_in_fractions():
    rng = np.random.default_rng(1)
    low = rng.integers(-8, 8, (10, 3))
    high = low + rng.integers(1, 5, (10, 3))
    world = hitscan.World()
    for one, other in zip(low, high, strict=True):
        world.add(hitscan.Box(one, other))
    world.update()
    # Whole numbers, so that many lines touch faces and edges.
    eyes, targets = rng.integers(-10, 12, (2, 400, 3))
    seen = world.is_visible(eyes, targets)
    for row in range(400):
        blocked = [passes_inside(*box, eyes[row], targets[row]) for box in zip(low, high, strict=True)]
        assert seen[row] == (not any(blocked)), row
    assert 50 < seen.sum() < 350
    np.testing.assert_array_equal(world.is_visible(targets, eyes), seen)
    blockers = world.first_blocker(eyes, targets)
    np.testing.assert_array_equal(blockers.blocked, ~seen)
    assert ((blockers.object >= 0) == ~seen).all() and np.isinf(blockers.t[seen]).all()
    matrix = world.visible_pairs(eyes[:20], targets[:30])
    assert matrix.shape == (20, 30)
    np.testing.assert_array_equal(np.diag(matrix[:, :20]), seen[:20])
    first = world.first_blockers(eyes[:20], targets[:30])
    np.testing.assert_array_equal(first.blocked, ~matrix)
    np.testing.assert_array_equal(np.diag(first.t[:, :20]), blockers.t[:20])


def test_the_first_of_several():
    world = hitscan.World()
    for x in (6, 2):
        world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]), name=f"at {x}")
    world.update()
    blocker = world.first_blocker([[0, 0.5, 0.5], [8, 0.5, 0.5]], [[8, 0.5, 0.5], [0, 0.5, 0.5]])
    assert blocker.t.tolist() == [0.25, 0.125] and blocker.object_names.tolist() == ["at 2", "at 6"]
    ahead = world.first_blocker([0, 0.5, 0.5], [8, 0.5, 0.5], ignore=["at 2"])
    assert ahead.t == 0.75 and ahead.object == 0
    assert world.is_visible([0, 0.5, 0.5], [8, 0.5, 0.5], layers=2)


def test_bad_points():
    world = hitscan.World()
    world.update()
    eyes = np.zeros((3, 3))
    eyes[2, 1] = np.nan
    with pytest.raises(ValueError, match=r"line\[2\]: eye must be finite"):
        world.is_visible(eyes, [1, 1, 1])
    assert world.is_visible(eyes, [1, 1, 1], invalid="mark").tolist() == [True, True, False]
    marked = world.first_blocker(eyes, [1, 1, 1], invalid="mark")
    assert marked.status.tolist() == [0, 0, Status.INVALID]
    assert world.visible_pairs([], [[1, 1, 1]]).shape == (0, 1)
    with pytest.raises(ValueError, match=r"targets: expected an array of shape \(n, 3\)"):
        world.visible_pairs(eyes, [1, 1, 1])


def test_a_viewshed_is_that_of_its_lines():
    rng = np.random.default_rng(2)
    heights = rng.integers(0, 8, (12, 15)).astype(np.float32)
    heights[3, 4] = np.nan
    world = hitscan.World()
    world.add(hitscan.HeightField(heights, spacing=2.0), name="map")
    world.add(hitscan.Box([9, 0, 9], [10, 30, 10]), name="tower")
    world.update()
    shed = world.viewshed("map", [4.0, 14.0], above=1.0)
    np.testing.assert_array_equal(shed.eye, [4, heights[7, 2] + 1, 14])
    z, x = np.mgrid[:12, :15] * 2.0
    known = ~np.isnan(heights)
    targets = np.stack([x, heights, z], axis=-1)[known]
    seen = world.is_visible(shed.eye, targets)
    np.testing.assert_array_equal(shed.samples[known] == Visibility.VISIBLE, seen)
    assert (shed.samples[~known] == Visibility.OUTSIDE).all() and 20 < seen.sum() < 170
    same = world.viewshed("map", shed.eye)
    np.testing.assert_array_equal(same.samples, shed.samples)
    near = world.viewshed(0, [4.0, 14.0], above=1.0, max_distance=6)
    far = (x - 4) ** 2 + (z - 14) ** 2 > 36
    np.testing.assert_array_equal(near.samples == Visibility.OUTSIDE, far | ~known)
    free = world.viewshed("map", [4.0, 14.0], above=1.0, ignore=["tower"])
    assert (free.samples == Visibility.VISIBLE).sum() > seen.sum()
    for terrain, eye in (("tower", [4.0, 14.0]), ("map", [-4.0, 14.0])):
        with pytest.raises(ValueError, match="expected a terrain|not over ground"):
            world.viewshed(terrain, eye)
    with pytest.raises(ValueError, match="two or three finite numbers"):
        world.viewshed("map", [np.nan, 0])
    with pytest.raises(ValueError, match="at least 0"):
        world.viewshed("map", [4.0, 14.0], max_distance=-1)
