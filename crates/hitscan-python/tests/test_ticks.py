"""Rows that each query their own tick, against `World.at` one by one."""

import numpy as np
import pyarrow as pa
import pytest

import hitscan

LAST = 12
ROWS = 700


@pytest.fixture(scope="module", params=[None, [500_000.0, 0.0, -5_400_000.0]], ids=["here", "far"])
def moving(request, tmp_path_factory):
    """A world in which all that can moves, grows and goes, and its origin."""
    origin = np.zeros(3) if request.param is None else np.array(request.param)
    robot = hitscan.Model.from_gltf(
        hitscan.write_demo(tmp_path_factory.mktemp("demo"))["robot.glb"]
    )
    rng = np.random.default_rng(32)
    world = hitscan.World(origin=request.param)
    world.keep_history(LAST + 1)
    heights = rng.random((9, 9)) * 2
    ground = world.add(hitscan.HeightField(heights, spacing=4.0, origin=origin), name="ground")
    ball = world.add(hitscan.Sphere(origin + [6, 4, 6], 2.0), name="ball")
    crate = world.add(hitscan.OrientedBox([0, 0, 0], [2, 1, 1], [0, 0, 0, 1]), name="crate")
    ada = world.add(robot, name="ada")
    gone = world.add(hitscan.Box(origin + [20, 2, 20], origin + [26, 8, 26]), name="gone")
    for tick in range(LAST + 1):
        world.set_shape(ball, hitscan.Sphere(origin + [6 + tick, 4, 6 + 0.5 * tick], 2.0 + 0.1 * tick))
        places = np.tile(np.eye(4), (2, 1, 1))
        turn = 0.3 * tick
        places[0, :3, :3] = [[np.cos(turn), 0, np.sin(turn)], [0, 1, 0], [-np.sin(turn), 0, np.cos(turn)]]
        places[0, :3, 3] = origin + [16, 5, 26 - tick]
        places[1, :3, 3] = origin + [10 + tick, 2, 16]
        world.set_transforms([crate, ada], places)
        world.set_poses([ada], "Walk", 0.05 * tick)
        if tick == 7:
            world.remove(gone)
        if tick == 9:
            edited = hitscan.HeightField(heights + 1, spacing=4.0, origin=origin)
            world.set_shape(ground, edited)
        world.update()
        world.record(tick)
    return world, origin


