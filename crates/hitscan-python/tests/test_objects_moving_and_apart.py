"""Objects that move, solids that turn, and how far objects are apart, against arithmetic in f64."""

import numpy as np
import pytest

import hitscan
from hitscan import Relation, Status, TurningStatus

FAR = np.array([500_000.25, 120.5, 5_800_000.75])


def crate(low, high):
    """A box as twelve triangles."""
    corners = np.array([[(low, high)[(k >> axis) & 1][axis] for axis in range(3)] for k in range(8)])
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in faces for t in ((a, b, c), (a, c, d))]


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
def test_distances_of_spheres_and_boxes(origin):
    rng = np.random.default_rng(8)
    centers = rng.integers(-64, 64, (12, 3)) / 16
    lows = rng.integers(-64, 64, (12, 3)) / 16
    sizes = rng.integers(1, 40, (12, 3)) / 16
    world = hitscan.World(origin=origin if origin.any() else None)
    balls = [world.add(hitscan.Sphere(origin + center, 0.5)) for center in centers]
    boxes = [
        world.add(hitscan.Box(origin + low, origin + low + size)) for low, size in zip(lows, sizes, strict=True)
    ]
    found = world.distances(np.repeat(balls, 12), np.tile(boxes, 12))
    nearest = np.clip(centers[:, None], lows[None], (lows + sizes)[None])
    apart = np.linalg.norm(centers[:, None] - nearest, axis=-1).reshape(-1) - 0.5
    assert (apart < 0).any() and (apart > 0).any()
    np.testing.assert_allclose(found.distance, np.maximum(apart, 0), rtol=1e-6)
    np.testing.assert_array_equal(found.relation == Relation.OVERLAP, apart < 0)
    is_apart = apart > 0
    np.testing.assert_allclose(
        found.b_point[is_apart] - origin, nearest.reshape(-1, 3)[is_apart], atol=2e-6
    )
    limit = float(np.median(apart[is_apart]))
    near = world.distances(np.repeat(balls, 12), np.tile(boxes, 12), max_distance=limit)
    np.testing.assert_array_equal(near.status == Status.HIT, apart <= limit)
    one = world.distances(balls[0], boxes[0])
    assert one.shape == () and one.distance == found.distance[0]


def test_pairs_within_are_those_of_all_pairs():
    rng = np.random.default_rng(9)
    centers = rng.integers(-80, 80, (30, 3)) / 16
    world = hitscan.World()
    for center in centers:
        world.add(hitscan.Sphere(center, 0.25))
    gaps = np.maximum(np.linalg.norm(centers[:, None] - centers[None], axis=-1) - 0.5, 0)
    expected = [(a, b) for a in range(30) for b in range(a + 1, 30) if gaps[a, b] <= 2]
    pairs = world.pairs_within(2)
    assert list(zip(pairs.a.tolist(), pairs.b.tolist(), strict=True)) == expected
    nearest = world.closest_pair()
    upper = gaps[np.triu_indices(30, 1)]
    assert float(nearest.distance[0]) == pytest.approx(upper.min(), rel=1e-6)
    assert len(hitscan.World().closest_pair()) == 0


