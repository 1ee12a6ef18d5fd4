"""What goes wrong on a cluster, one fault a test; after each the answers are the undisturbed ones."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import jobs
import nodes
import pyarrow.parquet as pq
import pytest
from jobs import Job
from nodes import Nodes


def begun(asked: list[object], out: Path, cluster: Nodes, *more: object) -> Job:
    return Job(*asked, "-o", out, "--address", cluster.address, *more)


@pytest.mark.quick
def test_a_node_removed_ungracefully_halfway(
    asked: list[object], out: Path, reference: Path, two_nodes: Nodes
) -> None:
    job = begun(asked, out, two_nodes)
    job.wait_for_parts(8)
    two_nodes.kill()
    job.end()
    assert job.states[-1]["parts"] == 40
    jobs.prove(out, reference)


def test_an_actor_killed(
    asked: list[object], out: Path, reference: Path, two_nodes: Nodes
) -> None:
    job = begun(asked, out, two_nodes)
    job.wait_for_parts(5)
    actors = two_nodes.actors()
    assert actors
    nodes.kill(actors[0])
    job.end()
    assert job.states[-1]["retries"] > 0
    jobs.prove(out, reference)


SLOW = """
import os, sys, time
import pyarrow as pa
from hitscan import ray_job

def questions(part):
    time.sleep(0.7)
    return pa.table({"worker": [os.getpid()], "ox": [1.0], "oy": [9.0], "oz": [1.0],
        "dx": [0.0], "dy": [-1.0], "dz": [0.0]})

