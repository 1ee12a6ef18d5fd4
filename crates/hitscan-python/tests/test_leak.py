"""Memory stays flat over many calls."""

import numpy as np
import oracle
from memory_growth import growth, peak_growth

import hitscan


def calls(count):
    world = hitscan.World()
    world.add(hitscan.TriMesh(*oracle.box_mesh()), name="crate")
    world.update()
    ray = np.array([0.5, 0.4, 9, 0, 0, -1], np.float32)
    many = np.tile(ray, (3000, 1))
    wrong = np.zeros(6, np.float32)
    for k in range(count // 3):
        assert world.cast_rays(ray).t == 8
        world.cast_rays_any(ray)
        world.cast_rays_all(ray)
        if k % 1000 == 0:
            world.cast_rays(many)
            ball = world.add(hitscan.Sphere([0, 50, 0], 1))
            world.update()
            world.remove(ball)
            world.update()
            try:
                world.cast_rays(wrong)
            except ValueError:
                pass


def test_memory_is_flat():
    assert growth(calls, first=20_000, then=1_000_000) < 2 << 20


def test_a_call_needs_little_beside_its_arrays():
    # 3e6 rays of 24 bytes, an answer of a byte each: the peak may grow by the answer and 16 MiB.
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    rays = np.zeros((3_000_000, 6), np.float32)
    rays[:, :3], rays[:, 5] = [0.5, 0.4, 9], -1
    mesh.cast_rays_any(rays[:5000])
    answers = []
    grown = peak_growth(lambda: answers.append(mesh.cast_rays_any(rays)))
    assert answers[0].all()
    assert grown < len(rays) + (16 << 20)
