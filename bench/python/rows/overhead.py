"""PY-O: what Python adds to the Rust batch call that makes its rays and hits."""

from __future__ import annotations

import agreement
from bench import Bench
from lines import TimeLine, compared
from race import race
from rust_call import RustCall

ROWS = ["PY-O-mesh", "PY-O-terrain"]
AIM = 1.05


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race all fields from Python against the call in Rust, on the same files."""
    shape = "mesh-small" if row == "PY-O-mesh" else "terrain-1025"
    rays = bench.inputs.rays(f"rays-{shape}")
    ours = bench.peers.get("hitscan")
    subjects = []
    if ours is not None:
        if row == "PY-O-mesh":
            built = ours.tri_mesh(bench.inputs.mesh(shape))
        else:
            built = ours.height_field(bench.inputs.array(shape))
        subjects.append(ours.cast(built, rays))
    else:
        bench.inputs.write(shape)
    with RustCall(bench.inputs, shape, rays.t_max) as rust:
        timed = race([*subjects, rust.subject()], bench.rounds)
    matches = {"Rust cast_rays": ("cast_rays", AIM)}
    return compared(row, timed, len(rays), agreement.distances_differ, matches, at_most=True)
