"""The height of the ground against fractions and brute force."""

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest

import hitscan
from hitscan import GroundStatus


def exact_height(heights, spacing, origin, x, z):
    """The height on the triangle's plane, a fraction; None off the map and over holes."""
    fx = (Fraction(x) - Fraction(origin[0])) / Fraction(spacing[0])
    fz = (Fraction(z) - Fraction(origin[2])) / Fraction(spacing[1])
    rows, columns = heights.shape
    if not (0 <= fx <= columns - 1 and 0 <= fz <= rows - 1):
        return None
    found = []
    # On an edge any of the triangles there will do.
    for i in {int(fx), int(fx) - (fx == int(fx))} & set(range(columns - 1)):
        for j in {int(fz), int(fz) - (fz == int(fz))} & set(range(rows - 1)):
            u, v = fx - i, fz - j
            corners = {}
            for k, (a, b) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
                corners[k] = heights[j + b, i + a]
            if u + v <= 1 and not np.isnan([corners[0], corners[1], corners[2]]).any():
                a, b, c = (Fraction(float(corners[k])) for k in (0, 1, 2))
                found.append(a + u * (b - a) + v * (c - a))
            if u + v >= 1 and not np.isnan([corners[3], corners[1], corners[2]]).any():
                d, b, c = (Fraction(float(corners[k])) for k in (3, 1, 2))
                found.append(d + (1 - u) * (c - d) + (1 - v) * (b - d))
    return found[0] + Fraction(origin[1]) if found else None


def test_heights_are_exact_and_rounded_once():
    rng = np.random.default_rng(1)
    heights = rng.uniform(-5, 5, (7, 9)).astype(np.float32)
    heights[2, 3] = heights[6, 8] = np.nan
    field = hitscan.HeightField(heights, spacing=(2.0, 0.5), origin=(3, 0, -1))
    points = rng.uniform([1, -2], [21, 3], (400, 2)).astype(np.float32)
    # Samples and edges too.
    points[:100, 0] = 3 + 2 * rng.integers(0, 9, 100)
    points[50:150, 1] = -1 + 0.5 * rng.integers(0, 7, 100)
    answer = field.height(points)
    for row, (x, z) in enumerate(points):
        height = exact_height(heights, (2.0, 0.5), (3, 0, -1), float(x), float(z))
        if height is None:
            assert answer.status[row] in (GroundStatus.OUTSIDE, GroundStatus.HOLE)
            assert np.isnan(answer.height[row]) and answer.triangle[row] == -1
        else:
            assert answer.status[row] == GroundStatus.OK
            assert answer.height[row] == np.float32(float(height))
    assert set(answer.status) == {0, 1, 3}
    assert answer.height.dtype == np.float32
    np.testing.assert_array_equal(field.elevations(points), answer.height)
    np.testing.assert_allclose(np.linalg.norm(answer.normal[answer.status == 1], axis=1), 1, rtol=1e-6)


def test_the_greatest_and_the_mean_of_samples():
    rng = np.random.default_rng(2)
    heights = rng.uniform(-5, 5, (20, 30)).astype(np.float32)
    heights[rng.random(heights.shape) < 0.1] = np.nan
    field = hitscan.HeightField(heights)
    points = rng.uniform(-3, 33, (200, 2))
    points = points.astype(np.float32).astype(np.float64)
    radius = rng.uniform(0, 6, 200)
    z, x = np.mgrid[:20, :30]
    high = field.height(points, method="max", radius=radius)
    mean = field.height(points, method="mean", radius=radius)
    for row, ((px, pz), r) in enumerate(zip(points, radius, strict=True)):
        known = heights[((x - px) ** 2 + (z - pz) ** 2 <= r * r) & ~np.isnan(heights)]
        if known.size:
            assert high.height[row] == known.max()
            np.testing.assert_allclose(mean.height[row], known.astype(float).mean(), rtol=1e-6, atol=1e-6)
        else:
            assert np.isnan(high.height[row]) and high.status[row] != GroundStatus.OK
    assert (high.status == mean.status).all() and (high.triangle == -1).all()


def test_the_highest_terrain_answers_and_layers_and_ignored_ones_do_not():
    world = hitscan.World()
    for level, name in enumerate(["low", "high"]):
        world.add(hitscan.HeightField(np.full((3, 3), level)), name=name, layers=1 << level)
    world.update()
    answer = world.height([1.0, 1.0])
    assert answer.object_names.tolist() == "high" and answer.height == 1
    assert world.height([1.0, 1.0], layers=1).object_names.tolist() == "low"
    assert world.height([1.0, 1.0], ignore=["high"]).height == 0
    assert world.height([1.0, 1.0], ignore=["high", "low"]).status == GroundStatus.OUTSIDE


FIELDS = ("status", "height", "normal", "object", "triangle")


