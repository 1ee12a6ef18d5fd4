"""Coordinates far from 0, kept in f64."""

import numpy as np
import oracle

import hitscan

UTM = np.array([500_000.0, 1_234.5, -6_200_000.0])


def test_a_mesh_at_map_coordinates_is_as_good_as_at_zero():
    rng = np.random.default_rng(8)
    vertices, triangles = oracle.soup(rng, 40)
    origins, directions = (np.float64(part) for part in oracle.rays(rng, 400))
    far = hitscan.TriMesh(vertices + UTM, triangles, origin=UTM).cast_rays(origins + UTM, directions)
    t, which = oracle.nearest_triangle(vertices, triangles, origins, directions)
    np.testing.assert_array_equal(far.triangle, which)
    assert far.point.dtype == np.float64
    exact = origins + t[:, None] * directions
    error = np.abs(far.point - UTM - exact)[far.hit]
    # Two ulp of f32 at the rays' own size, and what f64 resolves at the map's coordinates.
    assert error.max() <= 2 * np.spacing(np.float32(8)) + 1e-8
    plain = hitscan.TriMesh(vertices + UTM, triangles).cast_rays(origins + UTM, directions)
    assert (plain.triangle != which).any(), "in f32 the map's coordinates are too coarse"


def test_from_trimesh_takes_the_middle_of_the_bounds():
    class Mesh:
        vertices, faces = oracle.box_mesh(UTM, UTM + 4)

    mesh = hitscan.TriMesh.from_trimesh(Mesh)
    np.testing.assert_array_equal(mesh.origin, UTM + 2)
    np.testing.assert_array_equal(mesh.bounds, [UTM, UTM + 4])
    np.testing.assert_array_equal(mesh.vertices, Mesh.vertices)
    hits = mesh.cast_rays(UTM + [1.25, 2.5, 9], [0, 0, -1])
    assert hits.t == 5 and hits.point.tolist() == (UTM + [1.25, 2.5, 4]).tolist()
    assert hitscan.TriMesh.from_trimesh(Mesh, origin=None).origin is None
    np.testing.assert_array_equal(hitscan.TriMesh.from_trimesh(Mesh, origin=UTM).origin, UTM)


def test_points_are_as_wide_as_the_question():
    mesh = hitscan.TriMesh(*oracle.box_mesh(), origin=[1, 2, 3])
    for dtype, answer in [("f4", "f4"), ("f8", "f8"), ("i4", "f8"), ("i2", "f4"), ("f2", "f4")]:
        assert mesh.cast_rays(np.zeros((2, 3), dtype), [1, 0, 0]).point.dtype == answer
        assert mesh.cast_rays_all(np.zeros((2, 3), dtype), [1, 0, 0]).point.dtype == answer


def test_objects_of_a_world_with_an_origin():
    world = hitscan.World(origin=UTM)
    mesh = hitscan.TriMesh(*oracle.box_mesh(UTM, UTM + 1), origin=UTM + 0.5)
    own = hitscan.TriMesh(*oracle.box_mesh())
    crate = world.add(mesh, name="in map coordinates")
    place = np.eye(4)
    place[:3, 3] = UTM + [10, 0, 0]
    world.add(own, name="placed", transform=place)
    world.add(hitscan.Sphere(UTM + [20.5, 0.5, 0.5], 0.5), name="ball")
    field = hitscan.HeightField(np.zeros((2, 2)), 10, UTM + [30, 0, 0], local_origin=UTM)
    world.add(field, name="terrain of the same origin")
    other = hitscan.HeightField(np.zeros((2, 2)), 10, UTM + [50, 0, 0])
    world.add(other, name="terrain without")
    world.update()
    origins = UTM + [[0.3, 0.3, 9], [10.3, 0.3, 9], [20.5, 0.5, 9]]
    hits = world.cast_rays(origins, [0, 0, -1])
    assert hits.object.tolist() == [0, 1, 2] and hits.t.tolist() == [8, 8, 8]
    points = UTM + [[0.3, 0.3, 1], [10.3, 0.3, 1], [20.5, 0.5, 1]]
    np.testing.assert_allclose(hits.point, points, rtol=0, atol=1e-6)
    down = world.cast_rays(UTM + [[35, 2, 5], [55, 2, 5]], [0, -1, 0])
    assert down.object.tolist() == [3, 4] and down.t.tolist() == [2, 2]
    np.testing.assert_array_equal(world.object_bounds(crate), [UTM, UTM + 1])
    place[:3, 3] = [5, 0, 0]
    world.set_transforms([crate], [place])
    world.update()
    np.testing.assert_array_equal(world.object_bounds(crate), [UTM + [5, 0, 0], UTM + [6, 1, 1]])


def test_a_camera_at_map_coordinates():
    rays = hitscan.Camera(UTM + [0, 5, 5], UTM, origin=UTM).rays(8, 6)
    near = hitscan.Camera([0, 5, 5], [0, 0, 0]).rays(8, 6)
    assert rays.dtype == np.float64 and near.dtype == np.float32
    np.testing.assert_array_equal(rays[..., 3:], near[..., 3:])
    np.testing.assert_array_equal(rays[..., :3], np.broadcast_to(UTM + [0, 5, 5], (6, 8, 3)))
