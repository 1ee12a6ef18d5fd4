"""What arrays queries take: any real dtype, strides and shape."""

import numpy as np
import oracle
import pytest

import hitscan

BOX = hitscan.TriMesh(*oracle.box_mesh((0, 0, 0), (8, 8, 8)))
ORIGINS = np.array([[2, 3, 20], [5, 7, 20], [9, 3, 20], [1, 2, 20]])
DOWN = np.array([0, 0, -2])
T = [6, 6, np.inf, 6]


@pytest.mark.parametrize(
    "dtype",
    ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g"]
    + [">i2", ">u4", ">i8", ">f2", ">f4", ">f8"],
)
def test_every_real_dtype(dtype):
    origins = ORIGINS.astype(dtype)
    hits = BOX.cast_rays(origins, DOWN)
    assert hits.t.tolist() == T
    wide = np.dtype(dtype).itemsize > 4 or dtype.lstrip(">") in ("i4", "u4")
    assert hits.point.dtype == (np.float64 if wide else np.float32)


def test_every_half():
    # The value of each of the 65,536 numbers of binary16, by the height of a level field.
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(256, 256)
    finite = np.where(np.isfinite(halves), halves, np.float16(np.nan))
    np.testing.assert_array_equal(hitscan.HeightField(finite).heights, finite.astype(np.float32))


def test_any_strides():
    for origins in (
        np.asfortranarray(ORIGINS.astype(float)),
        np.repeat(ORIGINS, 3, axis=0)[::3],
        ORIGINS[::-1].copy()[::-1],
        np.stack([ORIGINS, ORIGINS], axis=-1)[..., 0],
        np.concatenate([ORIGINS, ORIGINS], axis=1)[:, 3:],
    ):
        assert BOX.cast_rays(origins, DOWN).t.tolist() == T


def test_arrays_that_are_not_aligned_or_not_writeable():
    packed = np.zeros(4, dtype=[("tag", "u1"), ("o", "<f4", 3), ("d", ">f8", 3)])
    packed["o"], packed["d"] = ORIGINS, DOWN
    packed.flags.writeable = False
    assert not packed["o"].flags.aligned
    assert BOX.cast_rays(packed["o"], packed["d"]).t.tolist() == T
    mapped = np.frombuffer(ORIGINS.astype(np.float32).tobytes(), np.float32).reshape(4, 3)
    assert BOX.cast_rays(mapped, DOWN).t.tolist() == T


def test_leading_axes_come_back():
    origins = np.broadcast_to(ORIGINS, (5, 1, 4, 3))
    directions = np.broadcast_to(DOWN, (7, 1, 3))
    hits = BOX.cast_rays(origins, directions)
    assert hits.shape == hits.t.shape == (5, 7, 4)
    assert hits.point.shape == (5, 7, 4, 3) and hits.uv.shape == (5, 7, 4, 2)
    np.testing.assert_array_equal(hits.t, np.broadcast_to(np.float32(T), (5, 7, 4)))


def test_many_axes_are_read_in_order():
    rng = np.random.default_rng(5)
    whole = rng.uniform(-4, 12, (3, 4, 5, 6, 3))
    for view in (whole, whole[::2, :, ::-1], whole.transpose(2, 0, 3, 1, 4), whole[:, 1:2]):
        view = np.concatenate([view[..., :2], np.full_like(view[..., :1], 20)], axis=-1).view()
        flat = BOX.cast_rays(np.ascontiguousarray(view).reshape(-1, 3), DOWN)
        hits = BOX.cast_rays(np.asfortranarray(view), DOWN)
        np.testing.assert_array_equal(hits.t, flat.t.reshape(view.shape[:-1]))


def test_rays_of_six_columns_and_lists():
    rays = np.concatenate([ORIGINS, np.broadcast_to(DOWN, (4, 3))], axis=1)
    assert BOX.cast_rays(rays).t.tolist() == T
    assert BOX.cast_rays(rays.tolist()).t.tolist() == T
    assert BOX.cast_rays(rays.reshape(2, 2, 6)).shape == (2, 2)


def test_no_rays_and_one_ray():
    none = BOX.cast_rays(np.empty((0, 3)), DOWN)
    assert none.t.shape == (0,) and none.point.shape == (0, 3) and len(none) == 0
    assert BOX.cast_rays_any(np.empty((4, 0, 3)), DOWN).shape == (4, 0)
    assert BOX.cast_rays_all(np.empty((0, 6))).splits.tolist() == [0]
    one = BOX.cast_rays([2, 3, 20], DOWN)
    assert one.shape == () and one.t == 6 and bool(one.hit)


@pytest.mark.parametrize(
    ("origins", "directions", "error", "text"),
    [
        ([1, 2], DOWN, ValueError, r"origins: expected an array of shape \(\.\.\., 3\), found \(2,\)"),
        (5.0, DOWN, ValueError, r"origins: .* found \(\)"),
        (ORIGINS, None, ValueError, r"rays: expected an array of shape \(\.\.\., 6\), found \(4, 3\)"),
        (ORIGINS, ORIGINS[:3], ValueError, r"broadcast: origins \(4,\), directions \(3,\)"),
        ([[1, 2, 3j]], DOWN, TypeError, "origins: .*complex"),
        ([["a", "b", "c"]], DOWN, TypeError, "origins: expected an array of real numbers"),
        ([[True, False, True]], DOWN, TypeError, "bool"),
        (np.ma.masked_array(ORIGINS, ORIGINS == 2), DOWN, TypeError, "without a mask"),
    ],
)
def test_what_is_no_array_of_rays(origins, directions, error, text):
    with pytest.raises(error, match=text):
        BOX.cast_rays(origins, directions)


def test_words_that_are_not_known():
    for keyword, value in [("sides", "left"), ("start", "soft"), ("invalid", "skip"), ("fields", ["q"])]:
        with pytest.raises(ValueError, match=keyword):
            BOX.cast_rays(ORIGINS, DOWN, **{keyword: value})
    with pytest.raises(ValueError, match="layers"):
        BOX.cast_rays(ORIGINS, DOWN, layers=1)
    with pytest.raises(ValueError, match="threads"):
        BOX.cast_rays(ORIGINS, DOWN, threads=0)


def test_few_rays_have_the_answers_of_many(tmp_path):
    rng = np.random.default_rng(31)
    soup = hitscan.TriMesh(*oracle.soup(rng, 60))
    ground = hitscan.HeightField(rng.random((12, 12)), origin=(-6, -1, -6))
    robot = hitscan.Model.from_gltf(hitscan.write_demo(tmp_path)["robot.glb"])
    world = hitscan.World()
    for shape in (soup, ground, robot, hitscan.Sphere([0, 0, 0], 1)):
        world.add(shape)
    world.update()
    rays = np.concatenate(oracle.rays(rng, 600), axis=1)
    for target in (soup, ground, robot.posed(robot.rest_pose), world):
        many = target.cast_rays(rays)
        assert many.hit.any() and not many.hit.all()
        for size in (1, 2, 8, 9):
            for first in range(0, 200, size):
                few = target.cast_rays(rays[first : first + size])
                for name in many.fields:
                    expected = getattr(many, name)[first : first + size]
                    np.testing.assert_array_equal(getattr(few, name), expected)
                any_hit = target.cast_rays_any(rays[first : first + size])
                np.testing.assert_array_equal(any_hit, few.hit)
