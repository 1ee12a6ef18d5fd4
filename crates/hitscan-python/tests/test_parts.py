"""Parts of tables: the rows of `hitscan ray`, in files that are the same whoever makes them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import program
import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.ipc as ipc
import pyarrow.parquet as parquet
import pytest
import table_battery
from hitscan import FileError, World
from hitscan.parts import (
    Part,
    PartOptions,
    Receipt,
    answer_part,
    check_part,
    list_parts,
    part_name,
    row_groups,
)

SCENE = """
[[sphere]]
name = "planet"
center = [0, 0, 0]
radius = 2
[[box]]
name = "moon"
min = [3, 3, 3]
max = [4, 5, 6]
"""
NAMES = "ox oy oz dx dy dz".split()


def rays(count: int) -> pa.Table:
    values = np.random.default_rng(3).normal(size=(6, count)).astype(np.float32)
    columns = dict(zip(NAMES, [*values[:3] * 4, *values[3:]], strict=True))
    return pa.table(columns | {"id": np.arange(count)})


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "scene.toml"
    file.write_text(SCENE)
    return file


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def answer_all(scene: Path, parts: list[Part], options: PartOptions) -> list[Receipt]:
    loaded = World.from_scene(scene)
    return [answer_part(loaded, part, options) for part in parts]


def test_parts_are_runs_of_row_groups(tmp_path: Path) -> None:
    file, text = tmp_path / "rays.parquet", tmp_path / "rays.csv"
    parquet.write_table(rays(1050), file, row_group_size=100)
    csv.write_csv(rays(10), text)
    assert row_groups(file) == [100] * 10 + [50]
    parts = list_parts([text, file], rows_per_part=450)
    assert parts == [
        Part(str(text), 0),
        Part(str(file), 1, 0, 4, 0, 400),
        Part(str(file), 1, 4, 4, 400, 400),
        Part(str(file), 1, 8, 3, 800, 250),
    ]
    assert [part.row_groups for part in list_parts([file], rows_per_part=1)] == [1] * 11
    names = [part_name(part) for part in parts]
    assert names == sorted(names)
    assert names[-1] == "part-000001-000008.parquet"
    with pytest.raises(ValueError, match="rows_per_part: expected at least 1, found 0"):
        list_parts([file], rows_per_part=0)
    with pytest.raises(ValueError, match="row group 1000000: expected numbers below 1000000"):
        part_name(Part("a.parquet", 0, 1_000_000))


@pytest.mark.parametrize("hits", ["nearest", "all", "any"])
def test_joined_parts_are_the_rows_of_the_program(
    scene: Path, out: Path, tmp_path: Path, hits: str
) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(20_000), file, row_group_size=3_000)
    parts = list_parts([file], rows_per_part=7_000)
    receipts = answer_all(scene, parts, PartOptions(out=str(out), hits=hits))
    expected = program.answers(tmp_path / "o.parquet", "ray", scene, file, "--hits", hits)
    found = pa.concat_tables(parquet.read_table(out / name) for name in sorted(os.listdir(out)))
    assert found.equals(expected)
    assert [receipt.first_row for receipt in receipts] == [0, 6_000, 12_000, 18_000]
    assert sum(receipt.rows for receipt in receipts) == 20_000
    assert sum(receipt.answers for receipt in receipts) == expected.num_rows
    counts = expected["status"].to_pylist()
    assert sum(receipt.hits for receipt in receipts) == counts.count("hit")
    assert sum(receipt.misses for receipt in receipts) == counts.count("miss")


def test_every_format_is_a_part(scene: Path, out: Path, tmp_path: Path) -> None:
    table = rays(5_000)
    files = [tmp_path / name for name in ("a.csv", "b.arrow", "c.parquet")]
    csv.write_csv(table, files[0])
    with ipc.new_file(files[1], table.schema) as writer:
        writer.write_table(table)
    parquet.write_table(table, files[2])
    for file, part in zip(files, list_parts(files), strict=True):
        receipt = answer_part(scene, part, PartOptions(out=str(out)))
        assert (receipt.rows, receipt.file) == (5_000, part_name(part))
        expected = program.answers(tmp_path / "o.parquet", "ray", scene, file)
        assert parquet.read_table(out / receipt.file).equals(expected)


def test_cases_have_the_rows_of_the_program(out: Path, tmp_path: Path) -> None:
    data = program.outside_data()
    compared = 0
    for question in table_battery.of_cases(data / "cases"):
        expected = program.answers(
            tmp_path / "o.parquet",
            question.command,
            question.scene,
            question.table,
            *question.arguments(),
        )
        options = PartOptions(out=str(out), query=question.command, **question.options)
        receipt = answer_part(question.scene, Part(str(question.table)), options)
        assert parquet.read_table(out / receipt.file).equals(expected), question
        compared += receipt.rows
    assert compared > 10_000


def test_a_part_is_the_same_file_again(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    # The more keys, the less likely that chance puts them in the same order each time.
    table = rays(60_000).replace_schema_metadata({f"key {i}": "value" for i in range(20)})
    parquet.write_table(table, file, row_group_size=20_000)
    part = list_parts([file], rows_per_part=40_000)[0]
    options = PartOptions(out=str(out), job="a job", row_number=True)
    first = answer_part(scene, part, replace(options, threads=1))
    whole = (out / first.file).read_bytes()
    for threads in (1, 2, 2, 7):
        assert answer_part(scene, part, replace(options, threads=threads)) == first
        assert (out / first.file).read_bytes() == whole
    code = (
        "import sys; from hitscan.parts import *;"
        "print(answer_part(sys.argv[1], list_parts([sys.argv[2]], rows_per_part=40_000)[0],"
        " PartOptions(out=sys.argv[3], job='a job', row_number=True)).sha256)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, scene, file, out], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == first.sha256
    assert os.listdir(out) == [first.file]


def test_the_writer_has_fixed_properties(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(200_000), file)
    receipt = answer_part(scene, list_parts([file])[0], PartOptions(out=str(out)))
    program.answers(tmp_path / "o.parquet", "ray", scene, file)
    for answers in (out / receipt.file, tmp_path / "o.parquet"):
        metadata = parquet.read_metadata(answers)
        groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
        assert [group.num_rows for group in groups] == [131_072, 68_928]
        assert metadata.created_by.startswith("hitscan version ")
        for i in range(metadata.num_columns):
            column = groups[0].column(i)
            assert column.compression == "ZSTD"
            if column.physical_type == "FLOAT":
                assert "BYTE_STREAM_SPLIT" in column.encodings
                assert "RLE_DICTIONARY" not in column.encodings
            if column.path_in_schema == "triangle":
                assert "DELTA_BINARY_PACKED" in column.encodings


def test_footers_state_the_part(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(900), file, row_group_size=300)
    part = replace(list_parts([file], rows_per_part=300)[1], file_number=12)
    receipt = answer_part(scene, part, PartOptions(out=str(out), job="7f"))
    assert (receipt.file, receipt.job) == ("part-000012-000001.parquet", "7f")
    assert (receipt.first_row, receipt.rows) == (300, 300)
    assert receipt.hits + receipt.misses + receipt.invalid == 300
    path = out / receipt.file
    assert check_part(path) == receipt
    assert check_part(path, sha256=receipt.sha256).bytes == path.stat().st_size
    metadata = parquet.read_metadata(path).metadata
    assert metadata[b"hitscan.first_row"] == b"300"
    with pytest.raises(ValueError, match="expected the SHA-256 00, found"):
        check_part(path, sha256="00")
    with pytest.raises(ValueError, match=r"expected a number hitscan.file_number, found ''"):
        check_part(file)


@pytest.mark.parametrize("length", [0, 4, 1_000, -1_000, -8, -1])
def test_a_cut_part_is_found(scene: Path, out: Path, tmp_path: Path, length: int) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(900), file)
    receipt = answer_part(scene, list_parts([file])[0], PartOptions(out=str(out)))
    path = out / receipt.file
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(FileError, match=str(path)):
        check_part(path)


def test_a_changed_byte_is_found(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(900), file)
    receipt = answer_part(scene, list_parts([file])[0], PartOptions(out=str(out)))
    changed = bytearray((out / receipt.file).read_bytes())
    changed[500] ^= 1
    (out / receipt.file).write_bytes(changed)
    with pytest.raises(ValueError, match="SHA-256"):
        check_part(out / receipt.file, sha256=receipt.sha256)


def test_row_numbers_are_those_of_the_file(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(900), file, row_group_size=300)
    part = list_parts([file], rows_per_part=300)[2]
    options = PartOptions(out=str(out), row_number=True, columns=("t",))
    table = parquet.read_table(out / answer_part(scene, part, options).file)
    assert table.column_names == [*NAMES, "id", "row", "t"]
    assert table["row"].to_pylist() == list(range(600, 900)) == table["id"].to_pylist()
    assert table["row"].type == pa.uint64()


def test_bad_rows(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    columns = rays(900).to_pydict()
    columns["oz"][450] = float("nan")
    columns["dx"][451] = columns["dy"][451] = columns["dz"][451] = 0.0
    parquet.write_table(pa.table(columns), file, row_group_size=300)
    options = PartOptions(out=str(out))
    part = list_parts([file], rows_per_part=300)[1]
    receipt = answer_part(scene, part, options)
    assert receipt.invalid == 2
    table = parquet.read_table(out / receipt.file)
    assert table["status"].to_pylist()[150:152] == ["invalid"] * 2
    with pytest.raises(ValueError, match="rays.parquet, row 450: the column `oz` holds no number"):
        answer_part(scene, part, replace(options, strict=True))


def test_inputs_that_cannot_be_used(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(900), file, row_group_size=300)
    part = list_parts([file])[0]
    options = PartOptions(out=str(out))

    def refused(error: type[Exception], match: str, part: Part = part, **changes: object) -> None:
        with pytest.raises(error, match=match):
            answer_part(scene, part, replace(options, **changes))  # type: ignore[arg-type]
        assert os.listdir(out) == []

    refused(FileError, "no row groups 3 to 3: .* the table has 3", replace(part, first_row_group=3, row_groups=1))
    refused(FileError, "gone.parquet: cannot be read", replace(part, input=str(tmp_path / "gone.parquet")))
    refused(ValueError, "no column `where`", columns=("where",))
    refused(FileError, "cannot be written", out=str(tmp_path / "nowhere"))
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(file.read_bytes()[:-100])
    refused(FileError, "cut.parquet: not a usable Parquet file", replace(part, input=str(cut)))
    damaged = bytearray(file.read_bytes())
    damaged[100:5_000] = bytes(4_900)
    cut.write_bytes(damaged)
    refused(FileError, "cut.parquet: not a usable Parquet file", replace(part, input=str(cut)))
    parquet.write_table(rays(9).drop_columns("oy"), cut)
    refused(FileError, "the column `oy` is missing", Part(str(cut), 0, 0, 1))
    text = tmp_path / "rays.csv"
    text.write_text("ox,oy,oz,dx,dy,dz\n0,0,0,1,1\n")
    refused(FileError, r"line 2 \(row 0\): expected 6 fields as in the header, found 5", Part(str(text)))
    refused(FileError, "only Parquet has row groups", Part(str(text), 0, 0, 1))
    with pytest.raises(FileError, match="no.toml"):
        answer_part(tmp_path / "no.toml", part, options)


def test_a_table_without_rows_is_a_part(scene: Path, out: Path, tmp_path: Path) -> None:
    file = tmp_path / "rays.parquet"
    parquet.write_table(rays(0), file)
    (part,) = list_parts([file])
    receipt = answer_part(scene, part, PartOptions(out=str(out)))
    assert (receipt.rows, receipt.answers) == (0, 0)
    assert parquet.read_table(out / receipt.file).num_rows == 0
    assert check_part(out / receipt.file) == receipt


def test_a_full_disk_leaves_nothing(scene: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    # What is no regular file is written to directly.
    part = Part(str(tmp_path / "rays.csv"))
    csv.write_csv(rays(900), part.input)
    out = tmp_path / "full"
    out.mkdir()
    (out / part_name(part)).symlink_to("/dev/full")
    with pytest.raises(FileError, match="cannot be written"):
        answer_part(scene, part, PartOptions(out=str(out)))
    shutil.rmtree(out)
