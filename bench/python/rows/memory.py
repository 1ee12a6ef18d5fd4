"""memory: what a built mesh holds, and the most that building it takes."""

from __future__ import annotations

from bench import Bench
from lines import Figure
from processes import answer_of

ROWS = ["memory"]
LIBRARIES = ["hitscan", "open3d", "embreex"]
MEGABYTE = 1e6


def run(bench: Bench, row: str) -> list[Figure]:
    """Build M1-small, or M1-big where the run is no quick one."""
    name = "mesh-small" if bench.is_quick else "mesh-big"
    bench.inputs.write(name)
    lines = []
    for library in LIBRARIES:
        module = bench.peers.get(library)
        if module is None:
            continue
        found = answer_of("built", library, name, bench.inputs.folder)
        held, peak = (found[what] / MEGABYTE for what in ("held", "peak"))
        figure = f"{held:.1f} MB held, {peak:.1f} MB at the most"
        if "own" in found:
            figure += f" (memory_bytes: {found['own'] / MEGABYTE:.1f} MB)"
        lines.append(Figure(row, module.NAME, f"{name}: above the process without it", figure))
    return lines
