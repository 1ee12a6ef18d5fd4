"""Answers against brute force in f64."""

import numpy as np
import oracle

import hitscan


def check(hits, t, triangles):
    np.testing.assert_array_equal(hits.hit, np.isfinite(t))
    np.testing.assert_allclose(hits.t, t, rtol=2e-6)
    np.testing.assert_array_equal(hits.triangle, triangles)


def test_a_mesh():
    rng = np.random.default_rng(1)
    vertices, triangles = oracle.soup(rng, 60)
    origins, directions = oracle.rays(rng, 700)
    hits = hitscan.TriMesh(vertices, triangles).cast_rays(origins, directions)
    assert hits.hit.mean() > 0.3
    t, which = oracle.nearest_triangle(vertices, triangles, origins, directions)
    check(hits, t, which)
    points = origins + hits.t[:, None] * directions
    np.testing.assert_allclose(hits.point[hits.hit], points[hits.hit], atol=1e-4)
    lengths = np.linalg.norm(directions, axis=1)
    np.testing.assert_allclose(hits.distance[hits.hit], (t * lengths)[hits.hit], rtol=1e-5)
    uv = hits.uv[hits.hit]
    a, b, c = (vertices[triangles[which[hits.hit], k]] for k in range(3))
    mixed = a + uv[:, :1] * (b - a) + uv[:, 1:] * (c - a)
    np.testing.assert_allclose(mixed, hits.point[hits.hit], atol=1e-4)


def test_terrain():
    rng = np.random.default_rng(2)
    heights = rng.random((9, 7)).astype(np.float32)
    field = hitscan.HeightField(heights, spacing=(2.0, 3.0), origin=(10, 20, 30))
    vertices, triangles = oracle.terrain_mesh(heights, (2.0, 3.0), (10, 20, 30))
    origins = rng.uniform([8, 22, 28], [24, 26, 56], (600, 3)).astype(np.float32)
    directions = rng.uniform([-1, -1, -1], [1, 0, 1], (600, 3)).astype(np.float32)
    t, which = oracle.nearest_triangle(vertices, triangles, origins, directions)
    hits = field.cast_rays(origins, directions)
    assert hits.hit.mean() > 0.3
    check(hits, t, which)
    assert (hits.side[hits.hit] == hitscan.Side.FRONT).all()


def test_balls_in_a_world():
    rng = np.random.default_rng(3)
    centers = rng.uniform(-20, 20, (40, 3)).astype(np.float32)
    world = hitscan.World()
    for center in centers:
        world.add(hitscan.Sphere(center, 1.5))
    world.update()
    origins = 60 * rng.standard_normal((800, 3)).astype(np.float32)
    directions = (rng.uniform(-20, 20, (800, 3)) - origins).astype(np.float32)
    t = np.stack([oracle.sphere_entry(center, 1.5, origins, directions) for center in centers])
    hits = world.cast_rays(origins, directions)
    outside = (np.linalg.norm(origins[:, None] - centers, axis=-1) > 1.5).all(axis=1)
    best = t.min(axis=0)
    np.testing.assert_array_equal(hits.hit[outside], np.isfinite(best)[outside])
    np.testing.assert_allclose(hits.t[outside], best[outside], rtol=1e-5)
    found = hits.hit & outside
    np.testing.assert_array_equal(hits.object[found], t.argmin(axis=0)[found])


def test_moved_and_mirrored_meshes():
    rng = np.random.default_rng(4)
    vertices, triangles = oracle.soup(rng, 20)
    mesh = hitscan.TriMesh(vertices, triangles)
    world = hitscan.World()
    transforms = np.tile(np.eye(4), (5, 1, 1))
    transforms[:, :3, :3] += 0.5 * rng.standard_normal((5, 3, 3))
    transforms[:, :3, 3] = 3 * rng.standard_normal((5, 3))
    transforms[0, :3, :3] = np.diag([-1, 1, 1])
    handles = [world.add(mesh) for _ in transforms]
    world.set_transforms(handles, transforms)
    world.update()
    origins, directions = oracle.rays(rng, 500)
    middles = transforms[rng.integers(0, 5, 500)] @ [0.5, 0.5, 0.5, 1]
    directions = (middles[:, :3] - origins).astype(np.float32)
    moved = np.concatenate([vertices @ m[:3, :3].T + m[:3, 3] for m in transforms])
    t, which = oracle.nearest_triangle(moved, np.arange(len(moved)).reshape(-1, 3), origins, directions)
    hits = world.cast_rays(origins, directions)
    assert hits.hit.mean() > 0.2
    np.testing.assert_array_equal(hits.hit, which >= 0)
    np.testing.assert_allclose(hits.t, t, rtol=1e-5)
    np.testing.assert_array_equal(hits.object[hits.hit] * 20 + hits.triangle[hits.hit], which[hits.hit])


def test_a_range_of_t_for_each_ray():
    box = hitscan.TriMesh(*oracle.box_mesh())
    t_min, t_max = np.array([0, 1.5, 2.5, 0]), np.array([np.inf, np.inf, np.inf, 0.5])
    hits = box.cast_rays([-1, 0.4, 0.5], [1, 0, 0], t_min=t_min, t_max=t_max)
    assert hits.t.tolist() == [1.0, 2.0, np.inf, np.inf]
    assert box.cast_rays([-1, 0.4, 0.5], [1, 0, 0], sides="back").t == 2.0
    assert not box.cast_rays([-1, 0.4, 0.5], [1, 0, 0], sides="back", t_max=1.5).hit


def test_inside_of_a_solid():
    world = hitscan.World()
    world.add(hitscan.Sphere([0, 0, 0], 2))
    world.update()
    inside = world.cast_rays([0, 0, 0], [1, 0, 0])
    assert (inside.t, inside.side, inside.normal.tolist()) == (0, hitscan.Side.INSIDE, [0, 0, 0])
    wall = world.cast_rays([0, 0, 0], [1, 0, 0], start="hollow")
    assert (wall.t, wall.side) == (2, hitscan.Side.BACK)
