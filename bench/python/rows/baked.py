"""PY-B: a baked world of 500 MB: opening it, sharing it, asking it."""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from typing import Any

import numpy as np

from bench import Bench, LeftOut
from inputs import Rays
from lines import Figure
from processes import start
from race import Subject, race

ROWS = ["PY-B"]
#: Copies of M1-big, of some 85 MB each, one around the other; of M1-small in a quick run.
COPIES = 6
#: What opening shall be faster than building, what four processes take of one's memory, and what
#: queries take of the owned world's time.
AIMS = (20.0, 1.15, 1.03)
PROCESSES = 4
#: Rays that each process casts.
TOUCHING = 100_000


def run(bench: Bench, row: str) -> list[Figure]:
    """Build, save, open, and ask both worlds in turns."""
    ours = bench.peers.get("hitscan")
    if ours is None:
        raise LeftOut("only hitscan bakes worlds")
    name = "mesh-small" if bench.is_quick else "mesh-big"
    mesh, rays = bench.inputs.mesh(name), bench.inputs.rays(f"rays-{name}")

    def build() -> Any:
        world = ours.hitscan.World()
        for copy in range(COPIES):
            shape = ours.hitscan.TriMesh(mesh.vertices * np.float32(1 + copy), mesh.triangles)
            world.add(shape)
        world.update()
        return world

    file = bench.inputs.folder / "world.hitscan"
    owned, building = clocked(build)
    owned.save(file)
    loaded, _ = clocked(lambda: ours.hitscan.World.load(file, mmap=True))
    opening = statistics.median(
        clocked(lambda: ours.hitscan.World.load(file, mmap=True))[1] for _ in range(bench.rounds)
    )
    times = asked(owned, loaded, rays, bench.rounds)
    # This process would be one more that shares the file.
    del loaded
    alone, together = shares(bench, file, rays)
    size = file.stat().st_size / 1e6
    return [
        figure(
            row,
            f"opening {size:.0f} MB",
            f"{building / opening:.1f} times as fast as building ({building:.2f} s)",
            f"{AIMS[0]:g}",
            building / opening >= AIMS[0],
        ),
        figure(
            row,
            f"memory of {PROCESSES} processes",
            f"{together / alone:.2f} of one's ({alone / 1e6:.0f} MB)",
            f"{AIMS[1]:g}",
            together <= AIMS[1] * alone,
        ),
        figure(
            row,
            "queries",
            f"{times:.3f} of the owned world's time",
            f"{AIMS[2]:g}",
            times <= AIMS[2],
        ),
    ]


def figure(row: str, what: str, found: str, aim: str, is_met: bool) -> Figure:
    """A line of ours."""
    return Figure(row, "hitscan World.load(mmap=True)", what, found, aim, is_met)


def clocked(call: Any) -> tuple[Any, float]:
    """What a call returns, and its seconds."""
    begin = time.perf_counter()
    found = call()
    return found, time.perf_counter() - begin


def asked(owned: Any, loaded: Any, rays: Rays, rounds: int) -> float:
    """CPU time of the loaded world's queries, of the owned one's; their answers are the same bits."""

    def subject(name: str, world: Any) -> Subject:
        return Subject("hitscan", name, lambda: world.cast_rays(rays.origins, rays.directions))

    own, other = race([subject("owned", owned), subject("loaded", loaded)], rounds)
    if own.answers.t.tobytes() != other.answers.t.tobytes():
        raise AssertionError("the loaded world answers otherwise")
    return other.cpu / own.cpu


def shares(bench: Bench, file: Any, rays: Rays) -> tuple[int, int]:
    """The memory (PSS) of one process with the world, and of all together."""
    rows = bench.inputs.folder / "rays-baked.npy"
    np.save(rows, rays.rows[:TOUCHING])
    running: list[subprocess.Popen[str]] = []
    sums = []
    try:
        for _ in range(PROCESSES):
            running.append(start("baked", file, rows))
            told(running[-1])
            sums.append(sum(asked_again(process) for process in running))
    finally:
        for process in running:
            process.communicate()
    return sums[0], sums[-1]


def told(process: subprocess.Popen[str]) -> int:
    """The memory in a process's next line."""
    assert process.stdout is not None
    return int(json.loads(process.stdout.readline())["share"])


def asked_again(process: subprocess.Popen[str]) -> int:
    """The memory of a process now."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
    return told(process)
