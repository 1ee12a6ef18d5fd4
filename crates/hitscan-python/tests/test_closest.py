"""What is nearest, by brute force."""

import numpy as np
import oracle
import pytest

import hitscan
from hitscan import Status


def segment_point(p, a, b):
    ab = b - a
    length = (ab * ab).sum(-1)
    t = ((p - a) * ab).sum(-1) / np.where(length > 0, length, 1)
    return a + np.clip(t, 0, 1)[..., None] * ab


def triangle_distance(p, a, b, c):
    """The distance of a point from triangles: the plane's where its foot is inside, else an edge's."""
    n = np.cross(b - a, c - a)
    size = (n * n).sum(-1)
    foot = p - ((p - a) * n).sum(-1)[..., None] * n / np.where(size > 0, size, 1)[..., None]
    inside = size > 0
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(v - u, foot - u) * n).sum(-1) >= 0
    ways = [np.linalg.norm(p - segment_point(p, u, v), axis=-1) for u, v in ((a, b), (b, c), (c, a))]
    plane = np.where(inside, np.linalg.norm(p - foot, axis=-1), np.inf)
    return np.minimum(np.minimum.reduce(ways), plane)


def test_a_mesh_by_brute_force():
    rng = np.random.default_rng(1)
    vertices, triangles = oracle.soup(rng, 60)
    mesh = hitscan.TriMesh(vertices, triangles)
    points = rng.uniform(-1, 2, (400, 3)).astype(np.float32)
    nearest = mesh.closest_points(points)
    a, b, c = (vertices[triangles[:, k]].astype(float) for k in range(3))
    distances = np.stack([triangle_distance(p.astype(float), a, b, c) for p in points])
    np.testing.assert_allclose(nearest.distance, distances.min(1), rtol=1e-5, atol=1e-6)
    own = distances[np.arange(400), nearest.triangle]
    np.testing.assert_allclose(own, distances.min(1), rtol=1e-5, atol=1e-6)
    ways = np.linalg.norm(points - nearest.point, axis=1)
    np.testing.assert_allclose(ways, nearest.distance, rtol=1e-4, atol=1e-6)
    near = mesh.closest_points(points, max_distance=0.25)
    np.testing.assert_array_equal(near.found, nearest.distance <= 0.25)
    assert np.isinf(near.distance[~near.found]).all() and (near.triangle[~near.found] == -1).all()


def test_signed_distances_of_a_closed_mesh_are_those_of_the_box():
    rng = np.random.default_rng(2)
    low, high = np.array([1, 2, 3]), np.array([4, 4, 8])
    mesh = hitscan.TriMesh(*oracle.box_mesh(low, high))
    world = hitscan.World()
    world.add(hitscan.Box(low, high), name="box")
    world.update()
    points = rng.uniform(low - 2, high + 2, (500, 3)).astype(np.float32)
    out = np.linalg.norm(np.maximum(np.maximum(low - points, points - high), 0), axis=1)
    deep = np.minimum(points - low, high - points).min(1)
    expected = np.where(deep > 0, -deep, out)
    for nearest in (mesh.closest_points(points, signed=True), world.closest_points(points)):
        np.testing.assert_allclose(nearest.distance, expected, rtol=1e-5, atol=1e-6)
        np.testing.assert_array_equal(nearest.inside, deep > 0)
    unsigned = mesh.closest_points(points)
    np.testing.assert_array_equal(unsigned.distance, np.abs(mesh.closest_points(points, signed=True).distance))
    assert not unsigned.inside.any()


def test_ties_surfaces_and_terrain():
    world = hitscan.World()
    for x in (-3, 3):
        world.add(hitscan.Sphere([x, 0, 0], 1))
    world.update()
    nearest = world.closest_points([[0, 0, 0], [2, 0, 0], [-3, 0, 0]])
    assert nearest.object.tolist() == [0, 1, 0]
    assert nearest.distance.tolist() == [2, 0, -1]
    assert nearest.inside.tolist() == [False, False, True]
    assert np.isnan(nearest.uv).all() and not np.signbit(nearest.distance[1])
    assert world.closest_points([0, 0, 0], ignore=[0]).object == 1
    heights = np.zeros((3, 3))
    heights[2, 2] = np.nan
    field = hitscan.HeightField(heights)
    ground = field.closest_points([[0.25, 2, 0.25], [2, 0, 2]])
    assert ground.distance[0] == 2 and ground.point[0].tolist() == [0.25, 0, 0.25]
    # The hole's corner: the nearest ground is the diagonal that ends the triangle beside it.
    np.testing.assert_allclose(ground.distance[1], np.sqrt(0.5), rtol=1e-6)


def test_bad_rows_and_shapes():
    field = hitscan.HeightField(np.zeros((3, 3)))
    points = np.zeros((2, 2, 3))
    points[0, 1, 1] = np.inf
    with pytest.raises(ValueError, match=r"points\[0, 1\]: point must be finite.*1 of 4"):
        field.closest_points(points)
    nearest = field.closest_points(points, invalid="mark")
    assert nearest.status.tolist() == [[1, Status.INVALID], [1, 1]]
    with pytest.raises(ValueError, match="max_distance must be at least 0"):
        field.closest_points([0, 0, 0], max_distance=np.nan)
    assert field.closest_points(np.zeros((0, 3))).shape == (0,)
    assert field.closest_points(np.zeros((4, 3)), max_distance=[1, 2, 3, 4]).shape == (4,)
    empty = hitscan.World()
    assert not empty.closest_points([0, 0, 0]).found


def test_far_from_0():
    origin = np.array([500_000.0, 0, 5_000_000.0])
    mesh = hitscan.TriMesh(oracle.box_mesh()[0] + origin, oracle.box_mesh()[1], origin=origin)
    nearest = mesh.closest_points(origin + [[3, 0.1, 0.2]])
    assert nearest.distance == 2 and nearest.point.dtype == np.float64
    np.testing.assert_allclose(nearest.point, origin + [[1, 0.1, 0.2]], atol=1e-6)
