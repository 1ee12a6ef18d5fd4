"""What answers keep of their questions."""

from __future__ import annotations

import gc
import weakref

import hitscan
import numpy as np
import pyarrow as pa
import pytest

SIZE = (48, 27)


@pytest.fixture(scope="module")
def world() -> hitscan.World:
    made = hitscan.World()
    made.add(hitscan.Sphere([0, 0, 0], 2), name="ball")
    made.add(hitscan.Box([-5, -3, -5], [5, -2, 5]), name="floor")
    return made


class Rays(np.ndarray):
    """An array that can be watched."""


def rays(count: int) -> np.ndarray:
    some = np.random.default_rng(3).normal(size=(count, 6))
    some[:, :3] *= 3
    some[:, 3:] = -some[:, :3] + 0.3 * some[:, 3:]
    return some


def test_an_answer_does_not_keep_its_rays(world):
    for count, keep in ((200_000, False), (200_000, True), (50, False)):
        asked = rays(count).view(Rays)
        watched = weakref.ref(asked)
        answer = world.cast_rays(asked, fields="t", keep_question=keep)
        del asked
        gc.collect()
        assert watched() is None, (count, keep)
        assert answer.shape == (count,)


def test_what_is_drawn_is_what_was_asked(world):
    asked = rays(60)
    hits = world.cast_rays(asked)
    expected = world.render(size=SIZE, overlay=asked.copy()).to_png()
    asked[:] = rays(60)[::-1] + 1
    assert world.render(size=SIZE, overlay=hits).to_png() == expected


def test_rays_of_a_large_question_are_drawn_where_they_were_kept(world):
    asked = rays(30_000)
    dropped = world.cast_rays(asked)
    with pytest.raises(ValueError, match="keep_question=True"):
        world.render(size=SIZE, overlay=dropped)
    kept = world.cast_rays(asked, keep_question=True)
    some = np.arange(7, 30_000, 1000)
    drawn = world.render(size=SIZE, overlay=kept[some]).to_png()
    assert drawn == world.render(size=SIZE, overlay=asked[some]).to_png()


def test_hits_that_are_picked_keep_their_rays(world):
    every = world.cast_rays_all(rays(200))
    assert every.count.sum() == len(every) > 300
    floor = every[every.object == 1]
    expected = every.ray[every.object == 1]
    assert type(floor) is hitscan.AllRayHits
    assert floor.ray.tolist() == expected.tolist()
    assert floor.count.tolist() == np.bincount(expected, minlength=200).tolist()
    assert np.diff(floor.splits).tolist() == floor.count.tolist()
    assert "ray" in every[:5].to_pandas().columns
    assert every[:5].to_arrow()["ray"].to_pylist() == every.ray[:5].tolist()
    one = every[3]
    assert (one.ray.item(), one.t.item()) == (every.ray[3], every.t[3])
    with pytest.raises(ValueError, match="order of their rays"):
        every[::-1].splits
    assert every[::-1].count.tolist() == every.count.tolist()


def test_a_stream_that_was_read_is_refused(world):
    names = "ox oy oz dx dy dz".split()
    table = pa.table(dict(zip(names, rays(40).T, strict=True)))
    answered = world.cast_rays_table(table)
    assert pa.table(answered).equals(pa.table(answered))
    streamed = world.cast_rays_table(table.to_reader())
    assert pa.table(streamed).num_rows == 40
    with pytest.raises(ValueError, match="a stream that was read already"):
        pa.table(streamed)
    assert world.cast_rays_table(table).to_pandas().equals(answered.to_pandas())


def test_answers_of_every_kind_are_tables(world):
    near = world.contacts(hitscan.Spheres([[0, 2, 0], [0, -1.5, 4]], 1.0), margin=1.0)
    frame = near.to_pandas()
    assert frame["question"].tolist() == near.question.tolist()
    assert frame["object"].tolist() == near.object_names.tolist()
    assert frame["point_y"].tolist() == near.point[:, 1].tolist()
    table = world.first_blocker([[0, 0, 9], [9, 9, 9]], [[0, 0, -9], [9, 9, 0]]).to_arrow()
    assert table["object"].to_pylist() == ["ball", None]
    assert table["t"].to_pylist()[1] is None
    segments = world.overlaps().to_arrow()
    assert segments.num_rows == len(world.overlaps())
