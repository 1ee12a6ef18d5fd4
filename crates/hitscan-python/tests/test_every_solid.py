"""Cylinders, convex hulls and compounds against arithmetic in f64."""

import itertools
import pickle

import numpy as np
import pytest

import hitscan

FAR = np.array([500_000.25, 120.5, 5_800_000.75])


def upright_cylinder_times(center, half, radius, origin, direction):
    """When a ray enters an upright cylinder from outside, inf where it does not."""
    o, d = origin - center, direction
    a, b = d[0] ** 2 + d[2] ** 2, o[0] * d[0] + o[2] * d[2]
    c = o[0] ** 2 + o[2] ** 2 - radius**2
    root = b * b - a * c
    if root <= 0:
        return np.inf
    side = np.array([-b - np.sqrt(root), -b + np.sqrt(root)]) / a
    if d[1] == 0:
        ends = np.array([-np.inf, np.inf] if abs(o[1]) < half else [np.inf, np.inf])
    else:
        ends = np.sort((np.array([-half, half]) - o[1]) / d[1])
    enter, leave = max(side[0], ends[0]), min(side[1], ends[1])
    return enter if 0 <= enter < leave else np.inf


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
def test_rays_at_cylinders(origin):
    rng = np.random.default_rng(5)
    center = np.array([1.0, 2.0, -1.0])
    world = hitscan.World(origin=origin if origin.any() else None)
    ends = [origin + center - [0, 1.5, 0], origin + center + [0, 1.5, 0]]
    pillar = world.add(hitscan.Cylinder(*ends, 0.75), name="pillar")
    eyes = rng.integers(-320, 320, (2000, 3)) / 64
    eyes[:, 0] += 8
    aims = center + rng.integers(-128, 128, (2000, 3)) / 64 - eyes
    hits = world.cast_rays(origin + eyes, aims)
    times = [upright_cylinder_times(center, 1.5, 0.75, eye, aim) for eye, aim in zip(eyes, aims, strict=True)]
    assert 500 < np.isfinite(times).sum() < 1900
    np.testing.assert_array_equal(hits.hit, np.isfinite(times))
    np.testing.assert_allclose(hits.t, times, rtol=1e-6)
    assert (hits.object[hits.hit] == pillar).all()


def planes_of_hull(points):
    """All planes through three of the points that have all others on one side: normals outward, and offsets."""
    planes = []
    for a, b, c in itertools.combinations(points, 3):
        normal = np.cross(b - a, c - a)
        sides = (points - a) @ normal
        if not sides.max() > 1e-12 or not sides.min() < -1e-12:
            normal = normal if sides.max() <= 1e-12 else -normal
            planes.append((normal, normal @ a))
    return planes


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
def test_rays_at_hulls(origin):
    rng = np.random.default_rng(6)
    points = rng.integers(-64, 64, (14, 3)) / 32
    planes = planes_of_hull(points)
    world = hitscan.World(origin=origin if origin.any() else None)
    world.add(hitscan.ConvexHull(origin + points), name="rock")
    eyes = rng.integers(-64, 64, (1500, 3)) / 16 + [0, 0, 9]
    aims = rng.integers(-64, 64, (1500, 3)) / 32 - eyes
    hits = world.cast_rays(origin + eyes, aims)
    for row, (eye, aim) in enumerate(zip(eyes, aims, strict=True)):
        enter, leave = 0.0, np.inf
        for normal, offset in planes:
            towards, height = normal @ aim, offset - normal @ eye
            if towards < 0:
                enter = max(enter, height / towards)
            elif towards > 0:
                leave = min(leave, height / towards)
            elif height < 0:
                leave = -1.0
        if abs(enter - leave) < 1e-9:
            continue
        assert hits.hit[row] == (enter < leave), row
        if hits.hit[row]:
            assert hits.t[row] == pytest.approx(enter, rel=1e-6)
    assert 300 < hits.hit.sum() < 1450


def test_corners_of_a_hull_are_points_that_no_others_hold():
    corners = np.array(list(itertools.product([0.0, 2.0], repeat=3)))
    inner = np.random.default_rng(7).uniform(0, 2, (200, 3))
    on_faces = corners * [1, 1, 0] + [0, 0, 2]
    hull = hitscan.ConvexHull(np.concatenate([inner, corners, on_faces / 2 + [0.5, 0.5, 1]]))
    assert {tuple(corner) for corner in hull.corners.tolist()} == {tuple(c) for c in corners.tolist()}
    simple = hull.simplified(6)
    assert len(simple.corners) <= 6
    world = hitscan.World()
    world.add(simple)
    assert world.overlaps_shapes(hitscan.Spheres(corners, 1e-3)).all()


def test_hulls_of_meshes_and_as_moving_shapes():
    mesh = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 0, 1], [0.2, 0, 0.2]], [[0, 1, 3], [0, 2, 3]])
    hull = hitscan.ConvexHull.from_mesh(mesh)
    assert len(hull.corners) == 3
    ground = hitscan.HeightField(np.zeros((9, 9)))
    lifted = hitscan.ConvexHull(hull.points + [2, 3, 2], 0.5)
    hits = ground.cast_shapes(lifted, [[0, -5, 0], [0, 5, 0]])
    assert hits.t.tolist() == [0.5, np.inf]
    both = ground.cast_shapes([lifted, hitscan.Cylinder([3, 1, 3], [3, 2, 3], 0.5)], [0, -5, 0])
    assert both.t.tolist() == [0.5, np.float32(0.2)]


