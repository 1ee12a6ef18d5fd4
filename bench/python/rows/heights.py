"""PY-H: heights at places of a terrain of 1025 x 1025 samples."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import Bench
from lines import TimeLine, compared
from race import race

ROWS = ["PY-H"]
MATCHES = {
    "SciPy RegularGridInterpolator": ("height(height)", 8.0),
    "rasterio sample": ("height(height)", None),
}
#: What rounding to f32 does to heights up to 120 m, twice over.
ROUNDING = 3e-5


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race triangles (ours), bilinear cells (SciPy) and nearest samples (rasterio)."""
    samples = bench.inputs.array("terrain-1025")
    places = bench.inputs.array("places-1025").astype(np.float64)
    subjects = bench.subjects(["hitscan", "scipy", "rasterio"], "heights", samples, places)
    timed = race(subjects, bench.rounds)
    apart = farthest(samples, places)

    def differ(own: Any, other: Any) -> int:
        return int(np.count_nonzero(~(np.abs(own - other) <= apart + ROUNDING)))

    return compared(row, timed, len(places), differ, MATCHES)


def farthest(samples: NDArray[np.float32], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far heights of one cell can be apart, whatever is laid through its four samples."""
    column, row = np.minimum(places.astype(np.int64), samples.shape[0] - 2).T
    corners = [samples[row + down, column + right] for down in (0, 1) for right in (0, 1)]
    return np.asarray(np.max(corners, axis=0) - np.min(corners, axis=0), dtype=np.float64)
