"""Closed meshes: what is inside, and how often rays cross them."""

import numpy as np
import oracle
import pytest
import trimesh

import hitscan


def bodies():
    """Closed meshes: one round, one with edges and faces along the axes, and two that overlap."""
    low, high = oracle.box_mesh(), oracle.box_mesh((0.5, 0.5, 0.5), (2, 2, 2))
    both = np.concatenate([low[0], high[0]]), np.concatenate([low[1], high[1] + 8])
    return {"sphere": oracle.icosphere(3), "box": low, "two boxes": both}


@pytest.mark.parametrize("name", ["sphere", "box", "two boxes"])
def test_contains_is_the_sign_of_the_closest_point(name):
    rng = np.random.default_rng(31)
    mesh = hitscan.TriMesh(*bodies()[name])
    assert mesh.is_closed
    points = rng.uniform(-1.5, 2.5, (3000, 3))
    # Of a grid, so that rays hit corners and edges and points lie on the surface.
    points[::2] = np.round(points[::2] * 4) / 4
    inside = mesh.contains(points)
    assert inside.dtype == bool and inside.any() and not inside.all()
    np.testing.assert_array_equal(inside, mesh.closest_points(points, signed=True).inside)
    np.testing.assert_array_equal(inside.reshape(30, 100), mesh.contains(points.reshape(30, 100, 3)))
    np.testing.assert_array_equal(inside, mesh.contains(points, threads=1))


def test_contains_is_that_of_a_box_and_of_trimesh():
    rng = np.random.default_rng(32)
    points = rng.uniform(-0.5, 1.5, (2000, 3))
    box = hitscan.TriMesh(*oracle.box_mesh())
    is_inside = np.all((points > 0) & (points < 1), axis=1)
    np.testing.assert_array_equal(box.contains(points), is_inside)
    vertices, triangles = oracle.icosphere(3)
    other = trimesh.Trimesh(vertices, triangles, process=False)
    points = rng.uniform(-1.2, 1.2, (2000, 3))
    mesh = hitscan.TriMesh.from_trimesh(other)
    np.testing.assert_array_equal(mesh.contains(points), other.contains(points))
    # Its sign is the opposite of trimesh's.
    ours = mesh.closest_points(points, signed=True).distance
    np.testing.assert_allclose(
        -ours, trimesh.proximity.signed_distance(other, points), rtol=0, atol=1e-6
    )


def test_contains_far_from_zero():
    at = np.array([500_123.37, 112.4, -5_812_345.61])
    corners, triangles = oracle.box_mesh(at, at + 1)
    mesh = hitscan.TriMesh(corners, triangles, origin=at)
    assert mesh.contains(at + [[0.5, 0.5, 0.001], [0.5, 0.5, -0.001]]).tolist() == [True, False]


def test_an_open_mesh_says_so():
    corners, triangles = oracle.box_mesh()
    for one in (triangles[1:], np.concatenate([triangles[1:], triangles[:1, ::-1]]), triangles[:0]):
        mesh = hitscan.TriMesh(corners, one)
        assert not mesh.is_closed
        with pytest.raises(ValueError, match="not closed"):
            mesh.contains([0.5, 0.5, 0.5])


def test_points_that_are_none():
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    with pytest.raises(ValueError, match=r"\[1\]"):
        mesh.contains([[0, 0, 0], [np.nan, 0, 0]])
    assert mesh.contains([[0.5] * 3, [np.nan] * 3], invalid="mark").tolist() == [True, False]
    assert mesh.contains(np.empty((0, 3))).shape == (0,)


@pytest.mark.parametrize("name", ["sphere", "box", "two boxes"])
@pytest.mark.parametrize("sides", ["both", "front", "back"])
def test_rays_are_counted_as_they_hit(name, sides):
    rng = np.random.default_rng(33)
    mesh = hitscan.TriMesh(*bodies()[name])
    origins, directions = (np.float64(part) for part in oracle.rays(rng, 3000))
    origins[::3], directions[::3] = np.round(origins[::3]), np.round(directions[::3] * 2) / 2
    directions[np.all(directions == 0, axis=1)] = [0, 0, -1]
    counts = mesh.count_rays(origins, directions, sides=sides)
    every = mesh.cast_rays_all(origins, directions, sides=sides, fields=("t",))
    assert counts.dtype == np.int64 and counts.max() > 0
    np.testing.assert_array_equal(counts, every.count)
    rays = np.concatenate([origins, directions], axis=1).reshape(30, 100, 6)
    np.testing.assert_array_equal(mesh.count_rays(rays, sides=sides), counts.reshape(30, 100))


def test_counts_have_a_range_and_rows_that_are_no_ray():
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    ray = [0.3, 0.4, 5], [0, 0, -1]
    assert mesh.count_rays(*ray) == 2
    assert mesh.count_rays(*ray, t_max=[4.0, 3.9, 5.0]).tolist() == [1, 0, 2]
    assert mesh.count_rays(*ray, t_min=4.5) == 1
    with pytest.raises(ValueError):
        mesh.count_rays([0, 0, 0], [0, 0, 0])
    assert mesh.count_rays([0, 0, 0], [0, 0, 0], invalid="mark") == 0
