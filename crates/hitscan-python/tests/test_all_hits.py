"""All hits of rays: Open3D#5018."""

import numpy as np
import oracle

import hitscan


def test_all_hits_are_those_of_brute_force():
    rng = np.random.default_rng(6)
    vertices, triangles = oracle.soup(rng, 50)
    origins, directions = oracle.rays(rng, 300)
    hits = hitscan.TriMesh(vertices, triangles).cast_rays_all(origins, directions)
    assert hits.splits.shape == (301,) and hits.splits[-1] == len(hits)
    for ray in range(300):
        own = hits[hits.splits[ray] : hits.splits[ray + 1]]
        single = [
            oracle.nearest_triangle(vertices, triangles[k : k + 1], origins[ray : ray + 1], directions[ray : ray + 1])[0][0]
            for k in range(50)
        ]
        expected = np.flatnonzero(np.isfinite(single))
        assert sorted(own.triangle.tolist()) == expected.tolist()
        assert (np.diff(own.t) >= 0).all()
        np.testing.assert_allclose(own.t, np.sort(np.array(single)[expected]), rtol=2e-6)
        assert (hits.ray[hits.splits[ray] : hits.splits[ray + 1]] == ray).all()


def test_nearest_any_and_all_agree():
    rng = np.random.default_rng(7)
    mesh = hitscan.TriMesh(*oracle.icosphere(3))
    rays = np.concatenate(oracle.rays(rng, 3000), axis=1)
    first, every = mesh.cast_rays(rays), mesh.cast_rays_all(rays)
    np.testing.assert_array_equal(first.hit, every.count > 0)
    np.testing.assert_array_equal(first.hit, mesh.cast_rays_any(rays))
    np.testing.assert_array_equal(first.t[first.hit], every.t[every.splits[:-1][first.hit]])


def test_fields_and_threads_and_long_windows():
    world = hitscan.World()
    for x in range(60):
        world.add(hitscan.Box([x, 0, 0], [x + 0.5, 1, 1]))
    world.update()
    origins = np.full((4000, 3), [-1, 0.5, 0.5])
    origins[::3, 1] = 9
    expected = np.where(np.arange(4000) % 3 == 0, 0, 120)
    for threads in (1, None):
        hits = world.cast_rays_all(origins, [1, 0, 0], threads=threads, fields=["t", "object"])
        np.testing.assert_array_equal(hits.count, expected)
        assert hits.fields == ("t", "object")
        own = hits[hits.splits[3998] : hits.splits[3999]]
        assert own.t.tolist() == [1 + x + side for x in range(60) for side in (0, 0.5)]
        assert own.object.tolist() == [x for x in range(60) for _ in (0, 1)]
