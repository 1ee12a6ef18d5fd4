"""What turning solids come to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .past import view_at
from .shape_arrays import Shapes, given_shapes

__all__ = ["TurningHits", "TurningQueries", "TurningStatus"]


class TurningStatus(IntEnum):
    """What was found of a turning solid.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.TurningStatus(1)
    <TurningStatus.HIT: 1>
    """

    #: It comes to nothing.
    MISS = 0
    #: Nothing is overlapped before `t`, and there something is as near as `gap`.
    HIT = 1
    #: The row is no question.
    INVALID = 2
    #: It overlaps something at the start.
    OVERLAP = 3
    #: Nothing is overlapped up to `t`; beyond, nothing is proved.
    UNDECIDED = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TurningHits(Answer):
    """What turning solids come to first: an array for each field, in the shape of the questions.

    Attributes
    ----------
    hit : numpy.ndarray of bool
        Whether the status is a hit or an overlap.
    t : numpy.ndarray of float32
        When, from 0 to 1, rounded down: nothing is overlapped before, which is proved. inf of a miss.
    gap : numpy.ndarray of float32
        How far apart they are at `t` at most, metres: the tolerance or less. NaN of a miss.
    point : numpy.ndarray of float32, or of float64 as the shapes, (..., 3)
        The obstacle's point that is nearest then, metres. NaN of a miss.
    normal : numpy.ndarray of float32, (..., 3)
        The unit direction along which they are apart then, from the obstacle to the solid; 0 where they overlap
        at the start. NaN of a miss.
    object : numpy.ndarray of int64
        The handle of the object; -1 without a world, and of a miss.
    part : numpy.ndarray of int32
        The part of a model or a compound; -1 for solids, and of a miss.
    triangle : numpy.ndarray of int64
        The triangle of the part; -1 for solids, and of a miss.
    status : numpy.ndarray of int8
        A `TurningStatus` each.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Sphere([0.5, 1, -0.5], 0.25), name="ball")
    >>> door = hitscan.Box([0, 0, -0.025], [1, 2, 0.025])
    >>> swing = world.cast_turnings(door, [0, 1, 0], np.pi / 2, pivot=[0, 0, 0])
    >>> swing.object_names.item(), bool(0.2 < swing.t < 0.3)
    ('ball', True)
    """

    hit: NDArray[np.bool_]
    t: NDArray[np.float32]
    gap: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are come to, an array of str; None of a miss."""
        return self._names_of(self.object)


class TurningQueries:
    """Queries about solids that turn while they move, which worlds, meshes and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_turnings(
        self,
        shapes: Shapes,
        axis: ArrayLike,
        angle: ArrayLike,
        *,
        motion: ArrayLike = (0.0, 0.0, 0.0),
        pivot: ArrayLike | None = None,
        tolerance: ArrayLike | None = None,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> TurningHits:
        """Return what each solid comes to first that turns while it moves.

        A point x of the solid is at ``pivot + t * motion + R(t * angle) (x - pivot)``, where R turns about the
        axis by the right-hand rule. Nothing is overlapped before `t`, however fast it turns: that is proved.

        Parameters
        ----------
        shapes : Primitive, sequence of Primitive, Spheres, Boxes, OrientedBoxes, Capsules or Cylinders
            The solids at t = 0. They broadcast against the other arrays.
        axis : array_like, (..., 3)
            The axis of the turn, of any length.
        angle : array_like, (...)
            By how much it has turned at t = 1, radians; several turns are allowed.
        motion : array_like, (..., 3), optional
            How far the axis moves while t goes from 0 to 1, metres.
        pivot : array_like, (..., 3), optional
            A point of the axis at t = 0, metres; by default the middle of the box around each solid.
        tolerance : array_like, (...), optional
            How near the solid comes to what it hits, metres; by default a ten-thousandth of the longest side of the
            box around it.
        layers, ignore, ticks, invalid, threads
            As for `cast_shapes`.

        Returns
        -------
        TurningHits
            Arrays in the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_shapes`; `ValueError` for a zero axis with an angle, and for a tolerance that is not positive.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((9, 9)))
        >>> beam = hitscan.Box([2, 1, 3.9], [6, 1.1, 4.1])
        >>> ground.cast_turnings(beam, [0, 0, 1], [np.pi / 2, 0.1]).hit
        array([ True, False])
        """
        view = view_at(self, ticks)
        columns = _hitscan.cast_turnings(
            view,
            given_shapes(shapes),
            (motion, axis, angle, pivot, tolerance),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        return TurningHits(view.names, *columns)
