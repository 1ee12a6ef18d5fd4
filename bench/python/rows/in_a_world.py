"""PY-W: a mesh in a world beside the mesh alone."""

from __future__ import annotations

import agreement
from bench import Bench, LeftOut
from lines import TimeLine, compared
from race import race

ROWS = ["PY-W-small", "PY-W-big"]
#: How many times the mesh's own time its world may take.
AIM = 1.15


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race the rays of PY-M1 at the mesh and at a world that holds nothing else."""
    ours = bench.peers.get("hitscan")
    if ours is None:
        raise LeftOut("both sides are hitscan")
    name = row.replace("PY-W", "mesh")
    mesh, rays = bench.inputs.mesh(name), bench.inputs.rays(f"rays-{name}")
    timed = race(ours.in_a_world(mesh, rays), bench.rounds)
    alone, placed = compared(row, timed, len(rays), agreement.distances_differ, {})
    placed.differ = agreement.distances_differ(timed[1].answers, timed[0].answers)
    placed.is_void = placed.differ > 0
    placed.ratio, placed.aim, placed.at_most = placed.cpu / alone.cpu, AIM, True
    return [alone, placed]