def test_distances_refuse_what_is_no_question():
    world = hitscan.World()
    a, b = world.add(hitscan.Sphere([0, 0, 0], 1)), world.add(hitscan.Sphere([5, 0, 0], 1))
    with pytest.raises(ValueError, match="max_distance"):
        world.distances(a, b, max_distance=-1)
    marked = world.distances(a, b, max_distance=[np.nan, 9], invalid="mark")
    assert marked.status.tolist() == [Status.INVALID, Status.HIT]
    with pytest.raises(ValueError, match="one object for each of 2"):
        world.distances([a, b], [a, b, a])
    with pytest.raises(KeyError):
        world.distances(a, "nobody")
    with pytest.raises(ValueError, match="at least 0"):
        world.pairs_within(-1)
    table = world.distances([a], [b]).to_pandas()
    assert table["distance"].tolist() == [3.0] and table["a"].tolist() == ["sphere0"]


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
def test_moving_meshes_hit_when_their_boxes_do(origin):
    rng = np.random.default_rng(10)
    wall_low, wall_high = np.array([4.0, -2, -2]), np.array([5.0, 2, 2])
    world = hitscan.World(origin=origin if origin.any() else None)
    corners, triangles = crate([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5])
    mesh = hitscan.TriMesh(origin + corners, triangles, origin=origin if origin.any() else None)
    world.add(mesh, name="crate")
    wall = world.add(hitscan.Box(origin + wall_low, origin + wall_high), name="wall")
    motion = rng.integers(-160, 160, (300, 3)) / 16
    hits = world.cast_objects("crate", motion)
    swept = world.sweep_boxes(origin - 0.5, origin + 0.5, motion, ignore="crate")
    np.testing.assert_array_equal(hits.hit, swept.hit)
    np.testing.assert_array_equal(hits.t, swept.t)
    assert 5 < hits.hit.sum() < 250
    assert (hits.object[hits.hit] == wall).all()
    assert (hits.mover_triangle[hits.hit] >= 0).all()
    assert (hits.mover_triangle[~hits.hit] == -1).all()
    np.testing.assert_array_equal(world.cast_objects_any("crate", motion), hits.hit)
    both = world.cast_objects(["crate", "wall"], [[8, 0, 0], [-8, 0, 0]])
    assert both.t.tolist() == [3.5 / 8, 3.5 / 8]
    assert both.object_names.tolist() == ["wall", "crate"]


def box_gap(center, angle, half, point):
    """How far a point is from a box that is turned about y."""
    c, s = np.cos(angle), np.sin(angle)
    away = point - center
    local = np.array([c * away[0] - s * away[2], away[1], s * away[0] + c * away[2]])
    return np.linalg.norm(np.maximum(np.abs(local) - half, 0))


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
def test_a_beam_that_turns_overlaps_nothing_before_it_hits(origin):
    rng = np.random.default_rng(11)
    half = np.array([2.0, 0.25, 0.25])
    hits = 0
    for _ in range(40):
        post = rng.integers(-48, 48, 3) / 16
        post[1] = 0.125
        angle = float(rng.integers(-64, 64)) / 8
        motion = rng.integers(-32, 32, 3) / 16 * [1, 0, 1]
        if box_gap(np.zeros(3), 0.0, half, post) < 0.5:
            continue
        world = hitscan.World(origin=origin if origin.any() else None)
        world.add(hitscan.Sphere(origin + post, 0.25))
        beam = hitscan.Box(origin - half, origin + half)
        found = world.cast_turnings(beam, [0, 1, 0], angle, motion=motion, tolerance=1e-3)
        end = float(found.t) if found.hit else 1.0
        times = np.linspace(0, end, 2000)
        gaps = [box_gap(t * motion, t * angle, half, post) - 0.25 for t in times]
        assert min(gaps) > -1e-6
        if found.hit:
            hits += 1
            assert found.status == TurningStatus.HIT
            assert gaps[-1] <= 1e-3 + 1e-5
            assert found.gap <= np.float32(1e-3)
    assert hits > 8


def test_turnings_take_rows_and_refuse_what_is_none():
    ground = hitscan.HeightField(np.zeros((9, 9)))
    beam = hitscan.Box([2, 1, 3.9], [6, 1.1, 4.1])
    found = ground.cast_turnings(beam, [0, 0, 1], [np.pi / 2, 0.1, np.nan], invalid="mark")
    assert found.status.tolist() == [TurningStatus.HIT, TurningStatus.MISS, TurningStatus.INVALID]
    assert found.hit.tolist() == [True, False, False]
    with pytest.raises(ValueError, match="axis"):
        ground.cast_turnings(beam, [0, 0, 0], 1.0)
    with pytest.raises(ValueError, match="tolerance"):
        ground.cast_turnings(beam, [0, 0, 1], 1.0, tolerance=0)
    inside = ground.cast_turnings(hitscan.Box([2, -1, 2], [3, 1, 3]), [0, 1, 0], 1.0)
    assert inside.status == TurningStatus.OVERLAP and inside.t == 0


