"""PY-T: tables in memory beside the calls with arrays that answer the same."""

from __future__ import annotations

import numpy as np

import agreement
from bench import Bench, LeftOut
from lines import TimeLine, compared
from race import race

ROWS = ["PY-T-small", "PY-T-big", "PY-T-heights"]
#: How many times the arrays' time tables may take: rays, heights.
AIMS = (1.3, 2.0)


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race the rays of PY-W, or the places of PY-H, as arrays and as a table."""
    ours = bench.peers.get("hitscan")
    if ours is None:
        raise LeftOut("both sides are hitscan")
    if row == "PY-T-heights":
        places = bench.inputs.array("places-1025").astype(np.float32)
        subjects = ours.tables_of_heights(bench.inputs.array("terrain-1025"), places)
        aim = AIMS[1]
    else:
        name = row.replace("PY-T", "mesh")
        subjects = ours.tables_of_rays(bench.inputs.mesh(name), bench.inputs.rays(f"rays-{name}"))
        aim = AIMS[0]
    timed = race(subjects, bench.rounds)
    lines = compared(row, timed, len(timed[0].answers), agreement.distances_differ, {})
    # Each table follows the call with arrays that answers as much.
    for place in range(1, len(lines), 2):
        arrays, line = lines[place - 1], lines[place]
        line.differ = agreement.distances_differ(timed[place].answers, timed[place - 1].answers)
        line.is_void = line.differ > 0
        line.ratio, line.aim, line.at_most = line.cpu / arrays.cpu, aim, True
    return lines
