"""Tables in memory are answered as the program answers files of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import program
import pyarrow as pa
import pytest
import table_battery
from hitscan import FileError, Sphere, World
from hitscan.tables import AnsweredTable

CALLS = {
    "ray": World.cast_rays_table,
    "height": World.heights_table,
    "sweep": World.cast_shapes_table,
    "closest": World.closest_points_table,
    "sight": World.is_visible_table,
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    program.run("demo", "--out", folder)
    return folder


@pytest.fixture(scope="module")
def planet(tmp_path_factory: pytest.TempPathFactory) -> World:
    file = tmp_path_factory.mktemp("planet") / "scene.toml"
    file.write_text("[[sphere]]\nname = 'planet'\ncenter = [0, 0, 0]\nradius = 2\n")
    return World.from_scene(file)


def rays(count: int, seed: int = 1) -> pa.Table:
    """Rays around the planet, with a column of their own."""
    values = np.random.default_rng(seed).normal(size=(6, count)).astype(np.float32)
    columns = dict(zip("ox oy oz dx dy dz".split(), [*values[:3] * 3, *values[3:]], strict=True))
    return pa.table(columns | {"id": np.arange(count)})


def bits(table: pa.Table) -> dict[str, Any]:
    """The columns as integers or texts, so that equality is that of bits."""
    plain = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        if pa.types.is_floating(column.type):
            same = pa.uint32() if column.type == pa.float32() else pa.uint64()
            column = column.view(same) if isinstance(column, pa.Array) else column.chunk(0).view(same)
        plain[name] = column.to_pylist()
    return plain


def compare(questions: Iterable[table_battery.Question], out: Path) -> int:
    """Compare the answers to tables of text with the program's, and count their rows."""
    scenes: dict[Path, World] = {}
    rows = 0
    for question in questions:
        scene = scenes.setdefault(question.scene, World.from_scene(question.scene))
        expected = program.answers(
            out / "out.parquet",
            question.command,
            question.scene,
            question.table,
            *question.arguments(),
        )
        table = program.read_text(question.table)
        answered = CALLS[question.command](scene, table, **question.options)
        found = pa.table(answered)
        assert found.column_names == expected.column_names
        names = [name for name in found.column_names if name not in table.column_names]
        assert found.select(names).schema.equals(expected.select(names).schema), question
        assert bits(found.select(names)) == bits(expected.select(names)), question
        rows += found.num_rows
    return rows


def test_cases_have_the_bits_of_the_program(tmp_path: Path) -> None:
    data = program.outside_data()
    assert compare(table_battery.of_cases(data / "cases"), tmp_path) > 10_000


def test_the_demo_has_the_bits_of_the_program(demo: Path, tmp_path: Path) -> None:
    assert compare(table_battery.of_demo(demo), tmp_path) > 100


def test_batches_and_threads_decide_nothing(planet: World) -> None:
    table = rays(80_000)
    whole = pa.table(planet.cast_rays_table(table, row_number=True, threads=1))
    assert whole["row"].equals(whole["id"].cast(pa.uint64()))
    for batch_rows in (1000, 33_333, 80_000):
        for threads in (1, 3):
            reader = pa.RecordBatchReader.from_batches(
                table.schema, table.to_batches(max_chunksize=batch_rows)
            )
            answers = planet.cast_rays_table(reader, row_number=True, threads=threads)
            assert pa.table(answers).equals(whole)


def test_columns_of_the_questions_are_not_copied(planet: World) -> None:
    table = rays(1000)
    answers = pa.table(planet.cast_rays_table(table))
    for name in table.column_names:
        theirs = table[name].chunk(0).buffers()[1]
        assert answers[name].chunk(0).buffers()[1].address == theirs.address
    assert answers.select(table.column_names).equals(table)


def test_questions_are_read_as_answers_are(planet: World) -> None:
    read = 0
    table = rays(8)

    def batches() -> Iterable[pa.RecordBatch]:
        nonlocal read
        while True:
            read += 1
            yield table.to_batches()[0]

    endless = pa.RecordBatchReader.from_batches(table.schema, batches())
    answers = pa.RecordBatchReader.from_stream(planet.cast_rays_table(endless, threads=1))
    assert answers.read_next_batch().num_rows == 8
    assert read <= 2
    del answers


