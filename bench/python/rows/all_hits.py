"""PY-MA: all hits of rays at a mesh."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-MA"]
MATCHES = {
    "Open3D list_intersections": ("cast_rays_all(t, triangle, uv)", 1.5),
    "trimesh intersects_location(multiple_hits=True)": ("cast_rays_all(point, triangle)", 1.5),
}


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race at M1-small."""
    mesh, rays = bench.inputs.mesh("mesh-small"), bench.inputs.rays("rays-mesh-small")
    subjects = bench.subjects(["hitscan", "open3d", "trimesh"], "all_hits", mesh, rays)
    timed = race(subjects, bench.rounds)
    return compared(row, timed, len(rays), agreement.hits_differ, MATCHES)
