"""What moving objects hit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .distances import OneOrMore, listed
from .filters import ALL_LAYERS, Ignored, seen_objects
from .past import view_at
from .rays import Sides

__all__ = ["ObjectCastQueries", "ObjectHits"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ObjectHits(Answer):
    """What moving objects hit: an array for each field, in the shape of the questions.

    Attributes
    ----------
    hit, t, point, normal, object, part, triangle, side, start, separation, way_out, status : numpy.ndarray
        As of `ShapeHits`.
    mover_part : numpy.ndarray of int32
        The part of the mover that hits; -1 for a mover that is one solid, and of a miss.
    mover_triangle : numpy.ndarray of int64
        The triangle of the mover that hits; -1 for solids, and of a miss.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> sheet = hitscan.TriMesh([[0, 0, 0], [0, 2, 0], [0, 0, 2]], [[0, 1, 2]])
    >>> _ = world.add(sheet, name="sail")
    >>> _ = world.add(hitscan.Box([4, 0, 0], [5, 9, 9]), name="wall")
    >>> hit = world.cast_objects("sail", [8, 0, 0])
    >>> float(hit.t), hit.object_names.item(), int(hit.mover_triangle)
    (0.5, 'wall', 0)
    """

    hit: NDArray[np.bool_]
    t: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    mover_part: NDArray[np.int32]
    mover_triangle: NDArray[np.int64]
    side: NDArray[np.int8]
    start: NDArray[np.int8]
    separation: NDArray[np.float32]
    way_out: NDArray[np.float32]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are hit, an array of str; None of a miss."""
        return self._names_of(self.object)


class ObjectCastQueries:
    """Queries about objects that move among the others, of worlds."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_objects(
        self,
        objects: OneOrMore,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> ObjectHits:
        """Return what each object hits first, were it moved: with all its triangles and parts, as placed.

        It is translated in a straight line while t goes from 0 to 1, and does not turn. The world does not change.

        Parameters
        ----------
        objects : int, str or sequence of these
            The objects that move: handles or names; one for all motions, or one for each.
        motion : array_like, (..., 3)
            How far they move while t goes from 0 to 1, metres.
        sides, initial_overlap, overlaps, layers, ignore, ticks, invalid, threads
            As for `cast_shapes`.

        Returns
        -------
        ObjectHits
            Arrays in the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_shapes`; `KeyError` for a mover that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([2.5, 0, 0], [4, 2, 2]), name="door frame")
        >>> _ = world.add(hitscan.Cylinder([0, 0, 1], [0, 3, 1], 0.5), name="wardrobe")
        >>> hits = world.cast_objects("wardrobe", [[4, 0, 0], [-4, 0, 0]])
        >>> hits.t, hits.object_names.tolist()
        (array([0.5, inf], dtype=float32), ['door frame', None])
        """
        view = view_at(self, ticks)
        columns = _hitscan.cast_objects(
            view,
            *listed(objects),
            motion,
            (sides, initial_overlap, overlaps),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        return ObjectHits(view.names, *columns)

    def cast_objects_any(
        self,
        objects: OneOrMore,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each object would hit anything: ``cast_objects(...).hit``, sooner.

        Parameters
        ----------
        objects, motion, sides, initial_overlap, overlaps, layers, ignore, ticks, invalid, threads
            As for `cast_objects`.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_objects`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([3, 0, 0], [4, 2, 2]))
        >>> ball = world.add(hitscan.Sphere([0, 1, 1], 1))
        >>> world.cast_objects_any(ball, [[4, 0, 0], [1, 0, 0]])
        array([ True, False])
        """
        view = view_at(self, ticks)
        return _hitscan.cast_objects_any(
            view,
            *listed(objects),
            motion,
            (sides, initial_overlap, overlaps),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
