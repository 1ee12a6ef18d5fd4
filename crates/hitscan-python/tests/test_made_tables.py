"""Tables about worlds made by hand: the answers of arrays, and those of the program on an equal scene."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import oracle
import program
import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.csv as csv
import pytest

import hitscan

ORIGIN = np.array([500_000.0, 120.5, 6_200_000.0])
ROWS = 4000


class Made:
    """A world made by hand, and a scene file that says the same."""

    def __init__(self, folder: Path) -> None:
        rng = np.random.default_rng(1511)
        heights = rng.random((33, 33), np.float32) * 4
        heights[7, 9] = np.nan
        np.save(folder / "heights.npy", heights)
        corners = np.round(rng.random((60, 3)) * 20 + [8, 4, 8], 4).astype(np.float32)
        triangles = rng.integers(0, 60, (80, 3))
        triangles = triangles[[len(set(three)) == 3 for three in triangles]]
        lines = [f"v {x} {y} {z}" for x, y, z in corners]
        lines += [f"f {a} {b} {c}" for a, b, c in triangles + 1]
        (folder / "soup.obj").write_text("\n".join(lines) + "\n")
        robot = hitscan.Model.from_gltf(hitscan.write_demo(folder / "demo")["robot.glb"])
        self.scene = folder / "scene.toml"
        self.scene.write_text(_SCENE.format(origin=ORIGIN.tolist()))

        self.world = world = hitscan.World(origin=ORIGIN)
        ground = hitscan.HeightField(heights, spacing=1.5, origin=ORIGIN)
        world.add(ground, name="ground")
        gone = [world.add(hitscan.Box(ORIGIN - 90, ORIGIN + 90)) for _ in range(3)]
        soup = hitscan.TriMesh(corners + ORIGIN, triangles, origin=ORIGIN)
        world.add(soup, name="soup", layers=2)
        place = np.eye(4)
        place[:3, 3] = ORIGIN + [30.5, 3.25, 20.0]
        world.add(robot, name="ada", pose=robot.pose("Walk", 0.3), transform=place)
        world.add(hitscan.Sphere(ORIGIN + [15.5, 5.0, 31.25], 3.0))
        world.update()
        for handle in gone:
            world.remove(handle)
        world.update()
        assert world.handles == [0, 4, 5, 6] and world.object_names[3] == "sphere6"


_SCENE = """
[world]
origin = {origin}
[[terrain]]
name = "ground"
heights = "heights.npy"
spacing = 1.5
[[model]]
name = "soup"
file = "soup.obj"
layers = 2
[[model]]
name = "ada"
file = "demo/robot.glb"
translation = [30.5, 3.25, 20.0]
clip = "Walk"
time = 0.3
[[sphere]]
name = "sphere6"
center = [15.5, 5.0, 31.25]
radius = 3.0
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return Made(tmp_path_factory.mktemp("made"))


def questions(names: str, columns: list[np.ndarray], **more: list[object]) -> pa.Table:
    return pa.table(dict(zip(names.split(), columns, strict=True)) | more)


def rays() -> tuple[np.ndarray, np.ndarray, pa.Table]:
    """Rays through the world, and their table."""
    rng = np.random.default_rng(15)
    origins = rng.random((ROWS, 3)) * [46, 14, 46] + ORIGIN
    directions = rng.normal(size=(ROWS, 3)) - [0, 0.5, 0]
    # The robot is small.
    directions[::4] = ORIGIN + [30.5, 4.25, 20.0] - origins[::4] + 0.4 * directions[::4]
    names = "ox oy oz dx dy dz"
    return origins, directions, questions(names, [*origins.T, *directions.T])


def same(table: pa.Table, name: str, values: np.ndarray) -> None:
    """Check a column of numbers bit for bit against an array; nulls are NaN, infinity or -1 there."""
    column = table[name].combine_chunks()
    is_there = np.asarray(column.is_valid())
    found = column.drop_null().to_numpy()
    assert found.dtype.itemsize == values.dtype.itemsize or values.dtype.kind == "i", name
    np.testing.assert_array_equal(found, values[is_there], name)
    rest = values[~is_there]
    assert (rest == -1).all() if values.dtype.kind == "i" else not np.isfinite(rest).any(), name


