"""What moving solids hit."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, FlatAnswer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .georeference import Coordinates, is_map, onto_map, turned
from .map_shapes import shapes_of
from .past import view_at
from .rays import Sides
from .shape_arrays import Boxes, Shapes

__all__ = ["AllShapeHits", "ShapeHits", "StartState", "SweepAllQueries", "SweepQueries"]


class StartState(IntEnum):
    """How a moving solid and what it hits lie at the start.

    Examples
    --------
    >>> import hitscan
    >>> wall = hitscan.World()
    >>> _ = wall.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> wall.update()
    >>> hit = wall.sweep_boxes([-1, 0, 0], [0, 1, 1], [1, 0, 0])
    >>> hitscan.StartState(int(hit.start))
    <StartState.TOUCHING: 1>
    """

    #: Nothing is hit.
    NONE = -1
    #: They are apart.
    SEPARATE = 0
    #: They touch, and the motion approaches.
    TOUCHING = 1
    #: They overlap already.
    OVERLAP = 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShapeHits(Answer):
    """What moving solids hit: an array for each field, in the shape of the questions.

    Attributes
    ----------
    hit : numpy.ndarray of bool
        Whether anything is hit.
    t : numpy.ndarray of float32
        When, from 0 to 1: the exact time rounded once, never -0; inf of a miss.
    point : numpy.ndarray of float32, or of float64 as the shapes, (..., 3)
        A common point of both then, metres; where there are several, any. NaN of a miss.
    normal : numpy.ndarray of float32, (..., 3)
        The obstacle's unit normal, against the motion. Zero where they overlap at the start; with
        ``initial_overlap="escape"`` the way out. NaN of a miss.
    object : numpy.ndarray of int64
        The handle of the object; -1 without a world, and of a miss.
    part : numpy.ndarray of int32
        The part of a model; -1 for solids, and of a miss.
    triangle : numpy.ndarray of int64
        The triangle of the part; -1 for solids, and of a miss.
    side : numpy.ndarray of int8
        The `Side` of the triangle that faces the motion; -1 for solids, for a motion of zero, and
        of a miss.
    start : numpy.ndarray of int8
        A `StartState` each.
    separation : numpy.ndarray of float32
        Where they overlap at the start, minus the depth, metres; else NaN.
    way_out : numpy.ndarray of float32, (..., 3)
        The unit direction in which that depth leads out; else NaN.
    status : numpy.ndarray of int8
        A `Status` each.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([4, 0, 0], [5, 9, 9]), name="wall")
    >>> world.update()
    >>> hits = world.sweep_boxes([0, 1, 1], [1, 2, 2], [[6, 0, 0], [0, 6, 0]])
    >>> hits.t
    array([0.5, inf], dtype=float32)
    >>> hits.object_names
    array(['wall', None], dtype=object)
    """

    hit: NDArray[np.bool_]
    t: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    side: NDArray[np.int8]
    start: NDArray[np.int8]
    separation: NDArray[np.float32]
    way_out: NDArray[np.float32]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are hit, an array of str; None of a miss."""
        return self._names_of(self.object)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AllShapeHits(FlatAnswer):
    """The first hit of each moving solid with each object, those of the first solid first.

    Attributes
    ----------
    question : numpy.ndarray of int64
        The index of each hit's solid among the flattened questions.
    t, point, normal, object, part, triangle, side, start, separation, way_out : numpy.ndarray
        As of `ShapeHits`, one element for each hit.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> for x in (2, 5):
    ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
    >>> world.update()
    >>> hits = world.cast_shapes_all(hitscan.Sphere([0, 0.5, 0.5], 0.5), [9, 0, 0])
    >>> hits.t, hits.object, hits.splits
    (array([0.16666667, 0.5       ], dtype=float32), array([0, 1]), array([0, 2]))
    """

    t: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    side: NDArray[np.int8]
    start: NDArray[np.int8]
    separation: NDArray[np.float32]
    way_out: NDArray[np.float32]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are hit, an array of str."""
        return self._names_of(self.object)


class SweepQueries:
    """Queries about moving solids, which worlds, meshes and terrain have alike.

    A solid is translated in a straight line while t goes from 0 to 1; it does not turn. The motion
    may be zero.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_shapes(
        self,
        shapes: Shapes,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> ShapeHits:
        """Return the first hit of each moving solid.

        Of hits with the same t that of the lowest object counts. What slides over one object's
        triangles is not caught at their edges.

        Parameters
        ----------
        shapes : Primitive, sequence of Primitive, Spheres, Boxes, OrientedBoxes or Capsules
            The solids at t = 0. They broadcast against the motions.
        motion : array_like, (..., 3)
            How far they move while t goes from 0 to 1, metres.
        sides : {"both", "front", "back"}, optional
            Which sides of triangles are hit.
        initial_overlap : {"stop", "escape"}, optional
            Whether what a solid overlaps at the start stops it there, as by default, or only where
            the motion leads deeper.
        overlaps : {"stop", "leave"}, optional
            An alias of `initial_overlap`; ``"leave"`` is ``"escape"``. Both together are an error.
        coordinates : {"world", "map"}, optional
            What the solids, their motions and the answers are in: the world's axes, or those of a map (easting,
            northing, height), as for `height`. Of a map a turned box is turned about these too.
        layers : int, optional
            Only objects in one of these layers are hit, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of objects that are passed through; worlds only.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question (NaN, a radius of 0): a `ValueError`, or the
            status `Status.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        ShapeHits
            Arrays in the shape of the questions.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no question, with its index.
        TypeError
            For what is no array of real numbers, and no solid.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([2.5, -1, -1], [4, 2, 2]))
        >>> world.update()
        >>> guard = hitscan.Capsule([0, 0.5, 0], [0, 1.5, 0], 0.5)
        >>> hits = world.cast_shapes(guard, [[4, 0, 0], [-4, 0, 0]])
        >>> hits.t, hits.normal[0].tolist()
        (array([0.5, inf], dtype=float32), [-1.0, 0.0, 0.0])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            motion = turned("motion", motion)
        columns = _hitscan.cast_shapes(
            view,
            shapes_of(view, shapes, on_map),
            motion,
            (sides, initial_overlap, overlaps),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        hits = ShapeHits(view.names, *columns)
        if on_map:
            onto_map(view, hits.point, hits.normal, hits.way_out)
        return hits

    def sweep_boxes(
        self,
        min: ArrayLike,
        max: ArrayLike,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> ShapeHits:
        """Return the first hit of each moving axis-aligned box.

        Parameters
        ----------
        min, max : array_like, (..., 3)
            Their minimum and maximum corners at t = 0, metres.
        motion : array_like, (..., 3)
            How far they move while t goes from 0 to 1, metres. All three broadcast.
        sides, initial_overlap, overlaps, coordinates, layers, ignore, ticks, invalid, threads
            As for `cast_shapes`.

        Returns
        -------
        ShapeHits
            What ``cast_shapes(Boxes(min, max), motion)`` answers.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_shapes`.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((9, 9)))
        >>> float(ground.sweep_boxes([3, 2, 3], [4, 3, 4], [0, -8, 0]).t)
        0.25
        """
        return self.cast_shapes(
            Boxes(min, max),
            motion,
            sides=sides,
            initial_overlap=initial_overlap,
            overlaps=overlaps,
            coordinates=coordinates,
            layers=layers,
            ignore=ignore,
            ticks=ticks,
            invalid=invalid,
            threads=threads,
        )

    def cast_shapes_any(
        self,
        shapes: Shapes,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each moving solid hits anything, or overlaps it at the start.

        The answer is always that of ``cast_shapes(...).hit``, sooner.

        Parameters
        ----------
        shapes, motion, sides, initial_overlap, overlaps, coordinates, layers, ignore, ticks, threads
            As for `cast_shapes`.
        invalid : {"raise", "mark"}, optional
            As for `cast_shapes`; a row that is no question hits nothing.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_shapes`.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((9, 9)))
        >>> ground.cast_shapes_any(hitscan.Sphere([4, 3, 4], 1), [[0, -2, 0], [0, -1.5, 0]])
        array([ True, False])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            motion = turned("motion", motion)
        return _hitscan.cast_shapes_any(
            view,
            shapes_of(view, shapes, on_map),
            motion,
            (sides, initial_overlap, overlaps),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )


