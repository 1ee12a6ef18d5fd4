"""
The figures of docs/cluster.md, measured here: what a row costs, how two nodes scale against one, and
what 1e12 rows would cost at these rates. `cargo xtask cluster --measure` runs it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import conftest
import jobs
import pyarrow.parquet as pq
from hitscan import World
from hitscan.parts import PartOptions, Receipt, answer_part, list_parts
from nodes import MARK, Nodes

TRILLION = 10**12
HOUR = 3600.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=60_000_000, help="rows of the scaling runs")
    rows = parser.parse_args().rows
    conftest.bring_up_loopback()
    with tempfile.TemporaryDirectory(prefix="hitscan-measure-") as name:
        folder = Path(name)
        scene = conftest.make_scene(folder / "scene")
        tables = conftest.make_tables(folder / "rays", rows)
        constants(folder, scene, tables)
        shapes_of_actors(folder, scene, tables)
        scaling(folder, scene, tables)


def constants(folder: Path, scene: Path, tables: Sequence[Path]) -> None:
    """One thread of one process answers some parts: nanoseconds and bytes a row."""
    world = World.from_scene(scene)
    parts = list_parts(tables[:1], rows_per_part=1_000_000)[:5]
    rows = sum(part.rows or 0 for part in parts)
    bytes_in = tables[0].stat().st_size * rows / pq.read_metadata(tables[0]).num_rows
    print(f"\none thread, {rows:,} rows of {bytes_in / rows:.1f} bytes:")
    for columns in (None, ("t", "object")):
        out = folder / f"constants-{columns is None}"
        out.mkdir()
        options = PartOptions(out=str(out), threads=1, columns=columns)
        start = time.process_time()
        receipts = [answer_part(world, part, options) for part in parts]
        seconds = time.process_time() - start
        print(f"  {'all columns' if columns is None else 'columns t, object'}:")
        paper(receipts, rows, bytes_in / rows, seconds)


def paper(receipts: list[Receipt], rows: int, bytes_in: float, seconds: float) -> None:
    """What was measured, and what it makes of 1e12 rows.

    The stages are timed by the clock, which others' work lengthens: they divide the processor's time.
    """
    clock = {
        "read": sum(receipt.read_seconds for receipt in receipts),
        "trace": sum(receipt.trace_seconds for receipt in receipts),
        "write": sum(receipt.write_seconds for receipt in receipts),
    }
    share = seconds / rows / sum(clock.values())
    stages = {stage: elapsed * share for stage, elapsed in clock.items()}
    bytes_out = sum(receipt.bytes for receipt in receipts) / rows
    hours = {stage: time_a_row * TRILLION / HOUR for stage, time_a_row in stages.items()}
    stated = ", ".join(f"{stage} {1e9 * t:.0f} ns" for stage, t in stages.items())
    print(f"    a row: {stated}; together {1e9 * seconds / rows:.0f} ns of a core; {bytes_out:.1f} bytes out")
    stated = ", ".join(f"{stage} {t:,.0f}" for stage, t in hours.items())
    cores = sum(hours.values())
    print(f"    1e12 rows: core hours to {stated}, together {cores:,.0f}")
    print(f"    1e12 rows: {bytes_in:.1f} TB in, {bytes_out:.1f} TB out")
    for part_rows in (1_000_000, 10_000_000):
        lost = cores / TRILLION * 2 * part_rows * HOUR
        print(
            f"    parts of {part_rows:,} rows: {TRILLION // part_rows:,} parts of "
            f"{bytes_out * part_rows / 1e6:.0f} MB; a core that dies loses at most {lost:.0f} s"
        )
    for hours_there in (24, 1):
        nodes = cores / 16 / hours_there
        rate = (bytes_in + bytes_out) * 1e12 / (hours_there * HOUR)
        print(f"    in {hours_there} h: {nodes:.1f} nodes of 16 cores, storage {rate / 1e9:.2f} GB/s")


def shapes_of_actors(folder: Path, scene: Path, tables: Sequence[Path]) -> None:
    """One actor with all cores of the machine, and one a core."""
    print("\nthe shape of actors, on all cores of this machine:")
    for name, cpus in (("one actor a node", "node"), ("one actor a core", "1")):
        out = folder / f"shape-{cpus}"
        command = [scene, *tables, "-o", out, "--address", "local", "--actor-cpus", cpus]
        job = jobs.run(*command, timeout=HOUR)
        shutil.rmtree(out)
        print(f"  {name}: {steady(job):,.0f} rows/s")


def scaling(folder: Path, scene: Path, tables: Sequence[Path]) -> None:
    """One node of one CPU, and two."""
    print("\nnodes of one CPU, from the first receipt to the last:")
    nodes = Nodes()
    speeds = []
    try:
        for count in (1, 2):
            nodes.keep(count)
            before = busy(), own(nodes)
            out = folder / f"nodes-{count}"
            command = [scene, *tables, "-o", out, "--address", nodes.address]
            job = jobs.run(*command, timeout=HOUR)
            shutil.rmtree(out)
            all_busy, ours = busy() - before[0], own(nodes) - before[1]
            speeds.append(steady(job))
            others = max(0.0, 1 - ours / all_busy)
            rows = job.states[-1]["rows"]
            print(
                f"  {count}: {speeds[-1]:,.0f} rows/s over {window(job):.0f} s; nodes "
                f"{1e9 * ours / rows:.0f} ns of processor a row; others took {others:.0%} of what was used"
            )
    finally:
        nodes.close()
    print(f"  two against one: {speeds[1] / speeds[0]:.2f}")
    program = os.environ.get("HITSCAN_PROGRAM")
    if program is not None:
        command = [program, "ray", scene, tables[0], "-o", folder / "whole.parquet"]
        process = subprocess.Popen(command)
        times = os.wait4(process.pid, 0)[2]
        rows = pq.read_metadata(tables[0]).num_rows
        print(f"  hitscan ray: {1e9 * (times.ru_utime + times.ru_stime) / rows:.0f} ns a row")


def steady(job: jobs.Job) -> float:
    return (job.states[-1]["rows"] - job.states[0]["rows"]) / window(job)


def window(job: jobs.Job) -> float:
    return job.states[-1]["seconds"] - job.states[0]["seconds"]


def busy() -> float:
    """Seconds that all processors of the machine have worked."""
    user, nice, system = Path("/proc/stat").read_text().split()[1:4]
    return (int(user) + int(nice) + int(system)) / os.sysconf("SC_CLK_TCK")


def own(nodes: Nodes) -> float:
    """Seconds that the processes of the nodes have worked, with those that have ended below them."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={nodes.mark}".encode() in (folder / "environ").read_bytes():
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                total += sum(map(int, fields[11:15]))
        except OSError:
            continue
    return total / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
