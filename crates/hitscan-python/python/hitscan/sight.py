"""Who sees whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .georeference import Coordinates, is_map, world_points
from .past import view_at

__all__ = ["Blockers", "SightQueries"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Blockers(Answer):
    """The first things between points: an array for each field, in the shape of the questions.

    Attributes
    ----------
    blocked : numpy.ndarray of bool
        Whether anything is between.
    t : numpy.ndarray of float32
        Where it begins on the way, from 0 at the eye to 1 at the target; inf where they see each
        other. Of a triangle the exact value rounded once.
    object : numpy.ndarray of int64
        The handle of the object; -1 where they see each other.
    part : numpy.ndarray of int32
        The part of a model; -1 for solids.
    triangle : numpy.ndarray of int64
        The triangle of the part; -1 for solids.
    status : numpy.ndarray of int8
        A `Status` each.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]), name="wall")
    >>> world.update()
    >>> blockers = world.first_blocker([0, 1.7, 0], [[8, 1.7, 0], [8, 9, 0]])
    >>> blockers.t, blockers.object_names
    (array([0.5, inf], dtype=float32), array(['wall', None], dtype=object))
    """

    blocked: NDArray[np.bool_]
    t: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects, an array of str; None where points see each other."""
        return self._names_of(self.object)


class SightQueries:
    """Queries about lines of sight, which worlds have.

    Two points do not see each other where a triangle has a point of the segment between them, both
    ends excluded: its edges and corners belong to it, and it does not hide what is in its own
    plane; nor where a point of the segment is strictly inside a solid, which touching it is not. A
    point whose y is the f32 nearest to the exact height of a terrain's triangle counts as on it,
    so eyes and feet on the ground see over it. Exact: no direction is rounded, and the order of the
    points does not matter.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def is_visible(
        self,
        eyes: ArrayLike,
        targets: ArrayLike,
        *,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each eye and its target see each other.

        Parameters
        ----------
        eyes, targets : array_like, (..., 3)
            Points, metres. They broadcast.
        coordinates : {"world", "map"}, optional
            What points are: (x, y, z), or of a map (easting,
            northing, height), as for `height`.
        layers : int, optional
            Only objects in one of these layers hide, a bit each.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not hide.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of points that are not finite: a `ValueError`, or they see nothing.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the questions.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for points that are not finite, with their index.
        TypeError
            For what is no array of real numbers.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        Exactly over its edge a wall does not hide: to touch is not to be blocked.

        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]))
        >>> world.update()
        >>> world.is_visible([[0, 1.7, 0], [0, 3, 0]], [[8, 1.7, 0], [8, 3, 0]])
        array([False,  True])
        """
        view = view_at(self, ticks)
        if is_map(coordinates):
            eyes = world_points(view, "eyes", eyes)
            targets = world_points(view, "targets", targets)
        return _hitscan.is_visible(
            view, eyes, targets, seen_objects(layers, ignore), invalid, threads
        )

    def first_blocker(
        self,
        eyes: ArrayLike,
        targets: ArrayLike,
        *,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Blockers:
        """Return the first thing that hides each target from its eye, on the way from the eye.

        Of several with the same t that of the lowest object answers, then of the lowest part, then
        of the lowest triangle.

        Parameters
        ----------
        eyes, targets, coordinates, layers, ignore, ticks, threads
            As for `is_visible`.
        invalid : {"raise", "mark"}, optional
            What becomes of points that are not finite: a `ValueError`, or the status
            `Status.INVALID`.

        Returns
        -------
        Blockers
            Arrays in the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `is_visible`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]), name="wall")
        >>> world.update()
        >>> blocker = world.first_blocker([0, 1.7, 0], [8, 1.7, 0])
        >>> float(blocker.t), blocker.object_names.item()
        (0.5, 'wall')
        """
        view = view_at(self, ticks)
        if is_map(coordinates):
            eyes = world_points(view, "eyes", eyes)
            targets = world_points(view, "targets", targets)
        columns = _hitscan.first_blocker(
            view, eyes, targets, seen_objects(layers, ignore), invalid, threads
        )
        return Blockers(view.names, *columns)

    def visible_pairs(
        self,
        eyes: ArrayLike,
        targets: ArrayLike,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return which of the targets each of the eyes sees.

        Parameters
        ----------
        eyes : array_like, (n, 3)
            Points, metres.
        targets : array_like, (m, 3)
            Points, metres.
        layers, ignore, invalid, threads
            As for `is_visible`.

        Returns
        -------
        numpy.ndarray of bool, (n, m)
            Whether eye k and target l see each other.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `is_visible`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]))
        >>> world.update()
        >>> world.visible_pairs([[0, 1, 0], [0, 9, 0]], [[8, 1, 0], [4, 9, 0], [3, 1, 0]])
        array([[False,  True,  True],
               [ True,  True,  True]])
        """
        pairs = _pairs(eyes, targets)
        return self.is_visible(
            *pairs, layers=layers, ignore=ignore, invalid=invalid, threads=threads
        )

    def first_blockers(
        self,
        eyes: ArrayLike,
        targets: ArrayLike,
        *,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Blockers:
        """Return the first thing between each of the eyes and each of the targets.

        Parameters
        ----------
        eyes : array_like, (n, 3)
            Points, metres.
        targets : array_like, (m, 3)
            Points, metres.
        layers, ignore, invalid, threads
            As for `first_blocker`.

        Returns
        -------
        Blockers
            Arrays of shape (n, m).

        Raises
        ------
        ValueError, TypeError, KeyError
            As `is_visible`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]))
        >>> world.update()
        >>> world.first_blockers([[0, 1, 0]], [[8, 1, 0], [8, 9, 0], [16, 1, 0]]).t
        array([[0.5 ,  inf, 0.25]], dtype=float32)
        """
        pairs = _pairs(eyes, targets)
        return self.first_blocker(
            *pairs, layers=layers, ignore=ignore, invalid=invalid, threads=threads
        )


def _pairs(eyes: ArrayLike, targets: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return views in which each eye is paired with each target."""
    one, other = np.asarray(eyes), np.asarray(targets)
    for name, points in (("eyes", one), ("targets", other)):
        if points.shape != (0,) and (points.ndim != 2 or points.shape[1] != 3):
            raise ValueError(f"{name}: expected an array of shape (n, 3), found {points.shape}")
    return one.reshape(-1, 1, 3), other.reshape(1, -1, 3)
