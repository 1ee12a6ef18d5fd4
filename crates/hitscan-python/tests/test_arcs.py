"""Thrown things against the roots of their parabolas, and rays."""

import numpy as np
import oracle
import pytest

import hitscan
from hitscan import Status


def test_a_level_field_is_hit_at_the_root():
    rng = np.random.default_rng(1)
    field = hitscan.HeightField(np.zeros((2, 2)), spacing=4000.0, origin=(-2000, 0, -2000))
    origins = rng.uniform([-9, 0.5, -9], [9, 30, 9], (500, 3)).astype(np.float32)
    velocities = rng.uniform(-30, 30, (500, 3)).astype(np.float32)
    hits = field.cast_arcs(origins, velocities)
    g = float(np.float32(9.81))
    v, y = velocities[:, 1].astype(float), origins[:, 1].astype(float)
    t = (v + np.sqrt(v * v + 2 * g * y)) / g
    np.testing.assert_allclose(hits.t, t, rtol=1e-6)
    np.testing.assert_allclose(hits.point[:, 1], 0, atol=1e-4)
    np.testing.assert_allclose(
        hits.point[:, 0], origins[:, 0] + velocities[:, 0] * t, rtol=1e-5, atol=1e-4
    )
    assert field.cast_arcs_any(origins, velocities).all()
    early = field.cast_arcs(origins, velocities, t_max=1.0)
    np.testing.assert_array_equal(early.hit, hits.t <= 1)
    np.testing.assert_array_equal(
        field.cast_arcs_any(origins, velocities, t_max=np.full(500, 1.0)), early.hit
    )


def test_arcs_without_acceleration_are_rays():
    rng = np.random.default_rng(2)
    vertices, triangles = oracle.soup(rng, 60)
    mesh = hitscan.TriMesh(vertices, triangles)
    world = hitscan.World()
    world.add(mesh, name="soup")
    world.update()
    origins, directions = oracle.rays(rng, 300)
    for target in (mesh, world):
        rays = target.cast_rays(origins, directions)
        arcs = target.cast_arcs(origins, directions, acceleration=[0, 0, 0])
        for field in rays.fields:
            np.testing.assert_array_equal(getattr(arcs, field), getattr(rays, field))
    assert set(arcs.object_names) == {"soup", None}
    few = world.cast_arcs(origins, directions, fields=["t", "object"])
    assert few.fields == ("t", "object")


def test_bad_arcs_and_broadcasting():
    field = hitscan.HeightField(np.zeros((9, 9)))
    origins = np.full((3, 2, 3), 4.0)
    origins[1, 1, 0] = np.nan
    with pytest.raises(ValueError, match=r"arc\[1, 1\]: arc origin must be finite.*1 of 6"):
        field.cast_arcs(origins, [0, 1, 0])
    hits = field.cast_arcs(origins, [0, 1, 0], invalid="mark")
    assert hits.status.tolist() == [[1, 1], [1, Status.INVALID], [1, 1]]
    with pytest.raises(ValueError, match="must not be zero|zero"):
        field.cast_arcs([4, 4, 4], [0, 0, 0], acceleration=[0, 0, 0])
    with pytest.raises(ValueError, match="arc range"):
        field.cast_arcs([4, 4, 4], [0, 1, 0], t_min=2, t_max=1)
    assert field.cast_arcs(np.zeros((0, 3)), [0, 1, 0]).shape == (0,)
    each = np.array([[0, -10, 0], [0, -40, 0]])
    assert field.cast_arcs([4, 5, 4], [0, 0, 0], acceleration=each).t.tolist() == [1, 0.5]