rule = ray_job.Rule(name="slow", parts=100, questions=questions)
job = ray_job.Job(scene=sys.argv[1], out=sys.argv[2], rule=rule, address=sys.argv[3])
ray_job.run(job, progress="json")
"""


def test_a_node_added_takes_parts(
    scene: Path, out: Path, tmp_path: Path, two_nodes: Nodes
) -> None:
    """A rule that returns where it ran, and so is none: nothing else would show who answered."""
    (tmp_path / "slow.py").write_text(SLOW)
    two_nodes.keep(1)
    job = Job(scene, out, two_nodes.address, script=tmp_path / "slow.py")
    job.wait_for_parts(2)
    two_nodes.add()
    job.end()
    jobs.run("--check", "-o", out)
    workers = [pq.read_table(part)["worker"][0].as_py() for part in jobs.parts(out)]
    assert len(workers) == 100 and len(set(workers)) == 2


def test_the_driver_killed_then_resumed(
    asked: list[object], out: Path, reference: Path, two_nodes: Nodes
) -> None:
    job = begun(asked, out, two_nodes)
    job.wait_for_parts(15)
    job.process.kill()
    job.end(-signal.SIGKILL)
    finished = {path.name: path.stat().st_mtime_ns for path in jobs.parts(out)}
    assert 15 <= len(finished) < 40
    assert not (out / "_done.json").exists()
    again = begun(asked, out, two_nodes)
    again.end()
    # Only what was missing is done again. Parts of the last moment may be among either.
    assert len(again.states) <= 40 - 15
    untouched = sum((out / name).stat().st_mtime_ns == at for name, at in finished.items())
    assert len(again.states) == 40 - untouched
    jobs.prove(out, reference)


def test_ctrl_c_and_the_same_command_again(
    asked: list[object], out: Path, reference: Path, two_nodes: Nodes
) -> None:
    job = begun(asked, out, two_nodes)
    job.wait_for_parts(5)
    job.process.send_signal(signal.SIGINT)
    assert "same command" in job.end(130, timeout=60)
    assert not list(out.glob(".hitscan-*"))
    begun(asked, out, two_nodes).end()
    jobs.prove(out, reference)


def test_a_truncated_part_is_done_again(
    asked: list[object], out: Path, reference: Path, two_nodes: Nodes
) -> None:
    shutil.copytree(reference, out)
    (out / "_done.json").unlink()
    victim = sorted(jobs.parts(out))[7]
    victim.write_bytes(victim.read_bytes()[:-100])
    said = jobs.run("--check", "-o", out, code=1).said
    assert "_done.json" in said
    job = begun(asked, out, two_nodes)
    job.end()
    assert len(job.states) == 1
    jobs.prove(out, reference)


def test_an_input_that_cannot_be_read(
    asked: list[object],
    tables: list[Path],
    reference: Path,
    tmp_path: Path,
    out: Path,
    two_nodes: Nodes,
) -> None:
    """Its footer is sound, the header of a page is not: it is found when a part is read."""
    damaged = tmp_path / tables[1].name
    page = pq.read_metadata(tables[1]).row_group(5).column(1).data_page_offset
    whole = bytearray(tables[1].read_bytes())
    whole[page : page + 16] = b"\xff" * 16
    damaged.write_bytes(whole)
    command = [damaged if path == tables[1] else path for path in asked]
    job = begun(command, out, two_nodes, "--tries", 2)
    said = job.end(1)
    assert tables[1].name in said and "tried 2 times" in said
    assert job.states[-1]["parts"] == 39
    missing = {path.name for path in jobs.parts(reference)}
    missing -= {path.name for path in jobs.parts(out)}
    assert missing == {"part-000001-000005.parquet"}
    assert not (out / "_done.json").exists()


def test_an_input_without_a_footer_is_named_and_taken_up_later(
    scene: Path, tables: list[Path], tmp_path: Path, out: Path, two_nodes: Nodes
) -> None:
    late = tmp_path / "late.parquet"
    late.write_bytes(b"not yet")
    command = [scene, tables[0], late, "-o", out, "--address", two_nodes.address]
    said = jobs.run(*command, code=1).said
    assert "late.parquet" in said
    first = jobs.hashes(out)
    shutil.copy(tables[1], late)
    jobs.run(*command)
    jobs.run("--check", "-o", out)
    assert first.items() < jobs.hashes(out).items()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system does not let the tests mount a file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk(
    asked: list[object], small_disk: Path, reference: Path, two_nodes: Nodes
) -> None:
    out = small_disk / "out"
    said = begun(asked, out, two_nodes, "--tries", 1).end(1)
    assert "No space left" in said
    assert not list(out.glob(".hitscan-*"))
    subprocess.run(["mount", "-o", "remount,size=2g", str(small_disk)], check=True)
    job = begun(asked, out, two_nodes)
    job.end()
    assert len(job.states) < 40
    jobs.prove(out, reference)


@pytest.fixture
def another_wheel(
    tmp_path: Path, two_nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Nodes]:
    """One node, whose Python finds a package of another version first."""
    import hitscan

    package = Path(hitscan.__file__).parent
    other = tmp_path / "other"
    shutil.copytree(package, other / "hitscan")
    init = other / "hitscan" / "__init__.py"
    init.write_text(init.read_text() + "\n__version__ = '0.0.1'\n")
    two_nodes.keep(0)
    with monkeypatch.context() as node:
        node.setenv("PYTHONPATH", str(other))
        two_nodes.add()
    yield two_nodes
    two_nodes.keep(0)


def test_a_worker_with_another_wheel_is_refused_by_name(
    asked: list[object], out: Path, another_wheel: Nodes
) -> None:
    said = begun(asked, out, another_wheel).end(1)
    assert "is refused" in said and "hitscan 0.0.1" in said and "node" in said
    assert not list(jobs.parts(out))


def test_a_wheel_that_is_sent_takes_the_place_of_another(
    asked: list[object], out: Path, reference: Path, another_wheel: Nodes
) -> None:
    wheel = os.environ.get("HITSCAN_WHEEL")
    if wheel is None:
        pytest.skip("HITSCAN_WHEEL does not name the wheel")
    begun(asked, out, another_wheel, "--wheel", wheel).end()
    jobs.prove(out, reference)
