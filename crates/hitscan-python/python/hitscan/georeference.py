"""Where the samples of a raster are, in the axes of terrain, and points of a map."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan

#: What coordinates are: the world's, or a map's.
Coordinates: TypeAlias = Literal["world", "map"]

#: About how many samples are read at once.
_STRIP = 1 << 20


class Raster(NamedTuple):
    """A raster as terrain: row 0 is the northernmost."""

    samples: _hitscan.HeightSamples
    #: Metres between columns and between rows.
    spacing: tuple[float, float]
    #: Easting, 0 and minus the northing of sample (0, 0).
    origin: tuple[float, float, float]


def opened(path: str | os.PathLike[str]) -> Any:
    """Open a file with rasterio, which only this needs."""
    return import_module("rasterio").open(path)


def raster_of(dataset: Any, band: int, window: Any, scaled: bool) -> Raster:
    """Take the samples of a rasterio data set, x east and z south.

    Raises `ValueError` for a grid that terrain cannot be: rotated, or not in metres.
    """
    transform = _checked_transform(dataset)
    (first, end), (west, east) = _spans(window, dataset.height, dataset.width)
    scale, offset = (dataset.scales[band - 1], dataset.offsets[band - 1]) if scaled else (1.0, 0.0)
    masking = _masking(dataset, band)
    samples = _hitscan.HeightSamples(end - first, east - west)
    is_south_up = transform.e > 0.0
    strips = list(_strips(first, end, east - west, dataset.block_shapes[band - 1][0]))
    for rows in reversed(strips) if is_south_up else strips:
        part = rows, (west, east)
        stored = dataset.read(band, window=part)
        valid = dataset.read_masks(band, window=part) if masking is None else None
        if is_south_up:
            stored, valid = stored[::-1], None if valid is None else valid[::-1]
        no_data = None if masking is None else _stored_no_data(masking[0], stored.dtype)
        samples.append(stored, valid, no_data, (float(scale), float(offset)))
    north = end - 1 if is_south_up else first
    easting = transform.c + (west + 0.5) * transform.a
    northing = transform.f + (north + 0.5) * transform.e
    spacing = (float(transform.a), abs(float(transform.e)))
    return Raster(samples, spacing, (float(easting), 0.0, 0.0 - float(northing)))


def map_points(view: _hitscan.View, easting: Any, northing: Any) -> NDArray[np.float64]:
    """Return the points (x, z) of eastings and northings, (..., 2)."""
    east, north = np.asarray(easting, np.float64), np.asarray(northing, np.float64)
    (east_at, _, north_at), (east_unit, north_unit), (x, _, z) = view.map_frame()
    pair = np.broadcast_arrays(x + (east - east_at) * east_unit, z + (north_at - north) * north_unit)
    return np.stack(pair, axis=-1)


def split_points(points: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the eastings and northings of points (..., 2) or (..., 3)."""
    pairs = np.asarray(points)
    if pairs.ndim == 0 or pairs.shape[-1] not in (2, 3):
        raise ValueError(
            "points: expected an array of shape (..., 2), easting and northing, or (..., 3), with a "
            f"height, found {pairs.shape}"
        )
    return pairs[..., 0], pairs[..., 1]