@pytest.mark.parametrize(
    "shape",
    [
        hitscan.Cylinder([0, 0, 0], [0, 3, 0], 0.5),
        hitscan.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], 0.25),
        hitscan.Compound({"head": hitscan.Sphere([0, 2, 0], 0.5), "leg": hitscan.Box([0, 0, 0], [1, 1, 1])}),
    ],
)
def test_they_are_pickled_and_compare(shape):
    again = pickle.loads(pickle.dumps(shape))
    assert again == shape
    assert type(again) is type(shape)
    world = hitscan.World()
    world.add(again, name="it")
    kept = hitscan.World.from_bytes(world.to_bytes())
    ray = [0.25, 9, 0.25], [0, -1, 0]
    assert kept.cast_rays(*ray).t == world.cast_rays(*ray).t < 9


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hitscan.Cylinder([0, 0, 0], [0, 0, 0], 1), "cylinder"),
        (lambda: hitscan.Cylinder([0, 0, 0], [0, 1, 0], 0), "radius"),
        (lambda: hitscan.ConvexHull(np.zeros((0, 3))), "points"),
        (lambda: hitscan.ConvexHull([[0, np.nan, 0]]), "finite"),
        (lambda: hitscan.ConvexHull([[0, 0, 0]], -1), "radius"),
        (lambda: hitscan.Compound({}), "parts"),
        (lambda: hitscan.Compound({"a;b": hitscan.Sphere([0, 0, 0], 1)}), "a;b"),
    ],
)
def test_what_is_no_solid_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_what_is_no_part_is_refused():
    with pytest.raises(TypeError, match="expected solids by name"):
        hitscan.Compound({"head": 5})


@pytest.mark.parametrize("origin", [np.zeros(3), FAR])
@pytest.mark.parametrize("is_placed", [False, True])
def test_parts_of_compounds(origin, is_placed):
    own = np.zeros(3) if is_placed else origin
    guard = hitscan.Compound(
        {
            "head": hitscan.Sphere(own + [0, 1.75, 0], 0.25),
            "chest": hitscan.Box(own + [-0.25, 0.75, -0.25], own + [0.25, 1.5, 0.25]),
            "club": hitscan.Cylinder(own + [0.5, 1, 0], own + [1.5, 1, 0], 0.125),
        }
    )
    transform = np.eye(4)
    transform[:3, 3] = origin
    world = hitscan.World(origin=origin if origin.any() else None)
    bruno = world.add(guard, name="bruno", transform=transform if is_placed else None)
    assert world.part_names("bruno") == ["head", "chest", "club"]
    eyes = origin + np.array([[0, 1.75, 8], [0, 1, 8], [1, 1, 8], [1, 1.5, 8]])
    hits = world.cast_rays(eyes, [0, 0, -1])
    assert hits.part.tolist() == [0, 1, 2, -1]
    assert hits.t.tolist() == [7.75, 7.75, 7.875, np.inf]
    assert hits.object_names.tolist() == ["bruno", "bruno", "bruno", None]
    without = world.cast_rays(eyes, [0, 0, -1], ignore=[(bruno, "head"), ("bruno", "club")])
    assert without.part.tolist() == [-1, 1, -1, -1]
    moved = transform.copy()
    moved[:3, 3] = (origin if is_placed else 0) + np.array([0, 0, 2.0])
    world.set_transforms([bruno], moved[None])
    assert world.cast_rays(eyes[:3], [0, 0, -1]).t.tolist() == [5.75, 5.75, 5.875]
    with pytest.raises(KeyError, match="foot"):
        world.cast_rays(eyes, [0, 0, -1], ignore=[(bruno, "foot")])


def test_compounds_keep_their_place_when_a_world_gets_an_origin():
    part = hitscan.Compound({"ball": hitscan.Sphere([3, 4, 5], 1)})
    world = hitscan.World()
    world.add(part, name="near")
    corners = np.array([100.0, 0, 100.0]) + [[0, 0, 0], [10, 0, 0], [0, 0, 10]]
    world.add(hitscan.TriMesh(corners, [[0, 1, 2]], origin=[100.0, 0, 100.0]))
    assert world.origin.tolist() == [100.0, 0, 100.0]
    assert float(world.cast_rays([3, 9, 5], [0, -1, 0]).t) == 4.0
    late = hitscan.World()
    late.add(hitscan.Compound({"ball": hitscan.Sphere([60_000.3, 4, 5], 1)}), name="rounded")
    with pytest.raises(ValueError, match="rounded"):
        late.add(hitscan.TriMesh(corners, [[0, 1, 2]], origin=[100.0, 0, 100.0]))


def test_tiles_of_one_surface_have_no_seam():
    world = hitscan.World()
    tiles = [
        world.add(hitscan.TriMesh([[x, 0, 0], [x + 4, 0, 0], [x, 0, 4], [x + 4, 0, 4]], [[0, 2, 1], [1, 2, 3]]))
        for x in (0, 4)
    ]
    slide = hitscan.OrientedBox([1.5, 0.5, 2], [0.5, 0.5, 0.5]), [5, 0, 0]
    for tile in tiles:
        world.set_surface(tile, 7)
    assert not world.cast_shapes_any(*slide)
    ball = world.add(hitscan.Sphere([0, 9, 0], 1))
    with pytest.raises(ValueError, match="not terrain, a mesh, a model or a compound"):
        world.set_surface(ball, 7)
