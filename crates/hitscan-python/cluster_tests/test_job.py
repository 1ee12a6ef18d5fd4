"""A job that nobody disturbs, and jobs that are refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import rays
from hitscan import ray_job
from hitscan.query import Query
from nodes import Nodes


def test_two_nodes_give_the_files_of_one_machine_and_the_rows_of_the_program(
    asked: list[object],
    scene: Path,
    tables: list[Path],
    out: Path,
    reference: Path,
    two_nodes: Nodes,
    tmp_path: Path,
) -> None:
    job = jobs.run(*asked, "-o", out, "--address", two_nodes.address)
    jobs.prove(out, reference)
    rows = sum(pq.read_metadata(path).num_rows for path in tables)
    assert f"40 parts, {rows:,} rows" in job.output
    state = job.states[-1]
    assert (state["parts"], state["of"], state["rows"]) == (40, 40, rows)
    program = os.environ.get("HITSCAN_PROGRAM")
    if program is None:
        pytest.skip("HITSCAN_PROGRAM does not name the program")
    for number, table in enumerate(tables):
        whole = tmp_path / f"{number}.parquet"
        subprocess.run([program, "ray", scene, table, "-o", whole], check=True)
        of_parts = [pq.read_table(p) for p in sorted(out.glob(f"part-{number:06}-*"))]
        assert pa.concat_tables(of_parts).equals(pq.read_table(whole))


def test_the_size_of_an_actor_does_not_show_in_the_answers(
    asked: list[object], out: Path, reference: Path
) -> None:
    jobs.run(*asked, "-o", out, "--address", "local", "--actor-cpus", 1)
    jobs.prove(out, reference)


def test_a_world_that_nodes_map_from_a_file(
    asked: list[object], out: Path, reference: Path, tmp_path: Path, two_nodes: Nodes
) -> None:
    """And the file in place of the scene: another job by its digest, with the same answers."""
    world = tmp_path / "world.baked"
    more = ["--address", two_nodes.address, "--world-file", world]
    jobs.run(*asked, "-o", out, *more)
    jobs.prove(out, reference)
    written = world.stat().st_mtime_ns
    baked = tmp_path / "baked"
    jobs.run(world, *asked[1:], "-o", baked, *more)
    assert world.stat().st_mtime_ns == written
    for ours, theirs in zip(jobs.parts(baked), jobs.parts(reference), strict=True):
        assert pq.read_table(ours).equals(pq.read_table(theirs))


def test_another_job_is_refused_and_says_what_differs(
    asked: list[object], scene: Path, tables: list[Path], reference: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    shutil.copytree(reference, out)
    before = jobs.hashes(out)

    def refused(*command: object) -> str:
        said = jobs.run(*command, "-o", out, "--address", "local", code=2).said
        assert "another job" in said
        return said

    assert "option sides: 'both' there, 'front' here" in refused(*asked, "--sides", "front")
    assert "option columns" in refused(*asked, "--columns", "t,object")
    assert "option rows_per_part" in refused(scene, *tables)
    assert "number of inputs: 4 there, 3 here" in refused(scene, *tables[:3], *asked[5:])
    other = tmp_path / "scene"
    shutil.copytree(scene.parent, other)
    heights = np.load(other / "heights.npy")
    heights[100, 100] += 1
    np.save(other / "heights.npy", heights)
    assert "world: the scene or a file that it names" in refused(
        other / "scene.toml", *asked[1:]
    )
    changed = tmp_path / tables[2].name
    pq.write_table(rays(20, 9), changed)
    command = [changed if path == tables[2] else path for path in asked]
    assert f"input 2, {changed.name}: its content is another" in refused(*command)
    assert jobs.hashes(out) == before
    (out / "_job.json").unlink()
    said = jobs.run(*asked, "-o", out, "--address", "local", code=2).said
    assert "no _job.json beside it" in said


def test_the_check_finds_what_is_wrong(
    asked: list[object], reference: Path, out: Path
) -> None:
    def wrong() -> str:
        return jobs.run("--check", "-o", out, code=1).said

    def fresh() -> list[Path]:
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(reference, out)
        return list(jobs.parts(out))

    names = [part.name for part in fresh()]
    assert "whole: 40 parts" in jobs.run("--check", *asked, "-o", out).output
    said = jobs.run("--check", *asked, "--hits", "any", "-o", out, code=2).said
    assert "option hits" in said

    (out / names[3]).unlink()
    assert names[3] in wrong()

    fresh()
    shutil.copy(out / names[3], out / "part-000009-000000.parquet")
    assert "part-000009-000000.parquet: no part of this job" in wrong()

    fresh()
    shutil.copy(out / names[3], out / names[4])
    assert names[4] in wrong()

    victim = fresh()[5]
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 1
    victim.write_bytes(content)
    assert victim.name in wrong()

    fresh()
    done = json.loads((out / "_done.json").read_text())
    done["totals"]["hits"] += 1
    (out / "_done.json").write_text(json.dumps(done))
    assert "totals" in wrong()


def test_rows_that_cannot_be_used(asked: list[object], tmp_path: Path, scene: Path) -> None:
    bad = tmp_path / "bad.csv"
    bad.write_text("ox,oy,oz,dx,dy,dz\n0,9,0,0,-1,0\n0,9,0,0,0,0\n")
    local = ["--address", "local"]
    job = jobs.run(scene, bad, "-o", tmp_path / "out", *local)
    assert "1 invalid" in job.output
    strict = tmp_path / "strict"
    said = jobs.run(scene, bad, "-o", strict, "--strict", *local, code=2).said
    assert "bad.csv" in said and "tried" not in said


def test_csv_columns_and_row_numbers(tmp_path: Path, scene: Path) -> None:
    for number in range(3):
        lines = [f"{x},30,{number},0,-1,0" for x in range(10)]
        text = "\n".join(["ox,oy,oz,dx,dy,dz", *lines]) + "\n"
        (tmp_path / f"{number}.csv").write_text(text)
    inputs = [tmp_path / f"{number}.csv" for number in range(3)]
    more = ["--columns", "t,object", "--row-number", "--address", "local"]
    out = tmp_path / "out"
    jobs.run(scene, *inputs, "-o", out, *more)
    table = pa.concat_tables([pq.read_table(path) for path in jobs.parts(out)])
    assert table.column_names[-3:] == ["row", "t", "object"]
    assert table["row"].to_pylist() == list(range(10)) * 3
    assert table["oz"].to_pylist() == [z for z in range(3) for _ in range(10)]


def test_questions_made_by_a_rule(tmp_path: Path, scene: Path, two_nodes: Nodes) -> None:
    import ray

    def questions(part: object) -> pa.Table:
        return rays(5000, part.file_number)

    stored = [tmp_path / f"{number}.parquet" for number in range(6)]
    for number, path in enumerate(stored):
        pq.write_table(rays(5000, number), path)
    query = Query(columns=("t", "object"))
    by_files = ray_job.Job(
        scene=str(scene),
        out=str(tmp_path / "files"),
        inputs=tuple(map(str, stored)),
        query=query,
        address=two_nodes.address,
    )
    rule = ray_job.Rule(name="rays of seed 0 to 5", parts=6, questions=questions)
    by_rule = ray_job.Job(
        scene=str(scene),
        out=str(tmp_path / "rule"),
        rule=rule,
        query=query,
        address=two_nodes.address,
    )
    totals = ray_job.run(by_rule)
    assert totals.rows == 30_000
    assert ray_job.run(by_rule) == totals == ray_job.check(by_rule.out)
    assert ray_job.run(by_files).hits == totals.hits
    for name in jobs.hashes(tmp_path / "rule"):
        ours, theirs = (pq.read_table(tmp_path / kind / name) for kind in ("rule", "files"))
        assert ours.equals(theirs)
    assert not ray.is_initialized()


def test_no_cluster_and_too_many_cores(asked: list[object], out: Path, two_nodes: Nodes) -> None:
    said = jobs.run(*asked, "-o", out, "--address", "127.0.0.1:1", code=2).said
    assert "no Ray cluster" in said and "--address local" in said
    command = [*asked, "-o", out, "--address", two_nodes.address, "--actor-cpus", 2]
    assert "has 2 CPUs" in jobs.run(*command, code=2).said
