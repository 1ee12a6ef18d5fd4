"""Moving solids against exact fractions, and what touches."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import hitscan
from hitscan import StartState, Status


def entry_time(low, high, motion, box_low, box_high):
    """When a moving box enters another, exactly; None where it does not, or they only graze."""
    enter, leave = Fraction(-1), Fraction(10**9)
    for k in range(3):
        lo, hi, v = Fraction(low[k]), Fraction(high[k]), Fraction(motion[k])
        blo, bhi = Fraction(box_low[k]), Fraction(box_high[k])
        if v == 0:
            if hi <= blo or bhi <= lo:
                return None
            continue
        a, b = (blo - hi) / v, (bhi - lo) / v
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    if enter >= leave or leave <= 0 or enter > 1:
        return None
    return max(enter, Fraction(0))


def boxes(rng, count, size):
    low = rng.integers(-40, 40, (count, 3)) / 4
    return low, low + rng.integers(1, size, (count, 3)) / 4


def test_boxes_against_fractions():
    rng = np.random.default_rng(1)
    lows, highs = boxes(rng, 12, 20)
    world = hitscan.World()
    for low, high in zip(lows, highs, strict=True):
        world.add(hitscan.Box(low, high))
    world.update()
    low, high = boxes(rng, 400, 12)
    motion = rng.integers(-60, 60, (400, 3)) / 4
    motion[rng.random((400, 3)) < 0.2] = 0
    hits = world.sweep_boxes(low, high, motion)
    count = 0
    for row in range(400):
        times = [
            (entry_time(low[row], high[row], motion[row], *box), number)
            for number, box in enumerate(zip(lows, highs, strict=True))
        ]
        times = [one for one in times if one[0] is not None]
        overlaps = [
            number
            for number in range(12)
            if (low[row] < highs[number]).all() and (lows[number] < high[row]).all()
        ]
        if overlaps:
            # What overlaps at the start is there at t = 0, whatever the motion.
            times += [(Fraction(0), number) for number in overlaps]
        if not times:
            assert not hits.hit[row], row
            assert np.isinf(hits.t[row]) and hits.object[row] == -1
            continue
        count += 1
        t, number = min(times)
        assert hits.t[row] == np.float32(float(t)), row
        assert hits.object[row] == number
        assert (hits.start[row] == StartState.OVERLAP) == (number in overlaps)
    assert 80 < count < 390
    np.testing.assert_array_equal(
        world.cast_shapes_any(hitscan.Boxes(low, high), motion), hits.hit
    )
    every = world.cast_shapes_all(hitscan.Boxes(low, high), motion)
    np.testing.assert_array_equal(every.count > 0, hits.hit)
    first = every.splits[:-1][hits.hit]
    np.testing.assert_array_equal(every.t[first], hits.t[hits.hit])
    np.testing.assert_array_equal(every.object[first], hits.object[hits.hit])
    assert (np.diff(every.question) >= 0).all()


def test_spheres_meet_spheres():
    rng = np.random.default_rng(2)
    world = hitscan.World()
    world.add(hitscan.Sphere([0, 0, 0], 2))
    world.update()
    centers = rng.uniform(-9, 9, (300, 3)).astype(np.float32)
    motion = (-1.5 * centers + rng.standard_normal((300, 3)) * 2).astype(np.float32)
    radius = rng.uniform(0.1, 1, 300).astype(np.float32)
    hits = world.cast_shapes(hitscan.Spheres(centers, radius), motion)
    c, v, r = centers.astype(float), motion.astype(float), 2 + radius.astype(float)
    a, b, q = (v * v).sum(1), (c * v).sum(1), (c * c).sum(1) - r * r
    root = b * b - a * q
    t = (-b - np.sqrt(np.maximum(root, 0))) / a
    meets = (root > 0) & (t >= 0) & (t <= 1) & (q > 0)
    outside = q > 1e-6
    np.testing.assert_array_equal(hits.hit[outside], meets[outside])
    np.testing.assert_allclose(hits.t[meets], t[meets], rtol=1e-5, atol=1e-7)


def test_one_solid_a_list_and_arrays_are_the_same_question():
    field = hitscan.HeightField(np.zeros((9, 9)))
    solids = [
        hitscan.Sphere([4, 3, 4], 1),
        hitscan.Box([3, 2, 3], [5, 4, 5]),
        hitscan.OrientedBox([4, 3, 4], [1, 1, 1]),
        hitscan.Capsule([4, 3, 4], [4, 5, 4], 1),
    ]
    together = field.cast_shapes(solids, [0, -8, 0])
    assert together.t.tolist() == [0.25] * 4
    for row, solid in enumerate(solids):
        assert field.cast_shapes(solid, [0, -8, 0]).t == together.t[row]
    assert field.cast_shapes(solids, np.full((5, 1, 3), [0, -8, 0])).shape == (5, 4)
    assert field.cast_shapes(solids[:1], np.full((5, 1, 3), [0, -8, 0])).shape == (5, 1)
    assert field.cast_shapes([], [0, -8, 0]).shape == (0,)
    with pytest.raises(ValueError, match=r"do not broadcast: motion \(3,\), shapes \(4,\)"):
        field.cast_shapes(solids, np.zeros((3, 3)))
    with pytest.raises(TypeError, match="found 7"):
        field.cast_shapes([solids[0], 7], [0, 0, 0])
    boxed = hitscan.Boxes(np.full((2, 1, 3), 3), [[4, 4, 4], [5, 5, 5], [6, 6, 6]])
    assert field.cast_shapes(boxed, [0, -8, 0]).shape == (2, 3)


def test_touching_and_zero_extents():
    world = hitscan.World()
    world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    world.update()
    beside = world.sweep_boxes([-1, 0, 0], [0, 1, 1], [[1, 0, 0], [-1, 0, 0], [0, 5, 0], [0, 0, 0]])
    assert beside.start.tolist() == [StartState.TOUCHING, -1, -1, -1]
    assert beside.t.tolist() == [0, np.inf, np.inf, np.inf]
    flat = world.sweep_boxes([-2, 0.5, 0.5], [-2, 0.5, 0.5], [4, 0, 0])
    assert flat.t == 0.5 and flat.normal.tolist() == [-1, 0, 0]
    inside = world.sweep_boxes([0.25, 0.25, 0.25], [0.5, 0.5, 0.5], [9, 0, 0])
    assert inside.start == StartState.OVERLAP and inside.t == 0 and inside.separation == -0.5
    assert not inside.normal.any()
    leaving = world.sweep_boxes([-0.75, 0, 0], [0.25, 1, 1], [[-9, 0, 0], [9, 0, 0]], initial_overlap="escape")
    assert leaving.hit.tolist() == [False, True] and leaving.normal[1].tolist() == [-1, 0, 0]
    assert np.isnan(leaving.normal[0]).all()


def test_overlaps_is_an_alias_of_initial_overlap():
    world = hitscan.World()
    world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    world.update()
    low, high, motion = [-0.75, 0, 0], [0.25, 1, 1], [[-9, 0, 0], [9, 0, 0]]
    box, boxes = hitscan.Box(low, high), hitscan.Boxes(low, high)
    calls = [
        lambda **given: world.cast_shapes(boxes, motion, **given).hit.tolist(),
        lambda **given: world.cast_shapes_any(boxes, motion, **given).tolist(),
        lambda **given: world.cast_shapes_all(boxes, motion, **given).count.tolist(),
        lambda **given: world.sweep_boxes(low, high, motion, **given).hit.tolist(),
        lambda **given: [world.explain_shape(box, row, **given)[0].verdict == "answer" for row in motion],
    ]
    for call in calls:
        assert call() == call(overlaps="stop") == call(initial_overlap="stop") == [True, True]
        assert call(overlaps="leave") == call(initial_overlap="escape") == [False, True]
        with pytest.raises(ValueError, match="found both"):
            call(overlaps="stop", initial_overlap="stop")
        with pytest.raises(ValueError, match='initial_overlap: expected "stop" or "escape", found "leave"'):
            call(initial_overlap="leave")


def test_a_solid_slides_over_edges_and_meets_a_step():
    heights = np.zeros((9, 9))
    heights[:, 6:] = 2
    field = hitscan.HeightField(heights)
    slide = field.sweep_boxes([1, 0, 3], [2, 1, 4], [2.75, 0, 0])
    assert not slide.hit
    step = field.sweep_boxes([1, 0, 3], [2, 1, 4], [8, 0, 0])
    assert step.hit and 3 / 8 <= step.t < 4 / 8
    assert step.side == hitscan.Side.FRONT and step.triangle >= 0


def test_bad_solids():
    world = hitscan.World()
    world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    world.update()
    low = np.full((4, 3), -2.0)
    high = low + 1
    low[1, 2], high[3, 0] = np.nan, -9
    with pytest.raises(ValueError, match=r"shape\[1\]: .*2 of 4"):
        world.sweep_boxes(low, high, [9, 9, 9])
    hits = world.sweep_boxes(low, high, [9, 9, 9], invalid="mark")
    assert hits.status.tolist() == [Status.HIT, Status.INVALID, Status.HIT, Status.INVALID]
    assert world.cast_shapes_any(hitscan.Boxes(low, high), [9, 9, 9], invalid="mark").tolist() == [
        True,
        False,
        True,
        False,
    ]
    every = world.cast_shapes_all(hitscan.Boxes(low, high), [9, 9, 9], invalid="mark")
    assert every.count.tolist() == [1, 0, 1, 0]
    with pytest.raises(ValueError, match="radius"):
        world.cast_shapes(hitscan.Spheres([0, 0, 9], [[1.0], [0.0]]), [1, 0, 0])
    with pytest.raises(ValueError, match="motion"):
        world.sweep_boxes([0, 0, 9], [1, 1, 10], [[1, 0, np.inf]])
    with pytest.raises(ValueError, match='overlaps: expected "stop"'):
        world.sweep_boxes([0, 0, 9], [1, 1, 10], [1, 0, 0], overlaps="no")


def test_many_solids_on_threads_are_those_one_by_one():
    rng = np.random.default_rng(5)
    world = hitscan.World()
    for center in rng.uniform(-20, 20, (50, 3)):
        world.add(hitscan.Sphere(center, 1.5))
    world.update()
    low = rng.uniform(-20, 20, (3000, 3))
    motion = rng.uniform(-9, 9, (3000, 3))
    alone = world.sweep_boxes(low, low + 1, motion, threads=1)
    shared = world.sweep_boxes(low, low + 1, motion)
    assert alone.hit.any() and not alone.hit.all()
    np.testing.assert_array_equal(alone.t, shared.t)
    every = world.cast_shapes_all(hitscan.Boxes(low, low + 1), motion)
    for row in range(0, 3000, 97):
        one = world.cast_shapes_all(hitscan.Boxes(low[row], low[row] + 1), motion[row])
        own = every[every.splits[row] : every.splits[row + 1]]
        np.testing.assert_array_equal(one.t, own.t)
        np.testing.assert_array_equal(one.object, own.object)


def test_far_from_0():
    origin = np.array([500_000.0, 0, 5_000_000.0])
    world = hitscan.World(origin=origin)
    world.add(hitscan.Box(origin + [4, 0, 0], origin + [5, 1, 1]), name="wall")
    world.update()
    hits = world.sweep_boxes(origin, origin + [1.125, 1, 1], [[5.75, 0, 0]])
    assert hits.t[0] == 0.5 and hits.point[0, 0] == origin[0] + 4
    assert hits.point.dtype == np.float64


def test_hits_are_sliced_masked_and_pickled():
    world = hitscan.World()
    world.add(hitscan.Box([4, 0, 0], [5, 1, 1]), name="wall")
    world.update()
    hits = world.sweep_boxes([0, 0, 0], [1, 1, 1], np.eye(3).reshape(3, 1, 3) * [9, 9, 9] * np.ones((2, 1)))
    assert hits.shape == (3, 2) and len(hits) == 3
    assert hits[hits.hit].shape == (2,) and hits[0].shape == (2,)
    assert hits[..., 1].point.shape == (3, 3)
    for other in (pickle.loads(pickle.dumps(hits)), copy.deepcopy(hits)):
        np.testing.assert_array_equal(other.t, hits.t)
        assert other[0].object_names.tolist() == ["wall", "wall"]
    every = world.cast_shapes_all(hitscan.Sphere([0, 0.5, 0.5], 0.5), [[9, 0, 0], [0, 9, 0]])
    every = pickle.loads(pickle.dumps(every))
    assert every.splits.tolist() == [0, 1, 1] and every.object_names.tolist() == ["wall"]
    with pytest.raises(TypeError, match="no length"):
        len(hits[0, 0])