def test_questions_about_the_past():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    wall = world.add(hitscan.Box([10, -5, -5], [11, 5, 5]), name="wall")
    world.keep_history(4)
    for tick, x in enumerate([0.0, 4.0]):
        place = np.eye(4)
        place[0, 3] = x
        world.set_transforms([ball], place[None])
        world.update()
        world.record(tick)
    assert world.distances(ball, wall, ticks=[0, 0.5, 1]).distance.tolist() == [9, 7, 5]
    assert world.cast_objects(ball, [18, 0, 0], ticks=[0, 1]).t.tolist() == [0.5, np.float32(5 / 18)]


def test_whole_objects_turn_as_their_shape_does():
    rng = np.random.default_rng(7)
    half = np.array([1.0, 0.25, 0.125])
    found = 0
    for _ in range(40):
        world = hitscan.World()
        beam = world.add(hitscan.Box(-half, half), name="beam")
        at = rng.uniform(-1.2, 1.2, 3)
        world.add(hitscan.Sphere(at, 0.25), name="post")
        angle, axis = rng.uniform(-3, 3), rng.normal(size=3)
        motion = rng.uniform(-1, 1, 3)
        whole = world.cast_turning_objects("beam", axis, angle, motion=motion, tolerance=1e-3)
        shape = world.cast_turnings(
            hitscan.Box(-half, half), axis, angle, motion=motion, tolerance=1e-3, ignore=[beam]
        )
        assert whole.t.tobytes() == shape.t.tobytes() and whole.status == shape.status
        assert whole.object_names.item() == shape.object_names.item()
        found += int(whole.hit)
    assert 5 < found < 40
    world = hitscan.World()
    gate = world.add(hitscan.TriMesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]]))
    world.add(hitscan.Sphere([1, 0.5, -1], 0.25))
    turns = world.cast_turning_objects([gate], [0, 1, 0], [np.pi / 2, -0.5], pivot=[0, 0, 0])
    assert turns.hit.tolist() == [True, False]
    assert turns.mover_triangle.tolist() == [0, -1]
    with pytest.raises(ValueError, match="axis"):
        world.cast_turning_objects(gate, [0, 0, 0], 1.0)
    with pytest.raises(KeyError):
        world.cast_turning_objects("none", [0, 0, 1], 1.0)


def test_impacts_of_shapes_are_casts_of_one_as_the_other_sees_it():
    world = hitscan.World()
    names = ["ball", "box", "sheet"]
    world.add(hitscan.Sphere([0, 0, 0], 0.5), name="ball")
    world.add(hitscan.Box([3, 0.25, -1], [4, 1, 1]), name="box")
    sheet = hitscan.TriMesh([[8, -2, -2], [8, 4, -2], [8, -2, 4]], [[0, 1, 2]])
    world.add(sheet, name="sheet")
    motions = np.array([[4.0, 0, 0], [-2.0, 0, 0], [-8.0, 0, 0]])
    found = world.shape_impacts(names, motions)
    boxes = world.impacts(names, motions)
    assert len(found.t) == len(boxes.t) == 3
    for i, (a, b) in enumerate(zip(found.a_names, found.b_names, strict=True)):
        relative = motions[names.index(a)] - motions[names.index(b)]
        others = [name for name in names if name not in (a, b)]
        alone = world.cast_objects(a, relative, ignore=others)
        assert alone.t == found.t[i] and alone.object_names.item() == b
        np.testing.assert_array_equal(alone.normal, found.normal[i])
    # The ball passes under the corner of its box, and is later than that.
    assert found.t[list(zip(found.a_names, found.b_names)).index(("ball", "box"))] > 2.5 / 6
    assert found.b_triangle[found.b_names == "sheet"].tolist() == [0, 0]
    with pytest.raises(ValueError, match="motions"):
        world.shape_impacts(names, motions[:2])
