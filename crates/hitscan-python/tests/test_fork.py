"""Children of forks that happen while other threads change worlds, and make what queries need first."""

import concurrent.futures
import os
import signal
import threading
import time

import numpy as np
import oracle
import pytest

import hitscan

pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

#: How many times each test forks.
FORKS = 200


def crowd(count):
    """A world of balls, one a metre along x, and their handles."""
    world = hitscan.World()
    balls = [world.add(hitscan.Sphere([k, 0, 0], 0.25)) for k in range(count)]
    world.update()
    return world, balls


def places(count, shift):
    transforms = np.tile(np.eye(4), (count, 1, 1))
    transforms[:, 0, 3] = np.arange(count)
    transforms[:, 1, 3] = shift
    return transforms


def ends(child, seconds):
    """Whether a child ends by itself, with 0."""
    deadline = time.monotonic() + seconds
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("the child of a fork hangs")
        time.sleep(0.001)
    return ended == (child, 0)


def fork_often(ask, times):
    """Fork so often; each child queries, and changes nothing of what it queries."""
    for _ in range(times):
        child = os.fork()
        if child == 0:
            is_right = False
            try:
                is_right = ask()
            finally:
                os._exit(0 if is_right else 1)
        assert ends(child, 60)


class Changing:
    """Threads that change a world, over and over, until the block ends."""

    def __init__(self, world, balls, threads):
        self.stop = threading.Event()
        self.threads = [
            threading.Thread(target=self.change, args=(world, balls, number))
            for number in range(threads)
        ]

    def change(self, world, balls, number):
        shift = number
        while not self.stop.is_set():
            shift += 1
            world.set_transforms(balls, places(len(balls), 1000.0 * shift))
            world.update()

    def __enter__(self):
        for thread in self.threads:
            thread.start()

    def __exit__(self, *_):
        self.stop.set()
        for thread in self.threads:
            thread.join()


def asks_and_changes(world, balls):
    """What a child does: it queries the world, moves its objects, and queries again."""

    def ask():
        columns = world.cast_rays([[0, 1e9, 0], [0.5, 1e9, 0]], [0, -1, 0])
        world.set_transforms(balls, places(len(balls), -5.0))
        world.update()
        hits = world.cast_rays([[0, 9, 0], [1, 9, 0]], [0, -1, 0])
        return columns.hit.tolist() == [True, False] and hits.t.tolist() == [13.75, 13.75]

    return ask


@pytest.mark.parametrize(
    ("objects", "threads"),
    [(300, 1), (300, 3), (5000, 1)],
    ids=["one thread", "three threads", "on all cores"],
)
def test_a_child_can_ask_a_world_that_was_being_updated(objects, threads):
    world, balls = crowd(objects)
    with Changing(world, balls, threads):
        fork_often(asks_and_changes(world, balls), FORKS // (1 if objects < 1000 else 4))


def test_forks_from_a_pool_of_threads():
    world, balls = crowd(300)
    ask = asks_and_changes(world, balls)
    with Changing(world, balls, 1), concurrent.futures.ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(fork_often, ask, FORKS // 8) for _ in range(8)]
        for one in asked:
            one.result()


def test_a_child_finds_no_part_half_made():
    """A mesh computes whether it is closed on first use; a child may be the next to use it."""
    vertices, triangles = oracle.icosphere(5)
    for _ in range(FORKS // 10):
        mesh = hitscan.TriMesh(vertices, triangles)
        asked = threading.Thread(target=mesh.closest_points, args=([0, 0, 0],), kwargs={"signed": True})
        asked.start()
        fork_often(lambda mesh=mesh: bool(mesh.closest_points([0, 0, 0], signed=True).inside), 1)
        asked.join()
