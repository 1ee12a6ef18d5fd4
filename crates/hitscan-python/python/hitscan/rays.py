"""Ray queries, which worlds, meshes and terrain have alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .filters import ALL_LAYERS, Ignored, field_names, seen_objects
from .georeference import Coordinates, is_map, onto_map, world_rays
from .hits import AllRayHits, RayHits, former_columns, kept_question
from .past import view_at

__all__ = ["RayQueries", "Sides", "Start"]

Sides: TypeAlias = Literal["both", "front", "back"]
Start: TypeAlias = Literal["solid", "hollow"]


class RayQueries:
    """Ray queries.

    A ray is ``origin + t * direction`` with ``t_min <= t <= t_max``, both ends included; its
    direction need not be of unit length, and t counts in units of it. Triangles are closed: no ray
    slips between two that share an edge. Whatever decides between two answers is computed exactly,
    so answers do not depend on threads, machine or the order in which a tree was built.

    Origins and directions have shape (..., 3) and broadcast against each other; or one array of
    shape (..., 6) has both. They may be of any real dtype and any strides, and are read once, a
    few at a time, without the GIL.

    In f32, which queries are answered in, a metre near a map's coordinates is coarse. What has an
    `origin` takes it off origins in f64 before they are rounded to f32, and adds it to points.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        fields: Iterable[str] | None = None,
        out: RayHits | None = None,
        keep_question: bool = False,
        ticks: ArrayLike | None = None,
        invalid: Literal["raise", "mark"] = "raise",
        threads: int | None = None,
    ) -> RayHits:
        """Return the nearest hit of each ray.

        Of hits with the same t that of the lowest object counts, then of the lowest part, then of
        the lowest triangle.

        Parameters
        ----------
        origins : array_like, (..., 3) or (..., 6)
            Where the rays begin, metres; with directions behind them where `directions` is None.
        directions : array_like, (..., 3), optional
            Where they go: finite, not zero, of any length.
        t_min, t_max : array_like, optional
            The range of t, one for all or one for each ray; by default from 0 to infinity.
        sides : {"both", "front", "back"}, optional
            Which sides of surfaces are hit; what else is there is passed through.
        start : {"solid", "hollow"}, optional
            What a ray hits that starts inside a solid: its inside, at `t_min`, or its boundary.
        coordinates : {"world", "map"}, optional
            What the question's and the answer's points and directions are: (x, y, z), or of a map (easting,
            northing, height), as for `height`.
        layers : int, optional
            Only objects in one of these layers are hit, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of objects that are passed through; worlds only.
        fields : sequence of str, optional
            The fields that are answered; by default all of `RayHits` but `joint` and
            `bind_point`.
        out : RayHits, optional
            A former answer of the same shape and fields, whose arrays are written again.
        keep_question : bool, optional
            Keep a copy of the rays with the answer, so that pictures can draw them (`overlay`). That
            of up to 10,000 rays is always kept.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no ray (NaN, a zero direction, ``t_min > t_max``): a
            `ValueError`, or the status `Status.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        RayHits
            Arrays in the shape of the rays.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no ray, with its index.
        TypeError
            For what is no array of real numbers.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 5, 0], 2), name="ball")
        >>> world.update()
        >>> hits = world.cast_rays([0, 9, 0], [[0, -1, 0], [0, 1, 0]])
        >>> hits.t
        array([ 2., inf], dtype=float32)
        >>> hits.object_names
        array(['ball', None], dtype=object)
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            origins, directions = world_rays(view, origins, directions)
        ends, wanted = (t_min, t_max), (sides, start, *seen_objects(layers, ignore))
        columns = _hitscan.cast_rays(
            view,
            origins,
            directions,
            ends,
            wanted,
            field_names(fields),
            former_columns(out),
            invalid,
            threads,
        )
        if on_map:
            onto_map(view, columns[3], columns[4])
        asked = kept_question((origins, directions, *ends), keep_question)
        if asked is not None:
            asked = (*asked[:2], asked[2:], wanted)
        return RayHits(columns, view.names, asked)

    def cast_rays_any(
        self,
        origins: ArrayLike,
        directions: ArrayLike | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        out: NDArray[np.bool_] | None = None,
        ticks: ArrayLike | None = None,
        invalid: Literal["raise", "mark"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each ray hits anything.

        The answer is always that of ``cast_rays(...).hit``, sooner.

        Parameters
        ----------
        origins, directions, t_min, t_max : array_like
            As for `cast_rays`.
        sides, start : str, optional
            As for `cast_rays`.
        coordinates : {"world", "map"}, optional
            As for `cast_rays`.
        layers : int, optional
            As for `cast_rays`.
        ignore : iterable of int or str, optional
            As for `cast_rays`.
        out : numpy.ndarray of bool, optional
            A former answer of the same shape, which is written again.
        ticks : array_like, optional
            As for `cast_rays`.
        invalid : {"raise", "mark"}, optional
            As for `cast_rays`; a row that is no ray hits nothing.
        threads : int, optional
            As for `cast_rays`.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the rays.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_rays`.

        Examples
        --------
        >>> import hitscan
        >>> sheet = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> sheet.cast_rays_any([[0.2, 0.2, 3], [0.9, 0.9, 3]], [0, 0, -1])
        array([ True, False])
        """
        view = view_at(self, ticks)
        if is_map(coordinates):
            origins, directions = world_rays(view, origins, directions)
        return _hitscan.cast_rays_any(
            view,
            origins,
            directions,
            (t_min, t_max),
            (sides, start, *seen_objects(layers, ignore)),
            _flags(out),
            invalid,
            threads,
        )

    def cast_rays_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        fields: Iterable[str] | None = None,
        ticks: ArrayLike | None = None,
        invalid: Literal["raise", "mark"] = "raise",
        threads: int | None = None,
    ) -> AllRayHits:
        """Return all hits of each ray, nearest first.

        An edge or corner that triangles share counts once, so that the hits of a closed mesh
        alternate between front and back. Solids give entry and exit.

        Parameters
        ----------
        origins, directions, t_min, t_max : array_like
            As for `cast_rays`.
        sides, start : str, optional
            As for `cast_rays`.
        coordinates : {"world", "map"}, optional
            As for `cast_rays`.
        layers : int, optional
            As for `cast_rays`.
        ignore : iterable of int or str, optional
            As for `cast_rays`.
        fields : sequence of str, optional
            As for `cast_rays`.
        ticks : array_like, optional
            As for `cast_rays`.
        invalid : {"raise", "mark"}, optional
            As for `cast_rays`; a row that is no ray has no hits.
        threads : int, optional
            As for `cast_rays`.

        Returns
        -------
        AllRayHits
            A flat array for each field, those of the first ray first.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_rays`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 5):
        ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
        >>> world.update()
        >>> hits = world.cast_rays_all([[-1, 0.5, 0.5]], [1, 0, 0])
        >>> hits.t
        array([1., 2., 6., 7.], dtype=float32)
        >>> hits.object
        array([0, 0, 1, 1])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            origins, directions = world_rays(view, origins, directions)
        columns, ray, splits = _hitscan.cast_rays_all(
            view,
            origins,
            directions,
            (t_min, t_max),
            (sides, start, *seen_objects(layers, ignore)),
            field_names(fields),
            invalid,
            threads,
        )
        if on_map:
            onto_map(view, columns[3], columns[4])
        return AllRayHits(columns, ray, splits, view.names)


def _flags(out: Any) -> NDArray[np.bool_] | None:
    """Return a former answer of bool that is written again."""
    if out is not None and not (isinstance(out, np.ndarray) and out.dtype == np.bool_):
        found = f"one of {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise TypeError(f"out: expected an array of bool, found {found}")
    return out


def corner_arrays(
    corners: tuple[Sequence[float], Sequence[float]] | None,
) -> NDArray[np.float64] | None:
    """Return the two corners of a box as an array of shape (2, 3)."""
    return None if corners is None else np.array(corners, dtype=np.float64)


def point_of(name: str, value: ArrayLike) -> tuple[float, float, float]:
    """Return three finite numbers, or say which argument is none of that."""
    point = np.asarray(value, dtype=np.float64)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise ValueError(f"{name}: expected three finite numbers, found {value!r}")
    x, y, z = point.tolist()
    return x, y, z


def origin_of(value: Any, low: NDArray[Any], high: NDArray[Any]) -> tuple[float, float, float] | None:
    """Return an origin as it was given, or the middle of a box for "center"."""
    if value is None:
        return None
    if isinstance(value, str):
        if value != "center":
            raise ValueError(f'origin: expected "center", a point or None, found {value!r}')
        return point_of("origin", (low + high) / 2)
    return point_of("origin", value)
