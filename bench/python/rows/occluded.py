"""PY-M2: whether rays hit anything."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-M2"]
MATCHES = {
    "Open3D test_occlusions": ("cast_rays_any", 1.5),
    'embreex run(query="OCCLUDED")': ("cast_rays_any", None),
    "trimesh intersects_any": ("cast_rays_any", None),
}


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race at M1-small."""
    mesh, rays = bench.inputs.mesh("mesh-small"), bench.inputs.rays("rays-mesh-small")
    subjects = bench.subjects(["hitscan", "open3d", "embreex", "trimesh"], "occluded", mesh, rays)
    timed = race(subjects, bench.rounds)
    return compared(row, timed, len(rays), agreement.flags_differ, MATCHES)
