"""PY-1: one ray a call, from numpy arrays to numpy arrays."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-1"]
MATCHES = {
    "Open3D cast_rays": ("cast_rays(t, triangle, uv, normal)", 2.0),
    "trimesh intersects_first": ("cast_rays(triangle)", 4.0),
}
#: The calls of a pass.
CALLS = 10_000


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race at M1-small."""
    mesh = bench.inputs.mesh("mesh-small")
    rays = bench.inputs.rays("rays-mesh-small").first(CALLS)
    subjects = bench.subjects(["hitscan", "open3d", "trimesh"], "one_by_one", mesh, rays)
    timed = race(subjects, bench.rounds)
    return compared(row, timed, len(rays), agreement.distances_differ, MATCHES)
