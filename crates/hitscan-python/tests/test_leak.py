"""Memory stays flat over many calls."""

import numpy as np
import oracle

import hitscan


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_is_flat():
    world = hitscan.World()
    world.add(hitscan.TriMesh(*oracle.box_mesh()), name="crate")
    world.update()
    ray = np.array([0.5, 0.4, 9, 0, 0, -1], np.float32)
    many = np.tile(ray, (3000, 1))
    wrong = np.zeros(6, np.float32)

    def calls(count):
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

    calls(20_000)
    before = resident()
    calls(1_000_000)
    assert resident() - before < 2 << 20


def test_a_call_needs_little_beside_its_arrays():
    # 3e6 rays of 24 bytes, an answer of a byte each: the peak may grow by the answer and 16 MiB.
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    rays = np.zeros((3_000_000, 6), np.float32)
    rays[:, :3], rays[:, 5] = [0.5, 0.4, 9], -1
    mesh.cast_rays_any(rays[:5000])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident()
    assert mesh.cast_rays_any(rays).all()
    with open("/proc/self/status") as file:
        peak = next(line for line in file if line.startswith("VmHWM"))
    grown = int(peak.split()[1]) * 1024 - before
    assert grown < len(rays) + (16 << 20)