def same_names(table: pa.Table, names: np.ndarray) -> None:
    assert table["object"].to_pylist() == names.tolist()


def same_vectors(table: pa.Table, names: str, vectors: np.ndarray) -> None:
    for name, values in zip(names.split(), np.moveaxis(vectors, -1, 0), strict=True):
        same(table, name, values)


def check_rays(world: hitscan.World | hitscan.Snapshot) -> pa.Table:
    """Compare a table of rays with the rays as arrays."""
    origins, directions, table = rays()
    found = pa.table(world.cast_rays_table(table))
    hits = world.cast_rays(origins, directions)
    words = np.array(["miss", "hit", "invalid"], dtype=object)
    assert found["status"].to_pylist() == words[hits.status].tolist()
    same_names(found, hits.object_names)
    same_vectors(found, "x y z", hits.point)
    same_vectors(found, "nx ny nz", hits.normal)
    same_vectors(found, "u v", hits.uv)
    for name in ("t", "distance", "triangle"):
        same(found, name, getattr(hits, name))
    assert found["x"].type == pa.float64()
    return found


def test_rays_are_those_of_arrays(made: Made) -> None:
    found = check_rays(made.world)
    assert set(found["object"].to_pylist()) == {"ground", "soup", "ada", "sphere6", None}
    origins, directions, table = rays()
    every = made.world.cast_rays_all(origins, directions)
    listed = pa.table(made.world.cast_rays_table(table, hits="all", row_number=True))
    listed = listed.filter(compute.equal(listed["status"], "hit"))
    same_names(listed, every.object_names)
    same(listed, "t", every.t)
    assert listed["row"].to_pylist() == every.ray.tolist()


def test_heights_are_those_of_arrays(made: Made) -> None:
    origins, _, _ = rays()
    x, _, z = origins.T
    table = questions("x z", [x + 4.0, z + 4.0])
    for options in ({}, {"method": "max", "radius": 2.5}, {"method": "mean", "radius": 2.5}):
        found = pa.table(made.world.heights_table(table, **options))
        ground = made.world.height(np.stack([x + 4.0, z + 4.0], axis=-1), **options)
        words = np.array(["outside", "ok", "invalid", "hole", "empty"], dtype=object)
        assert found["status"].to_pylist() == words[ground.status].tolist()
        same_names(found, ground.object_names)
        same(found, "height", ground.height)
        same_vectors(found, "nx ny nz", ground.normal)
        same(found, "triangle", ground.triangle)
    assert {"ok", "outside", "hole"} <= set(pa.table(made.world.heights_table(table))["status"].to_pylist())


def boxes() -> tuple[np.ndarray, np.ndarray, np.ndarray, pa.Table]:
    corners, motions, _ = rays()
    sizes = np.random.default_rng(16).random((ROWS, 3)) + 0.1
    names = "min_x min_y min_z max_x max_y max_z dx dy dz"
    columns = [*corners.T, *(corners + sizes).T, *(motions * 9).T]
    return corners, corners + sizes, motions * 9, questions(names, columns)


def test_sweeps_are_those_of_arrays(made: Made) -> None:
    least, greatest, motions, table = boxes()
    found = pa.table(made.world.cast_shapes_table(table))
    hits = made.world.sweep_boxes(least, greatest, motions)
    assert (hits.start == hitscan.StartState.OVERLAP).any() and {"ada", "soup"} < set(hits.object_names.tolist())
    same_names(found, hits.object_names)
    same(found, "t", hits.t)
    same(found, "triangle", hits.triangle)


