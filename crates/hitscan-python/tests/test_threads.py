"""Any number of Python threads."""

import threading

import numpy as np
import oracle
import pytest

import hitscan


def test_a_thread_that_writes_meanwhile_changes_what_is_asked_and_breaks_nothing():
    rng = np.random.default_rng(10)
    mesh = hitscan.TriMesh(*oracle.icosphere(3))
    origins = (4 * rng.standard_normal((20_000, 3))).astype(np.float32)
    directions = -origins
    stop = threading.Event()

    def write():
        values = np.array([np.nan, np.inf, -np.inf, 0, 1e38, -1, 2], np.float32)
        random = np.random.default_rng(11)
        while not stop.is_set():
            rows = random.integers(0, len(origins), 500)
            origins[rows] = random.choice(values, (500, 3))
            directions[rows] = random.choice(values, (500, 3))
            origins.view(np.uint32)[rows] = random.integers(0, 1 << 32, (500, 3), np.uint32)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    try:
        hits = None
        for _ in range(12):
            hits = mesh.cast_rays(origins, directions, invalid="mark", out=hits)
            assert not np.isnan(hits.t).any() and (hits.t >= 0).all()
            assert ((hits.triangle >= -1) & (hits.triangle < mesh.triangle_count)).all()
            np.testing.assert_array_equal(hits.hit, hits.status == hitscan.Status.HIT)
            np.testing.assert_array_equal(hits.hit, np.isfinite(hits.t))
    finally:
        stop.set()
        for writer in writers:
            writer.join()


def test_queries_go_on_with_the_world_that_they_began_with():
    world = hitscan.World()
    balls = [world.add(hitscan.Sphere([4 * k, 0, 0], 1)) for k in range(64)]
    world.update()
    origins = np.stack([4.0 * np.arange(64), np.full(64, 9.0), np.zeros(64)], axis=-1)
    wrong, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            t = world.cast_rays(np.tile(origins, (30, 1)), [0, -1, 0]).t
            if len(np.unique(t)) != 1 or t[0] not in (8.0, 7.0):
                wrong.append(t)

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    places = np.tile(np.eye(4), (64, 1, 1))
    places[:, 0, 3] = origins[:, 0]
    for step in range(200):
        places[:, 1, 3] = step % 2
        world.set_transforms(balls, places)
        world.update()
    stop.set()
    for asker in askers:
        asker.join()
    assert not wrong


def test_answers_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(12)
    mesh = hitscan.TriMesh(*oracle.soup(rng, 300))
    rays = np.concatenate(oracle.rays(rng, 5000), axis=1)
    one = mesh.cast_rays(rays, threads=1)
    try:
        for threads in (2, 3, 7):
            hitscan.set_num_threads(threads)
            assert hitscan.get_num_threads() == threads
            more = mesh.cast_rays(rays)
            for name in one.fields:
                np.testing.assert_array_equal(getattr(one, name), getattr(more, name))
    finally:
        hitscan.set_num_threads(None)
    for threads in (0, -1, 2000):
        with pytest.raises((ValueError, OverflowError)):
            hitscan.set_num_threads(threads)


def rounds_during_a_query(world, rays):
    """How many changes and short queries are done while a long query is answered."""
    begun, done = threading.Event(), threading.Event()

    def ask():
        begun.set()
        world.cast_rays(rays)
        done.set()

    asker = threading.Thread(target=ask)
    asker.start()
    begun.wait()
    rounds = 0
    while not done.is_set():
        ball = world.add(hitscan.Sphere([50, 0, 0], 1))
        world.update()
        assert world.cast_rays(rays[:2000]).shape == (2000,)
        world.remove(ball)
        rounds += 1
    asker.join()
    return rounds


def test_neither_changes_nor_short_queries_wait_for_long_ones():
    world = hitscan.World()
    world.add(hitscan.TriMesh(*oracle.icosphere(3)))
    world.update()
    rays = np.concatenate(oracle.rays(np.random.default_rng(13), 400_000), axis=1)
    # Rounds that waited would be one or two for a query, however long it is.
    for _ in range(6):
        if rounds_during_a_query(world, rays) > 5:
            return
        rays = np.concatenate([rays, rays])
    pytest.fail("changes or short queries wait for a long query")
