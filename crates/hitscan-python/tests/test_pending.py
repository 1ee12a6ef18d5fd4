"""Queries see all changes before them, or say that there are some."""

from __future__ import annotations

import pickle

import hitscan
import numpy as np
import pyarrow as pa
import pytest

RAY = [0, 0, 5], [0, 0, -1]


def test_a_query_sees_what_was_changed_before_it():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    assert world.cast_rays_any(*RAY)
    world.remove(ball)
    assert not world.cast_rays_any(*RAY)
    world.add(hitscan.Sphere([0, 0, 0], 1))
    assert len(world) == 1 and len(world.now()) == 1
    assert len(pickle.loads(pickle.dumps(world))) == 1
    world.keep_history(1)
    world.add(hitscan.Sphere([5, 0, 0], 1))
    world.record(1)
    assert len(world.at(1)) == 2


def test_without_it_a_question_to_pending_changes_is_refused(tmp_path):
    world = hitscan.World(auto_update=False)
    world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    table = pa.table({name: [float(value)] for name, value in zip("ox oy oz dx dy dz".split(), [0, 0, 5, 0, 0, -1])})
    questions = [
        lambda: world.cast_rays(*RAY),
        lambda: world.cast_rays_any(*RAY),
        lambda: world.cast_rays_table(table),
        lambda: world.is_visible([0, 0, 5], [0, 0, -5]),
        lambda: world.bounds,
        lambda: len(world),
        lambda: world.render(size=(4, 4)),
        lambda: world.record(0),
        lambda: world.to_bytes(),
        lambda: world.save(tmp_path / "w"),
        lambda: pickle.dumps(world),
    ]
    for question in questions:
        with pytest.raises(hitscan.PendingChangesError, match="call update"):
            question()
    assert repr(world) == "World(0 objects, changes pending)"
    assert len(world.now()) == 0
    world.update()
    assert repr(world) == "World(1 objects)"
    assert world.cast_rays_any(*RAY)


def test_a_loaded_world_updates_by_itself_and_can_be_told_not_to():
    made = hitscan.World()
    made.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
    loaded = hitscan.World.from_bytes(made.to_bytes())
    loaded.set_shape("ball", hitscan.Sphere([9, 9, 9], 1))
    assert not loaded.cast_rays_any(*RAY)
    loaded.auto_update = False
    loaded.set_shape("ball", hitscan.Sphere([0, 0, 0], 1))
    with pytest.raises(hitscan.PendingChangesError):
        loaded.cast_rays_any(*RAY)


def test_what_is_set_to_what_it_was_answers_the_same():
    world = hitscan.World()
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    before = world.cast_rays(*RAY).t
    world.set_transforms([ball], np.eye(4)[None])
    assert world.cast_rays(*RAY).t == before
