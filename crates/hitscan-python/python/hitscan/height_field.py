"""Height-map terrain."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Invalid
from .arcs import ArcQueries
from .closest import ClosestQueries
from .contacts import ContactQueries
from .footprints import FootprintQueries
from .georeference import opened, raster_of
from .heights import HeightQueries
from .notebook import html_view
from .picture import PictureQueries
from .rays import RayQueries, corner_arrays, point_of
from .sweeps import SweepQueries
from .turnings import TurningQueries
from .viewsheds import OwnViewshedQueries

__all__ = ["HeightField"]

Diagonal = Literal["anti", "main"]


class HeightField(
    RayQueries,
    HeightQueries,
    FootprintQueries,
    SweepQueries,
    TurningQueries,
    ContactQueries,
    ClosestQueries,
    ArcQueries,
    OwnViewshedQueries,
    PictureQueries,
):
    """Terrain: heights on a grid, with two flat triangles between each four neighbours.

    Sample (row j, column i) is at ``x = origin[0] + i * spacing[0]``, ``z = origin[2] + j *
    spacing[1]``, ``y = origin[1] + heights[j, i]``: +Y is up, and of a map with north at row 0 x
    is east and z is south. Triangles are ``2 * (j * (columns - 1) + i)`` and the next of cell (i,
    j). Terrain does not change; `edit` makes another.

    Parameters
    ----------
    heights : array_like, (rows, columns)
        Metres, of any real dtype, rounded to f32. NaN and masked samples are holes: triangles with
        such a corner do not exist.
    spacing : float or (float, float), optional
        Metres between columns (along x) and between rows (along z).
    origin : array_like, (3,), optional
        Where sample (0, 0) is at height 0, metres.
    diagonal : {"anti", "main"}, optional
        Which diagonal cuts cells: from sample (i, j+1) to (i+1, j), or from (i, j) to (i+1, j+1).
    local_origin : array_like, (3,), optional
        A point, in f64, that questions are measured from: it is taken off before they are rounded
        to f32, and added to points of answers. For maps far from 0. None takes nothing off.

    Raises
    ------
    ValueError
        For fewer than 2 x 2 samples, a spacing that is not positive, and what is out of range.
    TypeError
        For what is no array of real numbers.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> slope = hitscan.HeightField([[0, 1, 2], [0, 1, 2]], spacing=1.0)
    >>> hits = slope.cast_rays([0, 1.5, 0.5], [1, 0, 0])
    >>> float(hits.t), hits.point.tolist()
    (1.5, [1.5, 1.5, 0.5])
    """

    __slots__ = ("__weakref__", "_raw", "_whole")

    _raw: _hitscan.HeightField
    _whole: _hitscan.View

    def __init__(
        self,
        heights: ArrayLike,
        spacing: float | tuple[float, float] = 1.0,
        origin: ArrayLike = (0.0, 0.0, 0.0),
        diagonal: Diagonal = "anti",
        *,
        local_origin: ArrayLike | None = None,
    ) -> None:
        samples = _filled(heights)
        place = point_of("origin", origin)
        local = None if local_origin is None else point_of("local_origin", local_origin)
        self._set(_hitscan.HeightField(samples, _pair(spacing), place, diagonal, local))

    def _set(self, raw: _hitscan.HeightField) -> None:
        self._raw = raw
        self._whole = _hitscan.View.of_terrain(raw)

    def _view(self) -> _hitscan.View:
        return self._whole

    def elevations(
        self,
        points: ArrayLike,
        *,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.float64] | NDArray[np.float32]:
        """Return the heights alone of `height`.

        Parameters
        ----------
        points : array_like, (..., 2) or (..., 3)
            Points (x, z), metres; or (x, y, z), of which y does not matter.
        invalid : {"raise", "mark"}, optional
            What becomes of points that are not finite: a `ValueError`, or NaN.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        numpy.ndarray of float32, or of float64 as the points
            Metres, in the shape of the points; NaN outside and over holes.

        Raises
        ------
        ValueError, TypeError
            As `height`.

        Examples
        --------
        >>> import hitscan
        >>> slope = hitscan.HeightField([[0, 1, 2], [0, 1, 2]])
        >>> slope.elevations([[0.5, 0.5], [1.5, 0.0], [9.0, 0.0]])
        array([0.5, 1.5, nan])
        """
        return self.height(points, fields=("height",), invalid=invalid, threads=threads).height

    @classmethod
    def _of(cls, raw: _hitscan.HeightField) -> HeightField:
        field = cls.__new__(cls)
        field._set(raw)
        return field

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        spacing: float | tuple[float, float] | None = None,
        origin: ArrayLike | None = None,
        diagonal: Diagonal = "anti",
        height_scale: float = 1.0,
        height_range: tuple[float, float] | None = None,
        size: tuple[int, int] | None = None,
        local_origin: ArrayLike | Literal["center"] | None = "center",
    ) -> HeightField:
        """Read a height map: PNG, TIFF, HGT, ESRI ASCII, raw or NPY.

        A map that says where it is, in metres (GeoTIFF, ESRI ASCII), lies there, with the heights and
        the place of `from_rasterio`: easting E, northing N and height H at x = E, y = H, z = -N. With
        a `spacing` or an `origin` it is a grid of your own, and its place on the map is not used.

        Parameters
        ----------
        path : path-like
            A file that ends in .png, .tif, .tiff, .hgt, .asc, .r16, .raw or .npy.
        spacing : float or (float, float), optional
            Metres between columns and between rows; by default what the file states.
        origin : array_like, (3,), optional
            Where sample (0, 0) is at height 0, metres; by default where the file says, else at 0.
        diagonal : {"anti", "main"}, optional
            As for `HeightField`.
        height_scale : float, optional
            Metres for one unit of the file; its own scale and offset (GeoTIFF) count besides.
        height_range : (float, float), optional
            Of 8- and 16-bit images, the heights of code 0 and of the highest code, in place of
            `height_scale`.
        size : (int, int), optional
            Columns and rows of a raw file, which is square without it.
        local_origin : "center", array_like or None, optional
            What questions are measured from: by default, of a map that lies where it says, the middle
            of the bounds, and nothing of other grids.

        Returns
        -------
        HeightField
            The terrain; samples without data are holes.

        Raises
        ------
        FileError
            For a file that cannot be read or is broken, with the place and what was expected, and for a
            map in degrees or feet without a `spacing`.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> grid = "ncols 2\\nnrows 2\\nxllcorner 0\\nyllcorner 0\\ncellsize 30\\n1 2\\n3 -9999\\n"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "ridge.asc")
        ...     _ = path.write_text(grid)
        ...     hitscan.HeightField.read(path).heights.tolist()
        [[1.0, 2.0], [3.0, nan]]
        """
        raw = _hitscan.HeightField.read(
            os.fspath(path),
            None if spacing is None else _pair(spacing),
            None if origin is None else point_of("origin", origin),
            diagonal,
            height_scale,
            height_range,
            size,
            _local(local_origin),
        )
        return cls._of(raw)

    @classmethod
    def from_rasterio(
        cls,
        dataset: Any,
        *,
        band: int = 1,
        window: Any = None,
        scaled: bool = True,
        diagonal: Diagonal = "anti",
        local_origin: ArrayLike | Literal["center"] | None = "center",
    ) -> HeightField:
        """Take an elevation model that rasterio reads: x east, z south, y up.

        A point at easting E, northing N and height H is at x = E, y = H, z = -N; `elevations_at` takes
        E and N as they are. The raster is read a strip at a time.

        Parameters
        ----------
        dataset : path-like or rasterio.io.DatasetReader
            A raster in metres whose rows run from west to east, as its file or opened by rasterio; or a
            `rasterio.vrt.WarpedVRT`, which makes one of a raster in degrees.
        band : int, optional
            The band that has the heights.
        window : rasterio.windows.Window or pair of (int, int) or slice, optional
            Rows and columns of a part of it; by default all.
        scaled : bool, optional
            Whether stored values become heights by the band's scale and offset, ``stored * scale +
            offset``; else they count as metres.
        diagonal : {"anti", "main"}, optional
            As for `HeightField`.
        local_origin : "center", array_like or None, optional
            What questions are measured from: by default the middle of the bounds.

        Returns
        -------
        HeightField
            Samples are at the middles of pixels; those without data (the band's nodata, a mask, NaN)
            are holes.

        Raises
        ------
        ValueError
            For a grid that is rotated, or in degrees or feet: it has to be reprojected first. For a
            window that is not whole or not in the raster.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> rasterio = __import__("pytest").importorskip("rasterio")
        >>> grid = "ncols 4\\nnrows 3\\nxllcorner 500000\\nyllcorner 6199970\\ncellsize 10\\n"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "dgm.asc")
        ...     _ = path.write_text(grid + "1 2 3 4\\n5 6 7 8\\n9 10 11 12\\n")
        ...     terrain = hitscan.HeightField.from_rasterio(path)
        ...     west = hitscan.HeightField.from_rasterio(path, window=((0, 3), (0, 2)))
        >>> terrain.origin.tolist(), terrain.shape, west.shape
        ([500005.0, 0.0, -6199995.0], (3, 4), (3, 2))
        >>> terrain.elevations_at([500005, 500020], [6199995, 6199985])
        array([1. , 6.5])
        """
        if isinstance(dataset, (str, os.PathLike)):
            with opened(dataset) as opened_set:
                raster = raster_of(opened_set, band, window, scaled)
        else:
            raster = raster_of(dataset, band, window, scaled)
        raw = _hitscan.HeightField.of_samples(
            raster.samples, raster.spacing, raster.origin, diagonal, _local(local_origin)
        )
        return cls._of(raw)

    def edit(self, row: int, column: int, heights: ArrayLike) -> HeightField:
        """Return the same terrain with other heights from a sample on.

        Only what lies above the edited samples is computed again; `World.set_shape` puts the new
        terrain in the place of the old.

        Parameters
        ----------
        row, column : int
            The first sample that changes.
        heights : array_like, (rows, columns)
            Metres, as for `HeightField`; NaN and masked samples make holes.

        Returns
        -------
        HeightField
            Another terrain; this one stays as it is.

        Raises
        ------
        ValueError
            Where the samples leave the map.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> flat = hitscan.HeightField(np.zeros((4, 4)))
        >>> flat.edit(2, 1, [[5.0, np.nan]]).heights[2].tolist()
        [0.0, 5.0, nan, 0.0]
        """
        return self._of(self._raw.edited(row, column, _filled(heights)))

    @property
    def heights(self) -> NDArray[np.float32]:
        """The heights above the origin, metres, (rows, columns) float32; NaN is a hole."""
        return self._raw.heights()

    @property
    def spacing(self) -> tuple[float, float]:
        """Metres between columns and between rows."""
        x, z = self._raw.spacing
        return x, z

    @property
    def origin(self) -> NDArray[np.float64]:
        """Where sample (0, 0) is at height 0, metres, (3,) float64."""
        return np.array(self._raw.origin)

    @property
    def local_origin(self) -> NDArray[np.float64] | None:
        """What questions are measured from, metres, (3,) float64, if anything."""
        origin = self._raw.local_origin
        return None if origin is None else np.array(origin)

    @property
    def diagonal(self) -> str:
        """Which diagonal cuts cells: "anti" or "main"."""
        return self._raw.diagonal

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self._raw.shape

    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """Minimum and maximum corner of the box around all triangles, metres, (2, 3) float64."""
        return corner_arrays(self._raw.bounds)

    @property
    def triangle_count(self) -> int:
        """How many triangles are numbered, holes included."""
        return self._raw.triangle_count

    @property
    def hole_count(self) -> int:
        """How many samples are holes."""
        return self._raw.hole_count

    @property
    def memory_bytes(self) -> int:
        """The bytes that the terrain takes."""
        return self._raw.memory_bytes

    def _repr_html_(self) -> str:
        bounds = self.bounds
        ends = "none" if bounds is None else f"{bounds[0, 1]} to {bounds[1, 1]} m"
        rows = [("samples", f"{self.shape[0]:,} x {self.shape[1]:,}"), ("heights", ends)]
        return html_view(self, "HeightField", ("of", "value"), rows)

    def __repr__(self) -> str:
        rows, columns = self.shape
        x, z = self.spacing
        return f"HeightField({rows} rows, {columns} columns, spacing {x} x {z} m)"

    def __reduce__(self) -> tuple[Any, ...]:
        raw = self._raw
        return _restored, (raw.heights(), raw.spacing, raw.grid_origin, raw.diagonal, raw.local_origin)


def _restored(
    heights: Any,
    spacing: tuple[float, float],
    grid_origin: tuple[float, float, float],
    diagonal: str,
    local_origin: tuple[float, float, float] | None,
) -> HeightField:
    """Return pickled terrain: its grid is kept as it was, measured from its local origin."""
    raw = _hitscan.HeightField.restored(heights, spacing, grid_origin, diagonal, local_origin)
    return HeightField._of(raw)


def _filled(heights: ArrayLike) -> Any:
    """Return samples with NaN in place of masked ones."""
    if isinstance(heights, np.ma.MaskedArray):
        values = heights if heights.dtype.kind == "f" else heights.astype(np.float64)
        return np.ma.filled(values, np.nan)
    return heights


def _local(origin: ArrayLike | str | None) -> tuple[float, float, float] | str | None:
    """Return a local origin as the extension module takes it."""
    return origin if origin is None or isinstance(origin, str) else point_of("local_origin", origin)


def _pair(spacing: float | tuple[float, float]) -> tuple[float, float]:
    """Return the spacing along x and z."""
    if isinstance(spacing, (int, float, np.number)):
        return float(spacing), float(spacing)
    x, z = spacing
    return float(x), float(z)
