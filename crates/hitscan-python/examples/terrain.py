"""Terrain from a GeoTIFF by rasterio, queried in the map's own coordinates.

Run it with ``python terrain.py``; it needs rasterio, and writes the GeoTIFF itself.
"""

import tempfile
from pathlib import Path

import numpy as np
import rasterio
from numpy.typing import NDArray
from rasterio.transform import from_origin

import hitscan


def hills() -> NDArray[np.float32]:
    """Heights of 200 x 300 samples, metres."""
    rows, columns = np.mgrid[0:200, 0:300] / 20.0
    heights: NDArray[np.float32] = (300 + 40 * np.sin(rows) * np.cos(columns)).astype(np.float32)
    return heights


def main() -> None:
    """Read the terrain, and say what is below a few points and who sees whom."""
    heights = hills()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "hills.tif")
        # Rows go south, columns east, 5 m apart, in UTM zone 32.
        profile = {
            "driver": "GTiff",
            "height": heights.shape[0],
            "width": heights.shape[1],
            "count": 1,
            "dtype": "float32",
            "crs": "EPSG:32632",
            "transform": from_origin(500_000, 5_200_000, 5, 5),
        }
        with rasterio.open(path, "w", **profile) as dataset:
            dataset.write(heights, 1)
        with rasterio.open(path) as dataset:
            terrain = hitscan.HeightField.from_rasterio(dataset)

    # x is east, y up and z south: -northing.
    easting, northing = np.array([500_400.0, 500_700.0]), np.array([5_199_700.0, 5_199_300.0])
    above = np.stack([easting, np.full(2, 9000.0), -northing], axis=-1)
    down = terrain.cast_rays(above, [0, -1, 0])
    print("heights:", np.round(down.point[:, 1], 2).tolist())

    eyes = down.point + [0, 1.7, 0]
    blocked = terrain.cast_rays_any(eyes[0], eyes[1] - eyes[0], t_max=1.0)
    print("the two see each other:", not blocked)


if __name__ == "__main__":
    main()