def ticks_of(rng, rows):
    """Whole ticks and times between, some several times one after the other."""
    some = np.round(rng.random(rows) * LAST * 4) / 4 + rng.choice([0, 0.1], rows)
    some[: rows // 4] = np.sort(rng.integers(0, LAST + 1, rows // 4))
    return np.minimum(some, LAST)


def points_of(rng, origin, rows):
    return origin + rng.random((rows, 3)) * [32, 9, 32]


def rows_of(name, rng, origin, rows):
    """The arrays of a query, a row each."""
    start, motion = points_of(rng, origin, rows), rng.normal(size=(rows, 3)) * 20
    return {
        "cast_rays": [start, motion],
        "cast_rays_any": [start, motion],
        "cast_rays_all": [start, motion],
        "cast_arcs": [start, motion],
        "cast_arcs_any": [start, motion],
        "height": [start[:, [0, 2]]],
        "footprints": [start[:, [0, 2]]],
        "closest_points": [start],
        "is_visible": [start, start + motion],
        "first_blocker": [start, start + motion],
        "cast_shapes": [hitscan.Spheres(start, 0.5), motion],
        "cast_shapes_any": [hitscan.Spheres(start, 0.5), motion],
        "cast_shapes_all": [hitscan.Spheres(start, 0.5), motion],
        "contacts": [hitscan.Spheres(start, 2.5)],
        "overlaps_shapes": [hitscan.Spheres(start, 2.5)],
        "sweep_boxes": [start - 0.5, start + 0.5, motion],
    }[name]


QUERIES = [
    "cast_rays", "cast_rays_any", "cast_rays_all", "cast_arcs", "cast_arcs_any", "height", "footprints",
    "closest_points", "is_visible", "first_blocker", "cast_shapes", "cast_shapes_any", "cast_shapes_all",
    "contacts", "overlaps_shapes", "sweep_boxes",
]  # fmt: skip


def arrays(answer):
    """The arrays of an answer by name."""
    if isinstance(answer, np.ndarray):
        return {"answer": answer}
    if isinstance(answer, hitscan.RayHits):
        return {name: getattr(answer, name) for name in answer.fields}
    return {name.lstrip("_"): array for name, array in answer._arrays().items()}


def picked(questions, rows):
    def pick(one):
        if isinstance(one, hitscan.Spheres):
            return hitscan.Spheres(one.center[rows], one.radius)
        return one[rows]

    return [pick(one) for one in questions]


@pytest.mark.parametrize("name", QUERIES)
def test_each_row_is_that_of_its_snapshot(moving, name):
    world, origin = moving
    rng = np.random.default_rng(len(name))
    asked, ticks = rows_of(name, rng, origin, ROWS), ticks_of(rng, ROWS)
    options = {"radius": 1.5} if name == "footprints" else {}
    if name in ("cast_rays", "cast_rays_all"):
        options["fields"] = (*hitscan._hitscan.RAY_FIELDS,)
    found = getattr(world, name)(*asked, ticks=ticks, **options)
    differs = False
    for row in range(0, ROWS, 3):
        then = getattr(world.at(ticks[row]), name)
        one = arrays(then(*picked(asked, slice(row, row + 1)), **options))
        if name in ("cast_rays_all", "cast_shapes_all", "contacts"):
            own = found[found.ray == row] if name == "cast_rays_all" else found[found.question == row]
            own = arrays(own)
            own.pop("question", None), one.pop("question", None)
        else:
            own = {field: array[row : row + 1] for field, array in arrays(found).items()}
        assert own.keys() == one.keys()
        for field, array in one.items():
            np.testing.assert_array_equal(own[field], array, err_msg=f"{field} of row {row}")
    now = arrays(getattr(world, name)(*asked, **options))
    for field, array in arrays(found).items():
        differs |= not np.array_equal(array, now[field], equal_nan=array.dtype.kind == "f")
    assert differs, "the past is the present"


def test_ticks_broadcast_and_threads_do_not_matter(moving):
    world, origin = moving
    rng = np.random.default_rng(1)
    start, motion = points_of(rng, origin, 40), rng.normal(size=(40, 3))
    ticks = np.linspace(0, LAST, 25)[:, None]
    grid = world.cast_rays(start, motion, ticks=ticks)
    assert grid.shape == (25, 40)
    alone = world.cast_rays(start, motion, ticks=ticks, threads=1)
    np.testing.assert_array_equal(grid.t, alone.t)
    for row, tick in enumerate(ticks[:, 0]):
        np.testing.assert_array_equal(grid.t[row], world.at(tick).cast_rays(start, motion).t)
    # One tick for all is that snapshot.
    np.testing.assert_array_equal(world.cast_rays(start, motion, ticks=6.5).t, world.at(6.5).cast_rays(start, motion).t)
    with pytest.raises(ValueError, match=r"do not broadcast: .*ticks \(7,\)"):
        world.cast_rays(start, motion, ticks=np.zeros(7))


def test_the_past_needs_no_update(moving):
    world = hitscan.World(auto_update=False)
    world.keep_history(3)
    ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    world.update()
    world.record(1)
    world.set_shape(ball, hitscan.Sphere([50, 0, 0], 1))
    assert world.cast_rays_any([[0, 5, 0]], [0, -1, 0], ticks=[1]).tolist() == [True]


def test_a_tick_that_is_not_kept(moving):
    world, origin = moving
    rays = [origin + [1, 30, 1]] * 3, [0, -1, 0]
    for tick in (-1, LAST + 0.5, np.nan, np.inf):
        with pytest.raises(hitscan.UnknownTickError, match=rf"ticks\[1\]: tick .* is not kept: 0 to {LAST} are"):
            world.cast_rays(*rays, ticks=[3, tick, tick])
        with pytest.raises(hitscan.UnknownTickError):
            world.height(rays[0], ticks=[3, tick, 3])
        with pytest.raises(hitscan.UnknownTickError):
            world.cast_rays(*rays, ticks=tick)
        marked = world.cast_rays(*rays, ticks=[3, tick, 3], invalid="mark")
        assert (marked.status == hitscan.Status.INVALID).tolist() == [False, True, False]
        ground = world.height(rays[0], ticks=[3, tick, 3], invalid="mark")
        assert (ground.status == hitscan.GroundStatus.INVALID).tolist() == [False, True, False]
    with pytest.raises(hitscan.UnknownTickError, match="no tick is"):
        hitscan.World().cast_rays(*rays, ticks=[1, 2, 3])
    for other in (world.now(), hitscan.TriMesh(np.eye(3), [[0, 1, 2]])):
        with pytest.raises(TypeError, match="only a World has a history"):
            other.cast_rays(*rays, ticks=[1, 2, 3])


def table_of(start, motion, ticks):
    columns = dict(zip(("ox", "oy", "oz"), start.T, strict=True))
    columns |= dict(zip(("dx", "dy", "dz"), motion.T, strict=True))
    return pa.table({**columns, "tick": ticks, "note": [f"row {row}" for row in range(len(start))]})


@pytest.mark.parametrize("hits", ["nearest", "all", "any"])
def test_tables_with_a_column_of_ticks(moving, hits):
    world, origin = moving
    rng = np.random.default_rng(5)
    start, motion = points_of(rng, origin, ROWS), rng.normal(size=(ROWS, 3)) * 20
    ticks = ticks_of(rng, ROWS)
    given = [*map(float, ticks)]
    given[10:14] = [None, -1.0, LAST + 1.0, np.nan]
    table = table_of(start, motion, pa.array(given, pa.float64()))
    found = world.cast_rays_table(table, ticks="tick", hits=hits, row_number=True).to_pyarrow()
    assert found["tick"].type == pa.float64() and found["note"][0].as_py() == "row 0"
    own = found.group_by("row").aggregate([("status", "count")])
    assert sorted(own["row"].to_pylist()) == list(range(ROWS))
    answers = found.drop_columns(["note"]).to_pylist()
    for row in range(0, ROWS, 5):
        expected = world.at(ticks[row]) if given[row] is not None and row not in (11, 12, 13) else world
        own = [answer for answer in answers if answer["row"] == row]
        if row in (11, 12, 13):
            assert [answer["status"] for answer in own] == ["invalid"]
            continue
        one = table.slice(row, 1)
        then = expected.cast_rays_table(one, hits=hits, row_number=True).to_pyarrow()
        then = [{**answer, "row": row} for answer in then.drop_columns(["note"]).to_pylist()]
        assert own == then
    assert [answers[k]["status"] for k in range(len(answers)) if answers[k]["row"] in (11, 12, 13)] == ["invalid"] * 3
    # An object that is gone by now has its name in the past.
    if hits == "nearest":
        assert "gone" in found["object"].to_pylist()


def test_other_tables_have_ticks_too(moving):
    world, origin = moving
    rng = np.random.default_rng(6)
    start, ticks = points_of(rng, origin, 60), np.arange(60) % (LAST + 1)
    for name, columns in [
        ("heights_table", {"x": start[:, 0], "z": start[:, 2]}),
        ("closest_points_table", dict(zip(("px", "py", "pz"), start.T, strict=True))),
    ]:
        table = pa.table({**columns, "when": ticks})
        found = getattr(world, name)(table, ticks="when").to_pyarrow().to_pylist()
        for row, tick in enumerate(ticks.tolist()):
            one = getattr(world.at(tick), name)(table.slice(row, 1)).to_pyarrow().to_pylist()
            assert [found[row]] == one
    # Without `ticks` such a column is one like others.
    plain = world.heights_table(pa.table({"x": start[:, 0], "z": start[:, 2], "tick": ticks - 99})).to_pyarrow()
    assert plain["tick"].to_pylist() == (ticks - 99).tolist()
    assert "invalid" not in plain["status"].to_pylist()


def test_columns_of_ticks_that_are_none(moving):
    world, origin = moving
    table = table_of(np.array([origin]), np.array([[0.0, -1, 0]]), ["soon"])
    answer = world.cast_rays_table(table, ticks="tick").to_pyarrow()
    assert answer["status"].to_pylist() == ["invalid"]
    with pytest.raises(ValueError, match='the table has no column "when"'):
        world.cast_rays_table(table, ticks="when")
    with pytest.raises(TypeError, match="name of the table's column"):
        world.cast_rays_table(table, ticks=[1])
    with pytest.raises(TypeError, match="only a World has a history"):
        world.now().cast_rays_table(table, ticks="tick")