def test_fields_have_the_bits_of_all_fields():
    """Terrains that overlap, are equally high in parts, and have holes; with an origin and without."""
    rng = np.random.default_rng(20)
    world = hitscan.World(origin=[1000, 50, -70])
    shared = rng.integers(0, 3, (40, 40)).astype(np.float32)
    for number in range(3):
        heights = np.where(rng.random(shared.shape) < 0.5, shared, rng.uniform(-2, 4, shared.shape))
        heights[rng.random(shared.shape) < 0.2] = np.nan
        place = (1000.0 + number, 50.0, -70.0 + 2 * number)
        world.add(hitscan.HeightField(heights, origin=place, local_origin=place), layers=1 << number)
    world.update()
    grid = np.stack(np.meshgrid(np.arange(1000.0, 1040, 0.5), np.arange(-70.0, -30, 0.5)), axis=-1)
    points = np.concatenate([grid.reshape(-1, 2), rng.uniform([998, -72], [1050, -20], (3000, 2))])
    points[17] = np.nan
    field = hitscan.HeightField(shared + np.where(shared > 1.5, np.nan, 0), origin=(1000, 50, -70))
    for target, seen in ((world, {}), (world, {"layers": 5, "ignore": [0]}), (field, {})):
        whole = target.height(points, invalid="mark", **seen)
        assert whole.fields == FIELDS and {0, 1, 2, 3} <= set(whole.status)
        for count in range(len(FIELDS) + 1):
            for fields in itertools.combinations(FIELDS, count):
                some = target.height(points, invalid="mark", fields=fields, threads=1, **seen)
                assert some.fields == fields
                for name in fields:
                    found, expected = getattr(some, name), getattr(whole, name)
                    assert found.dtype == expected.dtype
                    np.testing.assert_array_equal(found, expected, name)
    for method in ("max", "mean"):
        whole = field.height(points[:16], method=method, radius=2.0)
        some = field.height(points[:16], method=method, radius=2.0, fields=["height"])
        np.testing.assert_array_equal(some.height, whole.height)
        assert some.shape == (16,) and some.fields == ("height",)


def test_a_field_that_was_not_asked_for():
    field = hitscan.HeightField(np.arange(16.0).reshape(4, 4))
    some = field.height(np.ones((3, 2, 2)), fields=["normal"])
    assert some.shape == (3, 2) and some[0].shape == (2,) and some[..., 0].normal.shape == (3, 3)
    assert pickle.loads(pickle.dumps(some)).fields == ("normal",)
    with pytest.raises(AttributeError, match="'height' was not asked for: name it in `fields`"):
        _ = some.height
    with pytest.raises(ValueError, match='no field is called "hight"; there are status, height'):
        field.height([1.0, 1.0], fields=["hight"])
    assert field.height([1.0, 1.0], fields=[]).fields == ()


def test_points_of_two_or_three_numbers_in_any_shape():
    field = hitscan.HeightField(np.arange(16.0).reshape(4, 4))
    grid = np.stack(np.meshgrid(np.arange(4), np.arange(4)), axis=-1)
    np.testing.assert_array_equal(field.height(grid).height, np.arange(16).reshape(4, 4))
    points = np.insert(grid.astype(float), 1, 99.0, axis=-1)
    np.testing.assert_array_equal(field.height(points).height, np.arange(16).reshape(4, 4))
    assert field.height(grid.astype(">i8")[::-1, ::2]).shape == (4, 2)
    assert field.height(np.zeros((0, 2))).height.shape == (0,)
    assert field.height(np.zeros((3, 0, 2))).shape == (3, 0)
    with pytest.raises(ValueError, match=r"points: expected .* \(\.\.\., 2\) or"):
        field.height([1.0, 2.0, 3.0, 4.0])
    with pytest.raises(ValueError, match=r"radius: .*takes none"):
        field.height([1.0, 2.0], radius=3)
    with pytest.raises(ValueError, match="none is given"):
        field.height([1.0, 2.0], method="max")


def test_bad_points():
    field = hitscan.HeightField(np.zeros((4, 4)))
    points = np.ones((5, 2))
    points[3, 1] = np.nan
    with pytest.raises(ValueError, match=r"points\[3\]: point must be finite.*1 of 5"):
        field.height(points)
    answer = field.height(points, invalid="mark")
    assert answer.status.tolist() == [1, 1, 1, 2, 1]
    with pytest.raises(ValueError, match=r"radius must be at least 0, found -1"):
        field.height(points[:2], method="max", radius=[1, -1])


def test_a_far_map_keeps_its_height():
    place = (500_000.0, 1000.0, -5_000_000.0)
    heights = np.float32([[0.1, 0.2], [0.3, 0.4]])
    field = hitscan.HeightField(heights, origin=place, local_origin=place)
    answer = field.height([[500_000.25, -4_999_999.75]])
    expected = 1000 + float(np.float32(float(exact_height(heights, (1, 1), (0, 0, 0), 0.25, 0.25))))
    assert answer.height.dtype == np.float64 and answer.height[0] == expected


def test_footprints():
    rng = np.random.default_rng(3)
    heights = rng.uniform(0, 3, (12, 12)).astype(np.float32)
    field = hitscan.HeightField(heights)
    x, z = (np.arange(400) + 0.5) / 400 * 2 - 1, (np.arange(400) + 0.5) / 400 - 0.5
    for px, pz in ((5.25, 6.5), (3.0, 3.125)):
        ground = field.footprints([px, pz], half_sizes=(1.0, 0.5))
        points = np.stack(np.meshgrid(px + x, pz + z), axis=-1)
        dense = field.height(points).height
        assert abs(ground.height - dense.mean()) < 1e-3
        assert ground.min <= dense.min() < ground.min + 0.05
        assert ground.max >= dense.max() > ground.max - 0.05
        assert ground.coverage == 1
    disc = field.footprints([[5, 5], [-9, -9]], radius=[2.0, 1.0])
    assert disc.status.tolist() == [GroundStatus.OK, GroundStatus.OUTSIDE]
    holes = hitscan.HeightField(np.full((4, 4), np.nan))
    assert holes.footprints([1.0, 1.0], radius=0.5).status == GroundStatus.HOLE
    with pytest.raises(ValueError, match="either a radius"):
        field.footprints([1.0, 1.0])
    with pytest.raises(ValueError, match="footprint radius"):
        field.footprints([1.0, 1.0], radius=0.0)
    quarter = field.footprints([5.25, 6.5], half_sizes=(0.5, 1.0), angle=np.pi / 2)
    np.testing.assert_allclose(quarter.height, field.footprints([5.25, 6.5], half_sizes=(1.0, 0.5)).height, rtol=1e-6)