def test_a_table_is_read_again_and_a_stream_is_not(planet: World) -> None:
    answers = planet.cast_rays_table(rays(10))
    assert pa.table(answers).equals(pa.table(answers))
    reader = pa.RecordBatchReader.from_batches(rays(10).schema, rays(10).to_batches())
    answers = planet.cast_rays_table(reader)
    assert pa.table(answers).num_rows == 10
    with pytest.raises(ValueError, match="a stream that was read already"):
        pa.table(answers)


def test_one_batch_is_a_table(planet: World) -> None:
    class OneBatch:
        """What has `__arrow_c_array__` alone."""

        def __init__(self, batch: pa.RecordBatch) -> None:
            self.batch = batch

        def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
            return self.batch.__arrow_c_array__(requested_schema)

    batch = rays(10).to_batches()[0]
    answers = pa.table(planet.cast_rays_table(OneBatch(batch)))
    assert answers.equals(pa.table(planet.cast_rays_table(rays(10))))


def test_bad_rows_are_invalid(planet: World) -> None:
    table = rays(4).to_pydict()
    table["oy"][1] = float("nan")
    table["dx"][2] = table["dy"][2] = table["dz"][2] = 0.0
    table["oz"][3] = 1e39
    answers = pa.table(planet.cast_rays_table(pa.table(table)))
    assert answers["status"].to_pylist()[1:] == ["invalid"] * 3
    assert answers["t"].to_pylist()[1:] == [None] * 3


def test_columns_are_chosen_and_prefixed(planet: World) -> None:
    answers = planet.cast_rays_table(rays(3), columns=["object", "t"], prefix="p_")
    assert answers.columns[-2:] == ["p_t", "p_object"]
    assert repr(answers).endswith("p_t: Float32, p_object: Utf8)")
    again = planet.cast_rays_table(answers, columns=["status"], row_number=True)
    assert pa.table(again).column_names[-4:] == ["p_t", "p_object", "row", "status"]


@pytest.mark.parametrize(
    ("table", "options", "error", "match"),
    [
        ([1, 2], {}, TypeError, "__arrow_c_stream__.*found list"),
        (rays(1).drop_columns("dx"), {}, FileError, "the column `dx` is missing"),
        (rays(1).append_column("t", [[0.5]]), {}, ValueError, "the column `t` has the name"),
        (rays(1).set_column(0, "ox", [[True]]), {}, FileError, "the column `ox` has the type"),
        (rays(1), {"columns": ["where"]}, ValueError, "no column `where`; it has status, t"),
        (rays(1), {"hits": "most"}, ValueError, "hits: expected 'nearest'"),
        (rays(1), {"bind": True, "hits": "any"}, ValueError, "bind needs"),
    ],
)
def test_refusals(
    planet: World, table: Any, options: dict[str, Any], error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        planet.cast_rays_table(table, **options)


def test_a_world_is_asked_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    file.write_text("[[box]]\nname = 'crate'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n")
    world = World.from_scene(file)
    down = dict(zip("ox oy oz dx dy dz".split(), [0.5, 9.0, 0.5, 0.0, -1.0, 0.0], strict=True))
    table = pa.table({name: [value] for name, value in down.items()})
    before = world.now()
    lift = np.eye(4)
    lift[:3, 3] = 0.5, 3.5, 0.5
    world.set_transforms([0], lift[np.newaxis])
    world.update()
    heights = [pa.table(one.cast_rays_table(table))["y"][0].as_py() for one in (before, world)]
    assert heights == [1.0, 4.0]
    world.add(Sphere([0.5, 6, 0.5], 1), name="moon")
    world.update()
    answers = pa.table(world.cast_rays_table(table)).to_pylist()
    assert [(row["object"], row["y"]) for row in answers] == [("moon", 7.0)]


def test_an_error_of_the_questions_reaches_the_reader(planet: World) -> None:
    def batches() -> Iterable[pa.RecordBatch]:
        yield rays(4).to_batches()[0]
        raise RuntimeError("the disk is gone")

    broken = pa.RecordBatchReader.from_batches(rays(4).schema, batches())
    with pytest.raises(Exception, match="the disk is gone"):
        pa.table(planet.cast_rays_table(broken))


def test_pyarrow_is_not_needed(planet: World, monkeypatch: pytest.MonkeyPatch) -> None:
    table = rays(3)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    answers = planet.cast_rays_table(table)
    assert answers.columns[7] == "status"
    with pytest.raises(ImportError):
        answers.to_pyarrow()
    monkeypatch.undo()
    assert isinstance(answers, AnsweredTable)
    assert answers.to_pyarrow().num_rows == 3