def world_rays(
    view: _hitscan.View, origins: ArrayLike, directions: ArrayLike | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return rays of a map, (..., 6) or origins and directions, in the world's axes."""
    if directions is None:
        rays = np.asarray(origins, np.float64)
        if rays.ndim == 0 or rays.shape[-1] != 6:
            raise ValueError(f"rays: expected an array of shape (..., 6), found {rays.shape}")
        origins, directions = rays[..., :3], rays[..., 3:]
    return world_points(view, "origins", origins), turned("directions", directions)


def world_points(view: _hitscan.View, name: str, points: ArrayLike) -> NDArray[np.float64]:
    """Return points (easting, northing, height), (..., 3), in the world's axes."""
    given = _triples(name, points)
    x, z = np.moveaxis(map_points(view, given[..., 0], given[..., 1]), -1, 0)
    return np.stack([x, given[..., 2] - height_offset(view), z], axis=-1)


def turned(name: str, vectors: ArrayLike) -> NDArray[np.float64]:
    """Return vectors (east, north, up), (..., 3), in the world's axes."""
    given = _triples(name, vectors)
    return np.stack([given[..., 0], given[..., 2], 0.0 - given[..., 1]], axis=-1)


def onto_map(
    view: _hitscan.View, points: NDArray[Any] | None, *vectors: NDArray[Any] | None
) -> None:
    """Replace points and vectors of answers by those on the map, (easting, northing, height)."""
    if points is not None:
        (east_at, _, north_at), (east_unit, north_unit), (x, _, z) = view.map_frame()
        east = (points[..., 0] - x) / east_unit + east_at
        north = north_at - (points[..., 2] - z) / north_unit
        points[..., 2] = points[..., 1] + height_offset(view)
        points[..., 0], points[..., 1] = east, north
    for vector in vectors:
        if vector is not None:
            vector[..., 1], vector[..., 2] = 0.0 - vector[..., 2], vector[..., 1].copy()


def _triples(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return an array of shape (..., 3), or say which argument is none."""
    given = np.asarray(values, np.float64)
    if given.ndim == 0 or given.shape[-1] != 3:
        raise ValueError(f"{name}: expected an array of shape (..., 3), found {given.shape}")
    return given


def is_map(coordinates: Coordinates) -> bool:
    """Whether coordinates are those of a map."""
    if coordinates not in ("world", "map"):
        raise ValueError(f'coordinates: expected "world" or "map", found {coordinates!r}')
    return coordinates == "map"


def height_offset(view: _hitscan.View) -> float:
    """Return what heights on the map are more than those of answers."""
    (_, height_at, _), _, (_, y, _) = view.map_frame()
    return height_at - y


def _checked_transform(dataset: Any) -> Any:
    """Return the transform of a raster that can be terrain."""
    if not hasattr(dataset, "transform"):
        raise TypeError(
            "dataset: expected a path or a data set that rasterio has opened, found "
            f"{type(dataset).__name__}"
        )
    transform = dataset.transform
    if transform.b != 0.0 or transform.d != 0.0:
        raise ValueError(
            f"the raster's grid is rotated (its transform has b = {transform.b}, d = "
            f"{transform.d}), and terrain lies along x and z: warp it north-up first"
        )
    if transform.a <= 0.0 or transform.e == 0.0:
        raise ValueError(
            f"the raster's rows must run from west to east, found pixels of {transform.a} x "
            f"{transform.e}"
        )
    _refuse_other_units(dataset)
    return transform


def _refuse_other_units(dataset: Any) -> None:
    """Raise where coordinates are not metres; without a system they are, unless all are on the globe."""
    crs, transform = dataset.crs, dataset.transform
    ends = transform.f, transform.f + dataset.height * transform.e
    west, east = transform.c, transform.c + dataset.width * transform.a
    south, north = min(ends), max(ends)
    is_on_globe = -180 <= west and east <= 180 and -90 <= south and north <= 90
    has_small_cells = transform.a < 0.1 and abs(transform.e) < 0.1
    if crs.is_geographic if crs is not None else is_on_globe and has_small_cells:
        longitude, latitude = (west + east) / 2, (south + north) / 2
        projected = f"EPSG:{_hitscan.utm_zone(longitude, latitude)}"
        given = "" if crs is not None else ', src_crs="EPSG:4326"'
        raise ValueError(
            f"the raster's coordinates are degrees ({crs or 'it names no system'}), and terrain is in "
            "metres: reproject it to a projected system first, here its UTM zone, such as by "
            f'`HeightField.from_rasterio(rasterio.vrt.WarpedVRT(dataset, crs="{projected}"{given}, '
            "resampling=rasterio.enums.Resampling.bilinear))`"
        )
    if crs is None:
        return
    unit, factor = crs.linear_units_factor
    if factor != 1.0:
        raise ValueError(
            f"the raster's coordinates are in {unit} ({crs}), and terrain is in metres: reproject "
            "it to a system in metres first"
        )


def _spans(window: Any, height: int, width: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the rows and the columns of a window: whole ones, that the raster has."""
    if window is None:
        return (0, height), (0, width)
    ranges = window.toranges() if hasattr(window, "toranges") else window
    spans = []
    for of, count in zip(ranges, (height, width), strict=True):
        start, stop, _ = of.indices(count) if isinstance(of, slice) else (*of, 1)
        if start != int(start) or stop != int(stop) or not 0 <= start < stop <= count:
            raise ValueError(
                f"window: expected whole rows within 0 to {height} and columns within 0 to {width}, "
                f"found {window!r}"
            )
        spans.append((int(start), int(stop)))
    rows, columns = spans
    return rows, columns


def _strips(first: int, end: int, width: int, block: int) -> Iterator[tuple[int, int]]:
    """Cut rows into strips along those of the raster's blocks."""
    step = block * max(1, _STRIP // (width * block))
    for start in range(first - first % step, end, step):
        yield max(start, first), min(start + step, end)


def _masking(dataset: Any, band: int) -> tuple[float | None] | None:
    """Return the value that marks holes, if any; None where a mask of its own marks them."""
    flags = {flag.name for flag in dataset.mask_flag_enums[band - 1]}
    if flags == {"all_valid"}:
        return (None,)
    return (dataset.nodatavals[band - 1],) if flags == {"nodata"} else None


def _stored_no_data(value: float | None, dtype: np.dtype[Any]) -> float | None:
    """Return a value as samples store it: GDAL states it in more digits than they have."""
    return float(dtype.type(value)) if value is not None and dtype.kind == "f" else value