def test_an_equal_scene_file_answers_the_same(made: Made, tmp_path: Path) -> None:
    _, _, table = rays()
    x, z = table["ox"].to_numpy(), table["oz"].to_numpy()
    asked = {
        "ray": (made.world.cast_rays_table, table),
        "height": (made.world.heights_table, questions("x z", [x + 4.0, z + 4.0])),
        "sweep": (made.world.cast_shapes_table, boxes()[-1]),
    }
    for command, (call, table) in asked.items():
        path = tmp_path / f"{command}.csv"
        csv.write_csv(table, path, csv.WriteOptions(quoting_style="none"))
        expected = program.answers(tmp_path / "out.parquet", command, made.scene, path)
        found = pa.table(call(program.read_text(path)))
        assert found.column_names == expected.column_names
        for name in found.column_names[table.num_columns :]:
            if name == "part":
                # A model of one part has a name there, a mesh has none.
                continue
            assert found[name].equals(expected[name]), (command, name)


def test_rows_choose_what_they_see_by_name(made: Made) -> None:
    """`ignore` and `mask` of a table are `ignore` and `layers` of arrays."""
    origins, directions, table = rays()
    every = table.append_column("ignore", [["ada; ground"] * ROWS])
    found = pa.table(made.world.cast_rays_table(every))
    hits = made.world.cast_rays(origins, directions, ignore=["ada", 0])
    same_names(found, hits.object_names)
    masked = table.append_column("mask", [[2] * ROWS])
    same_names(
        pa.table(made.world.cast_rays_table(masked)),
        made.world.cast_rays(origins, directions, layers=2).object_names,
    )
    gone = table.append_column("ignore", [["box1"] * ROWS])
    assert set(pa.table(made.world.cast_rays_table(gone))["status"].to_pylist()) == {"invalid"}


def test_any_world_answers(made: Made, tmp_path: Path) -> None:
    made.world.save(tmp_path / "world.baked")
    grown = hitscan.World.from_scene(made.scene)
    grown.add(hitscan.Sphere(ORIGIN + [5, 9, 5], 2), name="added")
    grown.update()
    for world in (
        hitscan.World.load(tmp_path / "world.baked"),
        pickle.loads(pickle.dumps(made.world)),
        grown,
        made.world.now(),
        hitscan.World(origin=ORIGIN),
    ):
        check_rays(world)


def test_tables_see_the_world_as_its_last_update_left_it() -> None:
    world = hitscan.World(auto_update=False)
    low = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]), name="low")
    world.add(hitscan.TriMesh(*oracle.box_mesh([0, 4, 0], [1, 5, 1])), name="high")
    table = pa.table({name: [value] for name, value in zip("ox oy oz".split(), (0.4, 9.0, 0.3), strict=True)})
    for name, value in zip("dx dy dz".split(), (0.0, -1.0, 0.0), strict=True):
        table = table.append_column(name, [[value]])

    def names(asked: hitscan.World | hitscan.Snapshot) -> list[str | None]:
        hits = pa.table(asked.cast_rays_table(table, hits="all"))["object"].to_pylist()
        arrays = asked.cast_rays_all([0.4, 9, 0.3], [0, -1, 0]).object_names.tolist()
        assert [name for name in hits if name] == arrays
        return list(dict.fromkeys(hits))

    assert names(world.now()) == [None]
    world.update()
    before = world.now()
    answers = world.cast_rays_table(table, columns=["object", "y"], hits="all")
    world.remove(low)
    assert names(world.now()) == ["high", "low"]
    assert world.add(hitscan.Box([0, -3, 0], [1, -2, 1]), name="low") == 2
    assert names(world.now()) == ["high", "low"]
    world.update()
    assert names(before) == names(world) == ["high", "low"]
    assert pa.table(answers)["y"].to_pylist()[2:] == [1.0, 0.0]
    assert pa.table(world.cast_rays_table(table, hits="all"))["y"].to_pylist()[2:] == [-2.0, -3.0]
    world.keep_history(4)
    world.record(1)
    world.remove(2)
    world.update()
    world.record(2)
    past = world.at(1)
    assert past is not None and names(past) == ["high", "low"] and names(world) == ["high"]


def test_an_object_has_a_name() -> None:
    with pytest.raises(ValueError, match="name: expected one"):
        hitscan.World().add(hitscan.Sphere([0, 0, 0], 1), name="")
