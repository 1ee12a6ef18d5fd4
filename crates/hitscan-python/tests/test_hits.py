"""Answers: fields, slices, masks, tables, reuse."""

import pickle

import numpy as np
import oracle
import pandas
import pyarrow
import pytest

import hitscan

ALL_FIELDS = (
    "hit t distance point normal object part triangle uv side status joint bind_point".split()
)


def world():
    made = hitscan.World()
    made.add(hitscan.TriMesh(*oracle.box_mesh((0, 0, 0), (4, 4, 4))), name="crate")
    made.add(hitscan.Sphere([10, 0, 0], 2), name="ball")
    made.update()
    return made


def picture(made):
    return made.cast_rays(hitscan.Camera([5, 3, 20], [5, 1, 0]).rays(24, 16))


def test_dtypes_and_what_a_miss_holds():
    hits = world().cast_rays(np.float32([[1, 2, 9], [10, 0, 9], [99, 0, 9]]), [0, 0, -1])
    assert hits.hit.tolist() == [True, True, False]
    assert hits.t.tolist() == [5, 7, np.inf] and hits.t.dtype == np.float32
    assert hits.distance.tolist() == [5, 7, np.inf] and hits.distance.dtype == np.float32
    np.testing.assert_array_equal(hits.point, np.float32([[1, 2, 4], [10, 0, 2], [np.nan] * 3]))
    np.testing.assert_array_equal(hits.normal, np.float32([[0, 0, 1], [0, 0, 1], [np.nan] * 3]))
    assert hits.object.tolist() == [0, 1, -1] and hits.object.dtype == np.int64
    assert hits.part.tolist() == [0, -1, -1] and hits.part.dtype == np.int32
    assert hits.triangle[1:].tolist() == [-1, -1] and hits.triangle.dtype == np.int64
    assert np.isnan(hits.uv[1:]).all() and not np.isnan(hits.uv[0]).any()
    assert hits.side.tolist() == [0, 0, -1] and hits.side.dtype == np.int8
    assert hits.status.tolist() == [1, 1, 0] and hits.status.dtype == np.int8
    assert hits.object_names.tolist() == ["crate", "ball", None]


def test_only_the_fields_that_are_asked_for_are_there():
    made = world()
    every = picture(made)
    for field in ALL_FIELDS[:11]:
        rays = hitscan.Camera([5, 3, 20], [5, 1, 0]).rays(24, 16)
        one = made.cast_rays(rays, fields=[field])
        assert one.fields == (field,) and one.shape == (16, 24)
        np.testing.assert_array_equal(getattr(one, field), getattr(every, field))
        missing = next(other for other in ALL_FIELDS if other != field)
        assert not hasattr(one, missing)
        with pytest.raises(AttributeError, match=f"'{missing}' was not asked for"):
            getattr(one, missing)
    more = made.cast_rays([1, 2, 9], [0, 0, -1], fields=["joint", "bind_point"])
    assert more.joint == -1 and np.isnan(more.bind_point).all()


def test_slices_masks_and_lengths():
    hits = picture(world())
    assert hits.shape == (16, 24) and len(hits) == 16
    assert hits[3].shape == (24,) and hits[3, 5].shape == ()
    assert hits[..., 4].shape == (16,) and hits[..., 4].point.shape == (16, 3)
    assert hits[2:5, ::2].uv.shape == (3, 12, 2)
    found = hits[hits.hit]
    assert found.hit.all() and len(found) == np.count_nonzero(hits.hit)
    np.testing.assert_array_equal(found.point, hits.point[hits.hit])
    np.testing.assert_array_equal(hits[3].object_names, hits.object_names[3])
    assert np.shares_memory(hits[3].t, hits.t)
    assert len([row for row in hits]) == 16
    with pytest.raises(IndexError):
        hits[99]
    with pytest.raises(TypeError, match="no length"):
        len(hits[3, 5])


def test_arrays_are_used_again():
    made = world()
    rays = hitscan.Camera([5, 3, 20], [5, 1, 0]).rays(24, 16)
    former = made.cast_rays(rays[::-1])
    expected = made.cast_rays(rays)
    again = made.cast_rays(rays, out=former)
    for field in ALL_FIELDS[:11]:
        assert np.shares_memory(getattr(again, field), getattr(former, field))
        np.testing.assert_array_equal(getattr(again, field), getattr(expected, field))
    any_hit = np.ones((16, 24), bool)
    assert made.cast_rays_any(rays, out=any_hit) is any_hit
    np.testing.assert_array_equal(any_hit, expected.hit)


def test_arrays_that_cannot_be_used_again():
    made = world()
    rays = hitscan.Camera([5, 3, 20], [5, 1, 0]).rays(24, 16)
    with pytest.raises(ValueError, match=r"out\.\w+: .*\(15, 24.*found \(16, 24"):
        made.cast_rays(rays[1:], out=made.cast_rays(rays))
    with pytest.raises(ValueError, match=r"out\.point: .*float64, found .*float32"):
        made.cast_rays(rays.astype(float), out=made.cast_rays(rays))
    frozen = made.cast_rays(rays)
    frozen.t.flags.writeable = False
    with pytest.raises(ValueError, match=r"out\.t: expected a writeable"):
        made.cast_rays(rays, out=frozen)
    with pytest.raises(ValueError, match="out: expected a writeable"):
        made.cast_rays_any(rays, out=np.ones((16, 48), bool)[:, ::2])


def test_pickles_keep_names():
    hits = picture(world())
    again = pickle.loads(pickle.dumps(hits))
    for field in hits.fields:
        np.testing.assert_array_equal(getattr(again, field), getattr(hits, field))
    assert again.object_names.tolist() == hits.object_names.tolist()
    every = world().cast_rays_all([[1, 2, 9]], [0, 0, -1])
    again = pickle.loads(pickle.dumps(every))
    assert again.splits.tolist() == [0, 2] and again.object_names.tolist() == ["crate"] * 2


def test_tables():
    hits = world().cast_rays([[[1, 2, 9], [10, 0, 9]], [[99, 0, 9], [0, 0, 0]]], [0, 0, -1])
    table = hits.to_arrow()
    assert isinstance(table, pyarrow.Table) and table.num_rows == 4
    assert " ".join(table.column_names) == (
        "hit t distance x y z nx ny nz object part triangle u v side status"
    )
    assert table["object"].to_pylist() == ["crate", "ball", None, "crate"]
    assert table["t"].to_pylist()[:3] == [5, 7, None]
    assert table["x"].to_pylist()[:3] == [1, 10, None]
    assert table["side"].to_pylist()[:3] == ["front", "front", None]
    assert table["status"].to_pylist()[:3] == ["hit", "hit", "miss"]
    frame = hits.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 4
    assert frame["object"][1] == "ball" and frame["t"][2] == np.inf
    mesh = hitscan.TriMesh(*oracle.box_mesh())
    assert mesh.cast_rays([[0.5, 0.4, 9]], [0, 0, -1]).to_arrow()["object"].to_pylist() == [None]
    rows = world().cast_rays_all([[1, 2, 9]], [0, 0, -1], fields=["t"]).to_arrow()
    assert rows.to_pydict() == {"ray": [0, 0], "t": [5, 9]}
