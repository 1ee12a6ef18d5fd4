"""Which objects overlap, and how; which are in regions; when moving boxes collide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, FlatAnswer, Invalid, PairNames
from .distances import listed
from .filters import ALL_LAYERS, Ignored, seen_objects

__all__ = [
    "BoxPairs",
    "Impacts",
    "ObjectsIn",
    "OverlapKind",
    "OverlapQueries",
    "Overlaps",
    "ShapeImpacts",
]


class OverlapKind(IntEnum):
    """How two shapes overlap.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.OverlapKind.CONTAINS
    <OverlapKind.CONTAINS: 3>
    """

    #: They pass through one another.
    CROSS = 0
    #: Two triangles of one plane overlap in an area.
    COPLANAR = 1
    #: They have boundary points only in common.
    TOUCH = 2
    #: One lies in the other.
    CONTAINS = 3


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoxPairs(PairNames, Answer):
    """Pairs of objects whose boxes touch or overlap, in order of the lower, then the higher.

    Attributes
    ----------
    a, b : numpy.ndarray of int64
        The handles of the lower and of the higher object.
    min, max : numpy.ndarray of float32, or of float64 with an origin, (n, 3)
        The intersection of both boxes, metres; flat where they only touch.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> for x in (0, 1, 5):
    ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
    >>> world.update()
    >>> pairs = world.broad_phase_pairs()
    >>> pairs.a, pairs.b, pairs.min.tolist()
    (array([0]), array([1]), [[1.0, 0.0, 0.0]])
    """

    _ROWS: ClassVar[Mapping[str, int]] = {"min": 1, "max": 1}

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    min: NDArray[np.float64] | NDArray[np.float32]
    max: NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Overlaps(PairNames, Answer):
    """How objects overlap: one element for each pair of triangles or solids that do.

    They are in the order of the objects' pairs, then of parts and triangles.

    Attributes
    ----------
    kind : numpy.ndarray of int8
        An `OverlapKind` each.
    a, b : numpy.ndarray of int64
        The handles of the lower and of the higher object; where one contains the other, `a` is
        that which contains.
    a_part, b_part : numpy.ndarray of int32
        The parts of models; -1 for solids and for whole objects.
    a_triangle, b_triangle : numpy.ndarray of int64
        The triangles of the parts; -1 for solids and for whole objects.
    segment : numpy.ndarray of float32, or of float64 with an origin, (n, 2, 3)
        The ends of the common segment of two triangles that do not lie in one plane, metres, each
        the nearest f32 to the exact one; else NaN.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="planet")
    >>> _ = world.add(hitscan.Sphere([0, 0.25, 0], 0.5), name="core")
    >>> world.update()
    >>> overlaps = world.overlaps()
    >>> hitscan.OverlapKind(int(overlaps.kind[0])), overlaps.a_names[0], overlaps.b_names[0]
    (<OverlapKind.CONTAINS: 3>, 'planet', 'core')
    """

    kind: NDArray[np.int8]
    a: NDArray[np.int64]
    a_part: NDArray[np.int32]
    a_triangle: NDArray[np.int64]
    b: NDArray[np.int64]
    b_part: NDArray[np.int32]
    b_triangle: NDArray[np.int64]
    segment: NDArray[np.float64] | NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ObjectsIn(FlatAnswer):
    """The objects in regions, those in the first region first, in order.

    Attributes
    ----------
    question : numpy.ndarray of int64
        The index of each object's region among the flattened regions.
    object : numpy.ndarray of int64
        The handles of the objects.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> for x in (0, 1, 5):
    ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
    >>> world.update()
    >>> found = world.objects_in([[-9, 0, 0], [3, 0, 0]], [[2, 1, 1], [5, 1, 1]])
    >>> found.object, found.splits
    (array([0, 1, 2]), array([0, 2, 3]))
    """

    object: NDArray[np.int64]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects, an array of str."""
        return self._names_of(self.object)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Impacts(PairNames, Answer):
    """Pairs of objects whose moving boxes collide, in order of time, then of the objects.

    Attributes
    ----------
    a, b : numpy.ndarray of int64
        The handles of the lower and of the higher object.
    t : numpy.ndarray of float32
        When, from 0 to 1: the exact time rounded once; never -0.
    normal : numpy.ndarray of float32, (n, 3)
        The unit normal of the face of `b` that `a` hits; zero where they overlap at the start.
    overlap : numpy.ndarray of bool
        Whether they overlap at the start.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> for x in (0, 3):
    ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
    >>> world.update()
    >>> impacts = world.impacts([0], [[4, 0, 0]])
    >>> impacts.t, impacts.normal.tolist()
    (array([0.5], dtype=float32), [[-1.0, 0.0, 0.0]])
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    t: NDArray[np.float32]
    normal: NDArray[np.float32]
    overlap: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ShapeImpacts(PairNames, Answer):
    """Pairs of moving objects that collide, in order of time, then of the objects.

    Attributes
    ----------
    a, b : numpy.ndarray of int64
        The handles of the lower and of the higher object.
    t : numpy.ndarray of float32
        When, from 0 to 1: the exact time rounded once; never -0.
    point : numpy.ndarray of float32, or of float64 in a world with an origin, (n, 3)
        A common point of both then, metres.
    normal : numpy.ndarray of float32, (n, 3)
        The unit normal of `b` where `a` hits it; zero where they overlap at the start.
    overlap : numpy.ndarray of bool
        Whether they overlap at the start.
    a_part, b_part : numpy.ndarray of int32
        The part of each that is hit; -1 for an object that is one solid.
    a_triangle, b_triangle : numpy.ndarray of int64
        The triangle of each that is hit; -1 for solids.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> for x in (0, 4):
    ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1))
    >>> world.update()
    >>> impacts = world.shape_impacts([0, 1], [[1, 0, 0], [-3, 0, 0]])
    >>> impacts.t, impacts.point.tolist()
    (array([0.5], dtype=float32), [[1.5, 0.0, 0.0]])
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    t: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    overlap: NDArray[np.bool_]
    a_part: NDArray[np.int32]
    a_triangle: NDArray[np.int64]
    b_part: NDArray[np.int32]
    b_triangle: NDArray[np.int64]


