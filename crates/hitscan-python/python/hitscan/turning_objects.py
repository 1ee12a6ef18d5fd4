"""What turning objects come to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .distances import OneOrMore, listed
from .filters import ALL_LAYERS, Ignored, seen_objects
from .past import view_at

__all__ = ["TurningObjectHits", "TurningObjectQueries"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TurningObjectHits(Answer):
    """What turning objects come to first: an array for each field, in the shape of the questions.

    Attributes
    ----------
    hit, t, gap, point, normal, object, part, triangle, status : numpy.ndarray
        As of `TurningHits`.
    mover_part : numpy.ndarray of int32
        The part of the mover that is nearest; -1 for a mover that is one solid, and of a miss.
    mover_triangle : numpy.ndarray of int64
        The triangle of the mover that is nearest; -1 for solids, and of a miss.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> world = hitscan.World()
    >>> gate = hitscan.TriMesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
    >>> _ = world.add(gate, name="gate")
    >>> _ = world.add(hitscan.Sphere([1, 0.5, -1], 0.25), name="ball")
    >>> swing = world.cast_turning_objects("gate", [0, 1, 0], np.pi / 2, pivot=[0, 0, 0])
    >>> swing.object_names.item(), int(swing.mover_triangle), bool(swing.gap <= 2e-4)
    ('ball', 0, True)
    """

    hit: NDArray[np.bool_]
    t: NDArray[np.float32]
    gap: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]
    mover_part: NDArray[np.int32]
    mover_triangle: NDArray[np.int64]
    status: NDArray[np.int8]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are come to, an array of str; None of a miss."""
        return self._names_of(self.object)


class TurningObjectQueries:
    """Queries about objects that turn among the others, of worlds."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_turning_objects(
        self,
        objects: OneOrMore,
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
    ) -> TurningObjectHits:
        """Return what each object comes to first, were it turned while it moves: with all its triangles and parts.

        A point x of it is at ``pivot + t * motion + R(t * angle) (x - pivot)``, where R turns about the axis by the
        right-hand rule. Nothing is overlapped before `t`, however fast it turns: that is proved. The world does not
        change.

        Parameters
        ----------
        objects : int, str or sequence of these
            The objects that turn: handles or names; one for all turns, or one for each.
        axis, angle, motion, tolerance
            As for `cast_turnings`.
        pivot : array_like, (..., 3), optional
            A point of the axis at t = 0, metres; by default the middle of the box around each object.
        layers, ignore, ticks, invalid, threads
            As for `cast_shapes`.

        Returns
        -------
        TurningObjectHits
            Arrays in the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_turnings`; `KeyError` for a mover that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([-2, 0, -0.25], [2, 1, 0.25]), name="beam")
        >>> _ = world.add(hitscan.Cylinder([0, 0, 1.5], [0, 3, 1.5], 0.25), name="post")
        >>> world.cast_turning_objects("beam", [0, 1, 0], [2.0, 0.5]).hit
        array([ True, False])
        """
        view = view_at(self, ticks)
        columns = _hitscan.cast_turning_objects(
            view,
            *listed(objects),
            (motion, axis, angle, pivot, tolerance),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        return TurningObjectHits(view.names, *columns)
