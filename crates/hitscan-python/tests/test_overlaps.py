"""Pairs of objects, regions and impacts, by brute force."""

import numpy as np
import oracle
import pytest

import hitscan
from hitscan import OverlapKind


def boxes_world(rng, count, reach=12):
    low = rng.integers(-reach, reach, (count, 3)) / 2
    high = low + rng.integers(0, 9, (count, 3)) / 2
    world = hitscan.World()
    for one, other in zip(low, high, strict=True):
        world.add(hitscan.Box(one, other))
    world.update()
    return world, low, high


def test_pairs_of_boxes():
    world, low, high = boxes_world(np.random.default_rng(1), 60)
    touch = ((low[:, None] <= high) & (low <= high[:, None])).all(2)
    meet = ((low[:, None] < high) & (low < high[:, None])).all(2)
    a, b = np.nonzero(np.triu(touch, 1))
    pairs = world.broad_phase_pairs()
    np.testing.assert_array_equal(pairs.a, a)
    np.testing.assert_array_equal(pairs.b, b)
    np.testing.assert_array_equal(pairs.min, np.maximum(low[a], low[b]))
    np.testing.assert_array_equal(pairs.max, np.minimum(high[a], high[b]))
    assert (world.overlaps(exact=False).a == pairs.a).all()
    full = ((high - low) > 0).all(1)
    exact = world.overlaps()
    solid = full[exact.a] & full[exact.b] & (exact.kind != OverlapKind.TOUCH)
    found = set(zip(np.minimum(exact.a, exact.b)[solid], np.maximum(exact.a, exact.b)[solid], strict=True))
    wanted = {(i, j) for i, j in zip(*np.nonzero(np.triu(meet, 1)), strict=True) if full[i] and full[j]}
    assert found == wanted and len(wanted) > 20
    for i, j in list(wanted)[:5]:
        own = world.overlaps_of(int(j), int(i))
        assert len(own) == 1 and {own.a[0], own.b[0]} == {i, j}
    assert len(world.overlaps(ignore=range(60))) == 0
    assert len(world.overlaps(layers=2)) == len(world.broad_phase_pairs(layers=2)) == 0


def test_triangles_that_cross_have_a_segment():
    floor = hitscan.TriMesh([[0, 0, 0], [0, 0, 4], [4, 0, 0]], [[0, 1, 2]])
    blade = hitscan.TriMesh([[1, -1, 1], [2, -1, 1], [1, 3, 1]], [[0, 1, 2]])
    world = hitscan.World()
    world.add(floor, name="floor")
    world.add(blade, name="blade")
    world.update()
    overlaps = world.overlaps()
    assert overlaps.kind.tolist() == [OverlapKind.CROSS]
    assert overlaps.segment.tolist() == [[[1, 0, 1], [1.75, 0, 1]]]
    assert overlaps.a_names.tolist() == ["floor"] and overlaps.b_names.tolist() == ["blade"]
    assert (overlaps.a_part[0], overlaps.a_triangle[0]) == (0, 0)
    assert overlaps[overlaps.kind == 3].segment.shape == (0, 2, 3)


def test_touching_and_containing():
    closed = hitscan.TriMesh(*oracle.box_mesh())
    world = hitscan.World()
    world.add(closed)
    inside = world.add(hitscan.Sphere([0.5, 0.5, 0.5], 0.25))
    beside = world.add(hitscan.Box([1, 0, 0], [2, 1, 1]))
    world.update()
    held = world.overlaps_of(0, inside)
    assert held.kind.tolist() == [OverlapKind.CONTAINS]
    assert held.a.tolist() == [0] and held.a_triangle.tolist() == [-1]
    assert np.isnan(held.segment).all()
    touch = world.overlaps_of(0, beside)
    assert set(touch.kind) == {OverlapKind.TOUCH}
    with pytest.raises(KeyError, match="is not in this world"):
        world.overlaps_of(0, 77)


def test_regions():
    rng = np.random.default_rng(2)
    world, low, high = boxes_world(rng, 50)
    regions = rng.integers(-20, 20, (4, 5, 3)) / 2
    ends = regions + rng.integers(0, 12, (4, 5, 3)) / 2
    found = world.objects_in(regions, ends)
    touch = ((low <= ends.reshape(-1, 1, 3)) & (high >= regions.reshape(-1, 1, 3))).all(2)
    question, number = np.nonzero(touch)
    np.testing.assert_array_equal(found.object, number)
    np.testing.assert_array_equal(found.question, question)
    np.testing.assert_array_equal(found.count, touch.sum(1))
    assert found.splits[-1] == len(found)
    assert len(world.objects_in([99, 99, 99], [99, 99, 99])) == 0
    with pytest.raises(ValueError, match=r"region\[1\]"):
        world.objects_in([[0, 0, 0], [1, 0, 0]], [0, 0, 0])
    marked = world.objects_in([[-99, -99, -99], [np.nan, 0, 0]], [99, 99, 99], invalid="mark")
    assert marked.count.tolist() == [50, 0]


def test_impacts():
    rng = np.random.default_rng(3)
    world, low, high = boxes_world(rng, 12, 8)
    motions = rng.integers(-20, 20, (6, 3)) / 4
    impacts = world.impacts(np.arange(6), motions)
    assert (impacts.a < impacts.b).all() and (np.diff(impacts.t) >= 0).all()
    for row in range(len(impacts)):
        a, b = impacts.a[row], impacts.b[row]
        assert a < 6
        way = motions[a] - (motions[b] if b < 6 else 0)
        # The boxes touch at the time, up to the rounding of t.
        gap = np.maximum(low[b] - high[a] - way * impacts.t[row], low[a] + way * impacts.t[row] - high[b])
        assert gap.max() < 1e-5
        overlaps = ((low[a] < high[b]) & (low[b] < high[a])).all()
        assert not impacts.overlap[row] or (overlaps and impacts.t[row] == 0)
    assert len(impacts) > 3
    # One by one, as sweeps against the others at rest.
    alone = world.impacts([0], motions[:1])
    hits = world.cast_shapes_all(hitscan.Boxes(low[0], high[0]), motions[0], ignore=[0])
    assert dict(zip(alone.b.tolist(), alone.t.tolist(), strict=True)) == dict(
        zip(hits.object.tolist(), hits.t.tolist(), strict=True)
    )
    assert len(world.impacts([], np.zeros((0, 3)))) == 0
    with pytest.raises(ValueError, match="one for each of 2 objects, found 1"):
        world.impacts([0, 1], [[1, 0, 0]])
    with pytest.raises(ValueError, match="motion of an object must be finite"):
        world.impacts([0], [[np.nan, 0, 0]])
