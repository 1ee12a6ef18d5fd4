"""Rays of many worlds in one call, against the worlds one by one."""

import numpy as np
import pytest

import hitscan


@pytest.fixture(scope="module")
def worlds():
    rng = np.random.default_rng(6)
    made = []
    for number in range(50):
        origin = None if number % 3 else rng.normal(size=3) * 1e6
        world = hitscan.World(origin=origin)
        place = np.zeros(3) if origin is None else origin
        for k in range(number % 7):
            world.add(hitscan.Sphere(place + rng.random(3) * 20, 1 + k / 2), layers=1 << (k % 2))
        world.add(hitscan.Box(place - 5, place - 4), name="own")
        made.append((world, place))
    return made


def rays_of(worlds, rays, seed):
    rng = np.random.default_rng(seed)
    places = np.array([place for _, place in worlds])
    origins = places[:, None] + rng.random((len(worlds), rays, 3)) * 20 - 8
    return origins, rng.normal(size=(len(worlds), rays, 3))


@pytest.mark.parametrize("rays", [0, 1, 64, 700])
def test_the_answers_are_those_of_each_world(worlds, rays):
    origins, directions = rays_of(worlds, rays, rays)
    each = [world for world, _ in worlds]
    fields = hitscan._hitscan.RAY_FIELDS
    options = {"t_max": 30.0, "layers": 1, "ignore": "own", "sides": "front", "fields": fields}
    found = hitscan.cast_rays_each(each, origins, directions, **options)
    assert found.shape == (len(each), rays)
    alone = hitscan.cast_rays_each(each, origins, directions, threads=1, **options)
    packed = hitscan.cast_rays_each(each, np.concatenate([origins, directions], axis=-1), **options)
    for number, world in enumerate(each):
        own = world.cast_rays(origins[number], directions[number], **options)
        for field in fields:
            for answer in (found, alone, packed):
                np.testing.assert_array_equal(getattr(answer, field)[number], getattr(own, field))
    if rays > 1:
        assert 0 < found.hit.sum() < found.hit.size
        again = hitscan.cast_rays_each(each, origins, directions, out=found, **options)
        assert again.t is found.t


def test_one_direction_serves_all(worlds):
    origins, _ = rays_of(worlds, 5, 1)
    each = [world for world, _ in worlds]
    found = hitscan.cast_rays_each(each, origins, [0, -1, 0])
    for number, world in enumerate(each):
        np.testing.assert_array_equal(found.t[number], world.cast_rays(origins[number], [0, -1, 0]).t)
    # A ray for each world, and one world twice.
    twice = hitscan.cast_rays_each([each[7], each[7]], origins[[7, 7], 0], [0, -1, 0])
    assert twice.shape == (2,) and twice.t[0] == twice.t[1]


def test_pending_changes_are_made():
    balls, worlds = [], [hitscan.World() for _ in range(40)]
    for height, world in enumerate(worlds):
        balls.append(world.add(hitscan.Sphere([0, height, 0], 0.5)))
    down = np.tile([0.0, 99.0, 0.0, 0.0, -1.0, 0.0], (40, 1))
    np.testing.assert_array_equal(hitscan.cast_rays_each(worlds, down).t, 98.5 - np.arange(40))
    for ball, world in zip(balls, worlds, strict=True):
        world.set_shape(ball, hitscan.Sphere([0, 1, 0], 0.5))
    np.testing.assert_array_equal(hitscan.cast_rays_each(worlds, down).t, np.full(40, 97.5))
    assert "pending" not in repr(worlds[3])
    worlds[3].auto_update = False
    worlds[3].remove(balls[3])
    with pytest.raises(hitscan.PendingChangesError, match=r"worlds\[3\] has changes"):
        hitscan.cast_rays_each(worlds, down)


def test_what_is_refused(worlds):
    each = [world for world, _ in worlds][:4]
    rays = np.tile([0.0, 9, 0, 0, -1, 0], (4, 3, 1))
    with pytest.raises(ValueError, match="expected one at least"):
        hitscan.cast_rays_each([], rays)
    with pytest.raises(ValueError, match=r"expected a first axis of 4, one for each world.*\(3, 3\)"):
        hitscan.cast_rays_each(each, rays[:3])
    with pytest.raises(KeyError, match="gone"):
        hitscan.cast_rays_each(each, rays, ignore="gone")
    rays[2, 1, 3:] = 0
    with pytest.raises(ValueError, match=r"rays\[2, 1\]"):
        hitscan.cast_rays_each(each, rays)
    marked = hitscan.cast_rays_each(each, rays, invalid="mark")
    assert np.argwhere(marked.status == hitscan.Status.INVALID).tolist() == [[2, 1]]
