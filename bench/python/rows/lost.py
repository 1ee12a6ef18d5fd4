"""PY-L: rays from inside a closed mesh, aimed exactly at vertices and edges."""

from __future__ import annotations

import numpy as np

from agreement import BOUND
from bench import Bench
from lines import OURS, Figure

ROWS = ["PY-L"]


def run(bench: Bench, row: str) -> list[Figure]:
    """Count the rays that meet nothing, and those that meet only what is behind their aim at t = 1."""
    mesh, rays = bench.inputs.mesh("mesh-small"), bench.inputs.rays("rays-inside")
    libraries = ["hitscan", "open3d", "embreex", "trimesh", "pyvista"]
    lines = []
    for one in bench.subjects(libraries, "nearest", mesh, rays):
        times = one.read(one.run())
        missed = int(np.count_nonzero(np.isinf(times)))
        farther = int(np.count_nonzero(np.isfinite(times) & (times > 1.0 + BOUND)))
        figure = f"{missed + farther:,} ({missed:,} missed, {farther:,} farther)"
        is_ours = one.library == OURS
        aim, is_met = ("0", missed + farther == 0) if is_ours else ("", None)
        what = f"lost of {len(rays):,} rays"
        lines.append(Figure(row, f"{one.library} {one.call}", what, figure, aim, is_met))
    return lines
