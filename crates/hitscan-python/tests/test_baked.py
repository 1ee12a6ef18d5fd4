"""Worlds as bytes and files, pickled and shared with workers: raysect/source#226."""

import copy
import mmap
import multiprocessing
import pickle

import numpy as np
import pytest

import hitscan

ORIGIN = [500_000.0, 0.0, 6_200_000.0]


def made():
    """A world far from 0 in which something moved and something is gone."""
    rng = np.random.default_rng(226)
    world = hitscan.World(origin=ORIGIN)
    heights = rng.random((65, 65)).astype(np.float32)
    heights[3:5, 7] = np.nan
    world.add(hitscan.HeightField(heights, spacing=2.0, origin=ORIGIN), name="ground")
    vertices = rng.random((300, 3)) * 50 + ORIGIN
    soup = hitscan.TriMesh(vertices, rng.integers(0, 300, (500, 3)), origin=np.add(ORIGIN, 1))
    world.add(soup, name="soup")
    gone = world.add(hitscan.Sphere(np.add(ORIGIN, 10), 3), name="gone")
    world.add(hitscan.Sphere(np.add(ORIGIN, 20), 3), name="ball", layers=6)
    world.update()
    world.remove(gone)
    world.update()
    return world


def rays(count=2000):
    rng = np.random.default_rng(1)
    return rng.random((count, 3)) * [100, 40, 100] + ORIGIN, rng.normal(size=(count, 3))


def check_alike(one, other):
    assert other.object_names == one.object_names and other.handles == one.handles
    np.testing.assert_array_equal(other.origin, one.origin)
    expected, found = one.cast_rays(*rays()), other.cast_rays(*rays())
    assert expected.hit.any()
    for field in ("hit", "t", "point", "normal", "object", "triangle", "uv"):
        np.testing.assert_array_equal(getattr(found, field), getattr(expected, field), field)


def test_worlds_come_back_from_bytes_files_and_pickles(tmp_path):
    world = made()
    path = tmp_path / "world.baked"
    world.save(path)
    baked = world.to_bytes()
    assert path.read_bytes() == baked == made().to_bytes()
    buffers = []
    pickled = pickle.dumps(world, protocol=5, buffer_callback=buffers.append)
    assert len(pickled) < 500 and len(buffers) == 1
    others = [
        hitscan.World.from_bytes(baked),
        hitscan.World.from_bytes(bytearray(baked)),
        hitscan.World.from_bytes(memoryview(baked)),
        hitscan.World.load(path),
        hitscan.World.load(path, mmap=False),
        hitscan.World.from_scene(path),
        pickle.loads(pickle.dumps(world, protocol=4)),
        pickle.loads(pickle.dumps(world, protocol=5)),
        pickle.loads(pickled, buffers=[buffers[0].raw()]),
        copy.deepcopy(world),
    ]
    soup = world.handles[1]
    for other in others:
        check_alike(world, other)
        assert other.to_bytes() == baked
    moved = np.eye(4)
    moved[0, 3] = 5.0
    for each in [world, *others]:
        each.set_transforms([soup], moved[None])
        each.update()
    for other in others:
        check_alike(world, other)


def test_buffers_are_borrowed_for_as_long_as_the_world_lives(tmp_path):
    path = tmp_path / "world.baked"
    made().save(path)
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    world = hitscan.World.from_bytes(mapped)
    with pytest.raises(BufferError):
        mapped.close()
    check_alike(made(), world)
    del world
    mapped.close()


def test_a_writeable_buffer_may_change_afterwards():
    buffer = bytearray(made().to_bytes())
    world = hitscan.World.from_bytes(buffer)
    buffer[:] = bytes(len(buffer))
    check_alike(made(), world)


def distances(world):
    return world.cast_rays(*rays()).t


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_worlds_go_to_workers(method):
    world = made()
    with multiprocessing.get_context(method).Pool(2) as pool:
        for found in pool.map(distances, [world, world]):
            np.testing.assert_array_equal(found, distances(world))


def test_changes_that_no_update_made_are_refused():
    world = made()
    world.auto_update = False
    world.add(hitscan.Sphere([0, 0, 0], 1))
    for use in (world.to_bytes, lambda: pickle.dumps(world), lambda: world.save("never.baked")):
        with pytest.raises(ValueError, match=r"update\(\) first"):
            use()
    world.update()
    assert len(hitscan.World.from_bytes(world.to_bytes())) == len(world)


def test_damaged_bytes_are_refused_with_their_place(tmp_path):
    baked = made().to_bytes()
    other = bytearray(baked)
    other[8] = 99
    for wrong in (b"", b"abc", baked[:-1], baked[:100], bytes(other)):
        with pytest.raises(hitscan.FileError):
            hitscan.World.from_bytes(wrong)
    path = tmp_path / "world.baked"
    path.write_bytes(bytes(other))
    with pytest.raises(hitscan.FileError, match="version 99") as caught:
        hitscan.World.load(path)
    assert str(path) in str(caught.value)


def test_any_byte_may_be_wrong():
    baked = made().to_bytes()
    rng = np.random.default_rng(5)
    for _ in range(300):
        wrong = bytearray(baked)
        wrong[rng.integers(len(wrong))] ^= 1 << rng.integers(8)
        try:
            world = hitscan.World.from_bytes(wrong)
        except hitscan.FileError:
            continue
        world.cast_rays(*rays(50))
