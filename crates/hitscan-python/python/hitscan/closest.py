"""What is nearest to points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .georeference import Coordinates, is_map, onto_map, world_points
from .past import view_at

__all__ = ["ClosestPoints", "ClosestQueries"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClosestPoints(Answer):
    """What is nearest to points: an array for each field, in the shape of the questions.

    Attributes
    ----------
    found : numpy.ndarray of bool
        Whether anything is within the distance.
    distance : numpy.ndarray of float32
        Metres, the exact one rounded once: negative strictly inside a solid, where it is minus
        that to the boundary. Never -0; inf where nothing is found.
    inside : numpy.ndarray of bool
        Whether the point is strictly inside, also where the distance rounds to 0.
    point : numpy.ndarray of float32, or of float64 as the points, (..., 3)
        The nearest point of the surface, metres; NaN where nothing is found.
    normal : numpy.ndarray of float32, (..., 3)
        The outward unit direction there; NaN where nothing is found.
    object : numpy.ndarray of int64
        The handle of the object; -1 without a world, and where nothing is found.
    part : numpy.ndarray of int32
        The part of a model; -1 for solids.
    triangle : numpy.ndarray of int64
        The nearest triangle of the part; -1 for solids.
    uv : numpy.ndarray of float32, (..., 2)
        Weights of the triangle's second and third corner; NaN without a triangle.
    status : numpy.ndarray of int8
        A `Status` each.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [4, 3, 5]), name="room")
    >>> world.update()
    >>> nearest = world.closest_points([[6, 1, 1], [2, 2.5, 2]])
    >>> nearest.distance, nearest.inside
    (array([ 2. , -0.5], dtype=float32), array([False,  True]))
    """

    found: NDArray[np.bool_]
    distance: NDArray[np.float32]
    inside: NDArray[np.bool_]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    uv: NDArray[np.float32]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects, an array of str; None where nothing is found."""
        return self._names_of(self.object)


class ClosestQueries:
    """Queries about what is nearest, which worlds, meshes and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def closest_points(
        self,
        points: ArrayLike,
        *,
        max_distance: ArrayLike = np.inf,
        signed: bool = False,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> ClosestPoints:
        """Return what is nearest to each point.

        Of the same distance that of the lowest object, part and triangle answers. Strictly inside
        a solid the distance is negative, `max_distance` does not matter, and the least distance
        answers.

        Parameters
        ----------
        points : array_like, (..., 3)
            Metres.
        max_distance : array_like, optional
            How far away things may be, metres, itself included: one for all or one for each.
        signed : bool, optional
            Whether closed meshes and models count as solids too. Inside is where the winding
            number is not 0, which is decided exactly.
        coordinates : {"world", "map"}, optional
            What the question's and the answer's points and normals are: (x, y, z), or of a map (easting,
            northing, height), as for `height`.
        layers : int, optional
            Only objects in one of these layers count, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not count; worlds only.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question (NaN, a negative distance): a `ValueError`,
            or the status `Status.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        ClosestPoints
            Arrays in the shape of the points.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no question, with its index.
        TypeError
            For what is no array of real numbers.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> sheet = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> nearest = sheet.closest_points([[0.25, 0.25, 2], [3, 0, 0]])
        >>> nearest.distance, nearest.point.tolist()
        (array([2., 2.], dtype=float32), [[0.25, 0.25, 0.0], [1.0, 0.0, 0.0]])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        if on_map:
            points = world_points(view, "points", points)
        columns = _hitscan.closest_points(
            view, points, max_distance, signed, seen_objects(layers, ignore), invalid, threads
        )
        if on_map:
            onto_map(view, columns[3], columns[4])
        return ClosestPoints(view.names, *columns)
