"""SciPy's interpolation on grids, which is bilinear."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.interpolate import RegularGridInterpolator

from race import Subject

NAME = "SciPy"
VERSION = f"SciPy {scipy.__version__}"


def heights(samples: NDArray[np.float32], places: NDArray[np.float32]) -> list[Subject]:
    """Heights at places (x, z) over samples of row z and column x."""
    rows, columns = samples.shape
    axes = (np.arange(rows, dtype=np.float64), np.arange(columns, dtype=np.float64))
    interpolate = RegularGridInterpolator(axes, samples)

    def run() -> Any:
        return interpolate(places[:, ::-1])

    return [Subject(NAME, "RegularGridInterpolator", run)]
