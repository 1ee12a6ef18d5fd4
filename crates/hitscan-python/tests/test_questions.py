"""What all queries but rays have alike: arrays of any kind, threads, memory."""

import threading

import numpy as np
import oracle
import pytest
from memory_growth import growth, peak_growth

import hitscan


def everything(world, points):
    """An array of the answer of each query about points (n, 3)."""
    boxes = hitscan.Boxes(points, points)
    return {
        "height": world.height(points, invalid="mark").height,
        "footprints": world.footprints(points, radius=0.5, invalid="mark").height,
        "sweep_boxes": world.sweep_boxes(points, points, [0, -9, 0], invalid="mark").t,
        "cast_shapes_any": world.cast_shapes_any(boxes, [0, -9, 0], invalid="mark"),
        "cast_shapes_all": world.cast_shapes_all(boxes, [0, -9, 0], invalid="mark").count,
        "contacts": world.contacts(boxes, margin=1, invalid="mark").count,
        "overlaps_shapes": world.overlaps_shapes(boxes, invalid="mark"),
        "closest_points": world.closest_points(points, invalid="mark").distance,
        "objects_in": world.objects_in(points, points, invalid="mark").count,
        "cast_arcs": world.cast_arcs(points, [3, 0, 0], invalid="mark").t,
        "cast_arcs_any": world.cast_arcs_any(points, [3, 0, 0], invalid="mark"),
        "is_visible": world.is_visible(points, [2, 9, 2], invalid="mark"),
        "first_blocker": world.first_blocker(points, [2, 9, 2], invalid="mark").t,
    }


def made_world():
    heights = np.random.default_rng(1).integers(0, 3, (9, 9))
    made = hitscan.World()
    made.add(hitscan.HeightField(heights), name="ground")
    made.add(hitscan.TriMesh(*oracle.box_mesh((1, 2, 1), (3, 4, 3))), name="crate")
    made.add(hitscan.Sphere([6, 4, 6], 1.5), name="ball")
    made.update()
    return made


@pytest.fixture(scope="module")
def world():
    return made_world()


def test_every_dtype_and_any_strides(world):
    points = np.random.default_rng(2).integers(0, 9, (60, 3))
    plain = everything(world, points.astype(np.float32))
    assert len(np.unique(plain["sweep_boxes"])) > 3
    kinds = ["i1", "u1", ">i2", "u4", "i8", ">f4", "f2", "f8", ">f8", "g"]
    others = [points.astype(kind) for kind in kinds]
    others += [
        np.asfortranarray(points.astype(float)),
        np.repeat(points, 2, axis=0)[::2],
        points[::-1].copy()[::-1],
        points.tolist(),
    ]
    packed = np.zeros(60, dtype=[("tag", "u1"), ("p", "<f4", 3)])
    packed["p"] = points
    for other in [*others, packed["p"]]:
        for name, answer in everything(world, other).items():
            np.testing.assert_array_equal(answer, plain[name], err_msg=name)


def test_what_is_no_array_of_numbers(world):
    masked = np.ma.masked_array(np.zeros((2, 3)), mask=[[0, 0, 1], [0, 0, 0]])
    for wrong in ([["a", "b", "c"]], np.zeros((2, 3), complex), masked):
        for ask in (world.height, world.closest_points, lambda p: world.is_visible(p, p)):
            with pytest.raises(TypeError):
                ask(wrong)
    with pytest.raises(ValueError, match=r"the leading axes do not broadcast: eyes \(2,\), targets \(3,\)"):
        world.is_visible(np.zeros((2, 3)), np.zeros((3, 3)))
    with pytest.raises(ValueError, match=r"points: expected an array of shape \(\.\.\., 3\), found \(2, 4\)"):
        world.closest_points(np.zeros((2, 4)))
    with pytest.raises(ValueError, match='invalid: expected "raise"'):
        world.height([0, 0], invalid="skip")
    with pytest.raises(KeyError, match="no object is called"):
        world.closest_points([0, 0, 0], ignore=["nobody"])
    with pytest.raises(ValueError, match="threads must be at least 1"):
        world.height(np.zeros((5000, 2)), threads=0)


def test_no_points_and_no_axes(world):
    for name, answer in everything(world, np.zeros((0, 3))).items():
        assert answer.shape == (0,), name
    flat = ("cast_shapes_all", "contacts", "objects_in")
    for name, answer in everything(world, np.zeros(3)).items():
        assert answer.shape == ((1,) if name in flat else ()), name


def test_threads_that_write_meanwhile_break_nothing(world):
    points = np.random.default_rng(3).uniform(0, 8, (1500, 3)).astype(np.float32)
    stop = threading.Event()

    def write():
        random = np.random.default_rng(4)
        while not stop.is_set():
            rows = random.integers(0, len(points), 200)
            points.view(np.uint32)[rows] = random.integers(0, 1 << 32, (200, 3), np.uint32)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(2):
            answers = everything(world, points)
            assert all(len(answer) == 1500 for answer in answers.values())
            assert not np.isnan(answers["closest_points"]).any()
    finally:
        stop.set()
        writer.join()


def calls(count):
    world = made_world()
    points = np.random.default_rng(5).uniform(0, 8, (40, 3))
    for _ in range(count):
        everything(world, points)
        world.overlaps()
        world.broad_phase_pairs()
        world.impacts(["ball"], [[0, -9, 0]])
        world.viewshed("ground", [4, 4], above=1)
        world.explain_ray([4, 9, 4], [0, -1, 0])
        with pytest.raises(ValueError):
            world.closest_points([np.nan, 0, 0])


def test_memory_is_flat():
    assert growth(calls, first=40, then=200) < 2 << 20


def test_a_call_needs_little_beside_its_arrays():
    field = hitscan.HeightField(np.zeros((9, 9)))
    points = np.full((3_000_000, 2), 4.0, np.float32)
    field.elevations(points[:5000])
    answers = []
    grown = peak_growth(lambda: answers.append(field.elevations(points)))
    assert not answers[0].any()
    assert grown < 4 * len(points) + (16 << 20)