class SweepAllQueries:
    """Queries about moving solids that only worlds have."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_shapes_all(
        self,
        shapes: Shapes,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> AllShapeHits:
        """Return the first hit of each moving solid with each object, in order of t.

        It does not stop at any of them.

        Parameters
        ----------
        shapes, motion, sides, initial_overlap, overlaps, coordinates, layers, ignore, ticks, threads
            As for `cast_shapes`.
        invalid : {"raise", "mark"}, optional
            As for `cast_shapes`; a row that is no question has no hits.

        Returns
        -------
        AllShapeHits
            A flat array for each field, those of the first solid first.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_shapes`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (2, 5):
        ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
        >>> world.update()
        >>> boxes = hitscan.Boxes([0, 0, 0], [1, 1, 1])
        >>> world.cast_shapes_all(boxes, [[8, 0, 0], [2, 0, 0], [0, 9, 0]]).count
        array([2, 1, 0])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            motion = turned("motion", motion)
        columns = _hitscan.cast_shapes_all(
            view,
            shapes_of(view, shapes, on_map),
            motion,
            (sides, initial_overlap, overlaps),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        _, *fields, _, question, splits = columns
        hits = AllShapeHits(view.names, question, len(splits) - 1, *fields)
        if on_map:
            onto_map(view, hits.point, hits.normal, hits.way_out)
        return hits
