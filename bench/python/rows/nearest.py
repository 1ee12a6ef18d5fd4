"""PY-M1: the nearest hit of rays at a mesh."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-M1-small", "PY-M1-big"]
#: By the peer's call: ours that answers as much, and how many times as fast it shall be.
MATCHES = {
    "Open3D cast_rays": ("cast_rays(t, triangle, uv, normal)", 1.3),
    "embreex run": ("cast_rays(triangle)", 2.0),
    "embreex run(output=True)": ("cast_rays(t, triangle, uv, normal)", 2.0),
    "trimesh intersects_location(multiple_hits=False)": ("cast_rays(hit, point, triangle)", 2.5),
}


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race all fields, and those that each peer answers."""
    name = row.replace("PY-M1", "mesh")
    mesh, rays = bench.inputs.mesh(name), bench.inputs.rays(f"rays-{name}")
    subjects = bench.subjects(["hitscan", "open3d", "embreex", "trimesh"], "nearest", mesh, rays)
    timed = race(subjects, bench.rounds)
    return compared(row, timed, len(rays), agreement.distances_differ, MATCHES)
