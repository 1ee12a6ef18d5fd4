"""The ground under discs and rectangles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .past import view_at

__all__ = ["FootprintQueries", "Footprints"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Footprints(Answer):
    """The ground under footprints: an array for each field, in the shape of the questions.

    Heights are float64 where the points are, else float32, and NaN without ground. The plane is
    that with the least mean squared difference in height.

    Attributes
    ----------
    status : numpy.ndarray of int8
        A `GroundStatus` each.
    height : numpy.ndarray
        The mean height over the ground's area, metres.
    normal : numpy.ndarray of float32, (..., 3)
        The upward unit normal of the plane.
    object : numpy.ndarray of int64
        The handle of the terrain; -1 without a world, and where there is none.
    min, max : numpy.ndarray
        The minimum and the maximum height, metres.
    slope : numpy.ndarray of float32
        The plane's angle to the horizontal, radians.
    plane : numpy.ndarray
        The plane's height at the footprint's middle, metres.
    coverage : numpy.ndarray of float32
        The ground's area over the footprint's, 0 to 1.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> slope = hitscan.HeightField(np.tile(np.arange(5) / 2, (5, 1)))
    >>> ground = slope.footprints([2.0, 2.0], radius=1.5)
    >>> float(ground.height), float(ground.min), float(ground.max), float(ground.coverage)
    (1.0, 0.25, 1.75, 1.0)
    """

    status: NDArray[np.int8]
    height: NDArray[np.float64] | NDArray[np.float32]
    normal: NDArray[np.float32]
    object: NDArray[np.int64]
    min: NDArray[np.float64] | NDArray[np.float32]
    max: NDArray[np.float64] | NDArray[np.float32]
    slope: NDArray[np.float32]
    plane: NDArray[np.float64] | NDArray[np.float32]
    coverage: NDArray[np.float32]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the terrains, an array of str; None where there is none."""
        return self._names_of(self.object)


class FootprintQueries:
    """Queries about areas of the ground, which worlds and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def footprints(
        self,
        points: ArrayLike,
        *,
        radius: ArrayLike | None = None,
        half_sizes: tuple[ArrayLike, ArrayLike] | None = None,
        angle: ArrayLike = 0.0,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Footprints:
        """Return the ground under discs or rectangles: of the surface itself, not its samples.

        Of several terrains that with the largest `max` answers, of equal ones the lowest object.
        `height`, `min`, `max` and `plane` are within one ulp of f32, or 2^-36 of the largest |y|
        and difference in height there; `coverage` is within 2^-20.

        Parameters
        ----------
        points : array_like, (..., 2) or (..., 3)
            The middles (x, z), metres; or (x, y, z), of which y does not matter.
        radius : array_like, optional
            Of discs, metres, positive: one for all or one for each.
        half_sizes : (array_like, array_like), optional
            Half the sizes of rectangles along their own sides, metres, positive.
        angle : array_like, optional
            By how much rectangles are turned about +Y, radians: the first side points to (cos, 0,
            -sin).
        layers : int, optional
            Only terrains in one of these layers count, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of terrains that do not count; worlds only.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question: a `ValueError`, or the status
            `GroundStatus.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        Footprints
            Arrays in the shape of the points.

        Raises
        ------
        ValueError
            For both or neither of `radius` and `half_sizes`, and as `height`.
        TypeError, KeyError
            As `height`.

        Examples
        --------
        Half of the car is off the map.

        >>> import numpy as np, hitscan
        >>> slope = hitscan.HeightField(np.tile(np.arange(5) / 2, (5, 1)))
        >>> cars = slope.footprints([[0.0, 2.0], [2.0, 2.0]], half_sizes=(1.0, 0.5))
        >>> cars.coverage
        array([0.5, 1. ], dtype=float32)
        """
        view = view_at(self, ticks)
        sides = None if half_sizes is None else tuple(half_sizes)
        columns = _hitscan.footprints(
            view,
            points,
            (radius, sides, angle),
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        return Footprints(view.names, *columns)
