"""PY-V: the nearest hit beside pyvista and VTK."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-V"]
MATCHES = {
    "pyvista multi_ray_trace": ("cast_rays(hit, point, triangle)", 8.0),
    "VTK vtkStaticCellLocator in a loop": ("cast_rays(hit, point, triangle)", 15.0),
}


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race at M1-small; pyvista makes its tree in each call, as its users have it."""
    mesh, rays = bench.inputs.mesh("mesh-small"), bench.inputs.rays("rays-mesh-small")
    ours = bench.subjects(["hitscan"], "nearest", mesh, rays)
    ours = [one for one in ours if one.call == "cast_rays(hit, point, triangle)"]
    subjects = ours + bench.subjects(["pyvista"], "nearest", mesh, rays)
    timed = race(subjects, bench.rounds)
    return compared(row, timed, len(rays), agreement.distances_differ, MATCHES)
