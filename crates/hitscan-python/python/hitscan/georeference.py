"""Where the samples of a raster are, in the axes of terrain."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Grid(NamedTuple):
    """A raster as terrain: row 0 is the northernmost."""

    #: (rows, columns) metres; NaN is a hole.
    heights: NDArray[Any]
    #: Metres between columns and between rows.
    spacing: tuple[float, float]
    #: Easting, 0 and minus the northing of sample (0, 0).
    origin: tuple[float, float, float]
    #: The least and the greatest height.
    low: float
    high: float


def grid_of(dataset: Any, band: int) -> Grid:
    """Return the samples of a rasterio data set, x east and z south.

    Raises `ValueError` for a grid that terrain cannot be: rotated, or not in metres.
    """
    transform = dataset.transform
    if transform.b != 0.0 or transform.d != 0.0:
        raise ValueError(
            f"the raster's grid is rotated (its transform has b = {transform.b}, d = "
            f"{transform.d}), and terrain lies along x and z: warp it north-up first"
        )
    _refuse_other_units(dataset.crs)
    if transform.a <= 0.0 or transform.e == 0.0:
        raise ValueError(
            f"the raster's rows must run from west to east, found pixels of {transform.a} x "
            f"{transform.e}"
        )
    masked = dataset.read(band, masked=True)
    kind = np.float64 if masked.dtype.itemsize > 2 else np.float32
    heights: NDArray[Any] = np.ma.filled(masked.astype(kind), np.nan)
    easting = transform.c + 0.5 * transform.a
    northing = transform.f + 0.5 * transform.e
    if transform.e > 0.0:
        # Row 0 is the southernmost.
        heights = heights[::-1]
        northing = transform.f + (heights.shape[0] - 0.5) * transform.e
    known = heights[np.isfinite(heights)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    spacing = (float(transform.a), abs(float(transform.e)))
    return Grid(heights, spacing, (easting, 0.0, 0.0 - northing), low, high)


def _refuse_other_units(crs: Any) -> None:
    """Raise where coordinates are not metres; without a system they are taken to be."""
    if crs is None:
        return
    if crs.is_geographic:
        raise ValueError(
            f"the raster's coordinates are degrees ({crs}), and terrain is in metres: reproject "
            "it to a projected system first, its UTM zone say"
        )
    unit, factor = crs.linear_units_factor
    if factor != 1.0:
        raise ValueError(
            f"the raster's coordinates are in {unit} ({crs}), and terrain is in metres: reproject "
            "it to a system in metres first"
        )