class OverlapQueries:
    """Queries about pairs of objects and about regions, which worlds have."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    @overload
    def overlaps(
        self,
        *,
        exact: Literal[True] = True,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        threads: int | None = None,
    ) -> Overlaps: ...

    @overload
    def overlaps(
        self,
        *,
        exact: Literal[False],
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        threads: int | None = None,
    ) -> BoxPairs: ...

    def overlaps(
        self,
        *,
        exact: bool = True,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        threads: int | None = None,
    ) -> Overlaps | BoxPairs:
        """Return all pairs of objects that overlap, and how.

        Decided exactly on the triangles in world space. Where a closed surface or a solid holds
        another object whole, that is one element without triangles.

        Parameters
        ----------
        exact : bool, optional
            Whether shapes decide; else boxes do, as in `broad_phase_pairs`.
        layers : int, optional
            Only objects in one of these layers count, a bit each.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not count.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        Overlaps or BoxPairs
            One element for each pair of triangles or solids; or for each pair of boxes.

        Raises
        ------
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 1.5, 9):
        ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1))
        >>> world.update()
        >>> overlaps = world.overlaps()
        >>> overlaps.a, overlaps.b, overlaps.kind
        (array([0]), array([1]), array([0], dtype=int8))
        """
        if not exact:
            return self.broad_phase_pairs(layers=layers, ignore=ignore)
        view = self._view()
        columns = _hitscan.overlaps(view, None, seen_objects(layers, ignore), threads)
        return Overlaps(view.names, *columns)

    def overlaps_of(
        self,
        one: int | str,
        other: int | str,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> Overlaps:
        """Return how two objects overlap: their part of `overlaps`.

        Parameters
        ----------
        one, other : int or str
            Handles or names, in either order.
        layers, ignore
            As for `overlaps`.

        Returns
        -------
        Overlaps
            Empty where they are apart, where one does not count, and of an object with itself.

        Raises
        ------
        KeyError
            For an object that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 1.5, 9):
        ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1))
        >>> world.update()
        >>> len(world.overlaps_of(1, 0)), len(world.overlaps_of(0, 2))
        (1, 0)
        """
        view = self._view()
        columns = _hitscan.overlaps(view, (one, other), seen_objects(layers, ignore), 1)
        return Overlaps(view.names, *columns)

    def broad_phase_pairs(
        self, *, layers: int = ALL_LAYERS, ignore: Ignored = ()
    ) -> BoxPairs:
        """Return all pairs of objects whose boxes touch or overlap.

        Parameters
        ----------
        layers, ignore
            As for `overlaps`.

        Returns
        -------
        BoxPairs
            In order of the lower object, then the higher.

        Raises
        ------
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        The boxes of two balls overlap at a corner, and the balls do not.

        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 1.5):
        ...     _ = world.add(hitscan.Sphere([x, x, 0], 1))
        >>> world.update()
        >>> len(world.broad_phase_pairs()), len(world.overlaps())
        (1, 0)
        """
        view = self._view()
        columns = _hitscan.broad_phase_pairs(view, seen_objects(layers, ignore))
        return BoxPairs(view.names, *columns)

    def objects_in(
        self,
        min: ArrayLike,
        max: ArrayLike,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> ObjectsIn:
        """Return the objects whose boxes touch or overlap each region.

        Parameters
        ----------
        min, max : array_like, (..., 3)
            The regions' minimum and maximum corners, metres. They broadcast.
        layers, ignore, threads
            As for `overlaps`.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no region (NaN, a minimum corner beyond the maximum): a
            `ValueError`, or no objects.

        Returns
        -------
        ObjectsIn
            Flat arrays, those in the first region first.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no region, with its index.
        TypeError
            For what is no array of real numbers.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 1, 5):
        ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]), name=f"crate {x}")
        >>> world.update()
        >>> world.objects_in([1.5, 0, 0], [5, 1, 1]).object_names
        array(['crate 1', 'crate 5'], dtype=object)
        """
        view = self._view()
        found, question, splits = _hitscan.objects_in(
            view, min, max, seen_objects(layers, ignore), invalid, threads
        )
        return ObjectsIn(view.names, question, len(splits) - 1, found)

    def impacts(
        self,
        objects: Sequence[int | str] | NDArray[np.integer],
        motions: ArrayLike,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> Impacts:
        """Return all pairs of objects whose boxes collide while t goes from 0 to 1.

        The times are exact. Pairs that both rest are omitted.

        Parameters
        ----------
        objects : sequence of int or str
            Handles or names of the objects that move; of one that is named twice the last motion
            counts. The others rest.
        motions : array_like, (n, 3)
            How far each moves, metres.
        layers, ignore
            As for `overlaps`.

        Returns
        -------
        Impacts
            In order of time, then of the objects.

        Raises
        ------
        ValueError
            For a motion that is not finite, or of which there is not one for each object.
        KeyError
            For an object that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 3):
        ...     _ = world.add(hitscan.Box([x, 0, 0], [x + 1, 1, 1]))
        >>> world.update()
        >>> world.impacts([0, 1], [[1, 0, 0], [-3, 0, 0]]).t
        array([0.5], dtype=float32)
        """
        view = self._view()
        seen = seen_objects(layers, ignore)
        return Impacts(view.names, *_hitscan.impacts(view, listed(objects)[0], motions, seen))

    def shape_impacts(
        self,
        objects: Sequence[int | str] | NDArray[np.integer],
        motions: ArrayLike,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> ShapeImpacts:
        """Return all pairs of objects that collide while t goes from 0 to 1: `impacts` by their triangles and solids.

        Of a pair the lower object is moved among the higher as `cast_objects` moves it, by the difference of their
        motions; against terrain the other one is moved. Pairs that both rest are omitted, and pairs of terrains.

        Parameters
        ----------
        objects, motions, layers, ignore
            As for `impacts`.

        Returns
        -------
        ShapeImpacts
            In order of time, then of the objects.

        Raises
        ------
        ValueError, KeyError
            As `impacts`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> _ = world.add(hitscan.Sphere([4, 1.5, 0], 1), name="other")
        >>> world.update()
        >>> impacts = world.shape_impacts(["ball"], [[8, 0, 0]])
        >>> impacts.a_names.tolist(), round(float(impacts.t[0]), 3)
        (['ball'], 0.335)
        """
        view = self._view()
        seen = seen_objects(layers, ignore)
        return ShapeImpacts(view.names, *_hitscan.shape_impacts(view, listed(objects)[0], motions, seen))
