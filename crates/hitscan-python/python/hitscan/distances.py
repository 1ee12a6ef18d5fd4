"""How far objects are apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid, PairNames
from .filters import ALL_LAYERS, Ignored, seen_objects
from .past import view_at

__all__ = ["DistanceQueries", "Distances", "OneOrMore", "Relation", "listed"]

#: An object by its handle or name, or several.
OneOrMore: TypeAlias = int | str | Sequence[int | str] | NDArray[np.integer]


class Relation(IntEnum):
    """How two objects lie.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Relation.TOUCHING
    <Relation.TOUCHING: 1>
    """

    #: There is no answer: they are farther apart than the maximum distance.
    NONE = -1
    #: They share no point.
    APART = 0
    #: They share points, but no inner ones.
    TOUCHING = 1
    #: A piece of one and a piece of the other pass through one another, or one lies in the other.
    OVERLAP = 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Distances(PairNames, Answer):
    """How far pairs of objects are apart: an array for each field, in the shape of the questions.

    Attributes
    ----------
    relation : numpy.ndarray of int8
        A `Relation` each.
    distance : numpy.ndarray of float32
        Metres, the exact distance rounded once; 0 where they touch or overlap, inf without an answer.
    normal : numpy.ndarray of float32, (..., 3)
        The unit direction from `a` to `b` between the nearest points; 0 where they touch or overlap, NaN without
        an answer.
    a_point, b_point : numpy.ndarray of float32, or of float64 with an origin, (..., 3)
        The nearest points of both, metres; where they touch or overlap one common point, twice.
    a, b : numpy.ndarray of int64
        The handles of the objects; -1 without an answer.
    a_part, b_part : numpy.ndarray of int32
        The nearest parts of models and compounds; -1 for solids.
    a_triangle, b_triangle : numpy.ndarray of int64
        The nearest triangles; -1 for solids.
    status : numpy.ndarray of int8
        A `Status` each: `Status.MISS` for what is farther apart than the maximum distance.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]), name="crate")
    >>> _ = world.add(hitscan.Sphere([4, 5, 0.5], 1), name="ball")
    >>> found = world.distances("crate", "ball")
    >>> float(found.distance), found.a_point.tolist()
    (4.0, [1.0, 1.0, 0.5])
    """

    _ROWS: ClassVar[Mapping[str, int]] = {"normal": 1, "a_point": 1, "b_point": 1}

    relation: NDArray[np.int8]
    distance: NDArray[np.float32]
    normal: NDArray[np.float32]
    a_point: NDArray[np.float64] | NDArray[np.float32]
    b_point: NDArray[np.float64] | NDArray[np.float32]
    a: NDArray[np.int64]
    a_part: NDArray[np.int32]
    a_triangle: NDArray[np.int64]
    b: NDArray[np.int64]
    b_part: NDArray[np.int32]
    b_triangle: NDArray[np.int64]
    status: NDArray[np.int8]


def listed(objects: OneOrMore) -> tuple[list[Any], bool]:
    """Return objects as a list, and whether it is one for all rows."""
    if isinstance(objects, str | int | np.integer):
        return [objects], True
    return (objects.tolist() if isinstance(objects, np.ndarray) else list(objects)), False


class DistanceQueries:
    """Queries about how far objects are apart, of worlds."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def distances(
        self,
        a: OneOrMore,
        b: OneOrMore,
        *,
        max_distance: ArrayLike = np.inf,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Distances:
        """Return how far objects are apart, pair by pair.

        Parameters
        ----------
        a, b : int, str or sequence of these
            The objects: handles or names; one for all pairs, or one for each.
        max_distance : array_like, optional
            Up to how far apart they count, metres, itself included. It broadcasts with the pairs.
        layers : int, optional
            Only objects in one of these layers count, a bit each.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not count; pairs of a compound and a part's name.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history; see `World.at`.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question (NaN, a negative distance): a `ValueError`, or the
            status `Status.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        Distances
            Arrays in the shape of the pairs.

        Raises
        ------
        ValueError
            For lists of different lengths, and for a row that is no question.
        KeyError
            For an object that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> balls = [world.add(hitscan.Sphere([x, 0, 0], 1)) for x in (0, 3, 7)]
        >>> world.distances(balls[0], balls[1:]).distance
        array([1., 5.], dtype=float32)
        >>> world.distances(balls[0], balls[1:], max_distance=2).distance
        array([ 1., inf], dtype=float32)
        """
        view = view_at(self, ticks)
        (one, one_is_one), (other, other_is_one) = listed(a), listed(b)
        if one_is_one:
            one = one * len(other)
        elif other_is_one:
            other = other * len(one)
        if len(one) != len(other):
            raise ValueError(f"b: expected one object for each of {len(one)} of a, found {len(other)}")
        columns = _hitscan.distances(
            view,
            one,
            other,
            max_distance,
            one_is_one and other_is_one,
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        return Distances(view.names, *columns)

    def pairs_within(
        self, max_distance: float, *, layers: int = ALL_LAYERS, ignore: Ignored = ()
    ) -> Distances:
        """Return all pairs of objects no farther apart than a distance, in order of the lower, then the higher.

        Parameters
        ----------
        max_distance : float
            Metres, itself included.
        layers, ignore
            As for `distances`.

        Returns
        -------
        Distances
            An element for each pair.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 3, 7):
        ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1))
        >>> pairs = world.pairs_within(2)
        >>> pairs.a, pairs.b, pairs.distance
        (array([0, 1]), array([1, 2]), array([1., 2.], dtype=float32))
        """
        if not max_distance >= 0:
            raise ValueError(f"max_distance: expected at least 0 metres, found {max_distance}")
        view = self._view()
        columns = _hitscan.near_pairs(view, max_distance, seen_objects(layers, ignore))
        return Distances(view.names, *columns)

    def closest_pair(self, *, layers: int = ALL_LAYERS, ignore: Ignored = ()) -> Distances:
        """Return the two objects that are nearest to one another.

        Parameters
        ----------
        layers, ignore
            As for `distances`.

        Returns
        -------
        Distances
            Of one element, or of none where there are fewer than two objects.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 4, 7):
        ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1))
        >>> nearest = world.closest_pair()
        >>> nearest.a, nearest.b, nearest.distance
        (array([1]), array([2]), array([1.], dtype=float32))
        """
        view = self._view()
        columns = _hitscan.near_pairs(view, None, seen_objects(layers, ignore))
        return Distances(view.names, *columns)
