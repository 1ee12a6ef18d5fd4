"""How high the ground is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Answer, Invalid, asked_for
from .filters import ALL_LAYERS, Ignored, field_names, seen_objects
from .georeference import Coordinates, height_offset, is_map, map_points, split_points
from .past import view_at

__all__ = ["GroundStatus", "HeightQueries", "Heights"]


class GroundStatus(IntEnum):
    """What there is at a point of the ground.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> ground = hitscan.HeightField(np.zeros((3, 3)))
    >>> hitscan.GroundStatus(int(ground.height([9, 9]).status))
    <GroundStatus.OUTSIDE: 0>
    """

    #: The point is on no map.
    OUTSIDE = 0
    #: There is ground.
    OK = 1
    #: The row is no question, and ``invalid="mark"`` was given.
    INVALID = 2
    #: The map has no height there.
    HOLE = 3
    #: The point is on a map, and no sample lies within the radius.
    EMPTY = 4


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Heights(Answer):
    """How high the ground is: an array for each field, in the shape of the questions.

    Only the requested `fields` are there.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> ground = hitscan.HeightField([[0, 1, 2], [0, 1, np.nan]])
    >>> heights = ground.height([[0.5, 0.5], [1.75, 0.75], [7, 0]])
    >>> heights.height
    array([0.5, nan, nan])
    >>> heights.status
    array([1, 3, 0], dtype=int8)
    """

    _ROWS: ClassVar[Mapping[str, int]] = {"_normal": 1}

    _status: NDArray[np.int8] | None
    _height: NDArray[np.float64] | NDArray[np.float32] | None
    _normal: NDArray[np.float32] | None
    _object: NDArray[np.int64] | None
    _triangle: NDArray[np.int64] | None

    @property
    def status(self) -> NDArray[np.int8]:
        """What there is, a `GroundStatus` each, int8."""
        return asked_for("status", self._status)

    @property
    def height(self) -> NDArray[np.float64] | NDArray[np.float32]:
        """The y of the ground, metres, float64 or float32 as the points; NaN where there is none."""
        return asked_for("height", self._height)

    @property
    def normal(self) -> NDArray[np.float32]:
        """The unit normals of the triangles at the points, which point up, (..., 3) float32.

        NaN without a triangle, as of means.
        """
        return asked_for("normal", self._normal)

    @property
    def object(self) -> NDArray[np.int64]:
        """The handles of the terrains, int64; -1 without a world, and where there is none."""
        return asked_for("object", self._object)

    @property
    def triangle(self) -> NDArray[np.int64]:
        """The triangles at the points, int64; -1 without one."""
        return asked_for("triangle", self._triangle)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are there."""
        return tuple(name.removeprefix("_") for name in self._arrays())

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the terrains, an array of str; None where there is none."""
        return self._names_of(self.object)


class HeightQueries:
    """Queries about the height of the ground, which worlds and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def height(
        self,
        points: ArrayLike,
        *,
        method: Literal["exact", "max", "mean"] = "exact",
        radius: ArrayLike | None = None,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        fields: Iterable[str] | None = None,
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Heights:
        """Return the height of the ground at each point.

        The height of a triangle's plane: exact, not bilinear. Computed in f64 and rounded once; at
        a sample it is the sample. Of several terrains the highest answers, of equally high ones
        the lowest object; without ground a hole comes before being outside.

        Parameters
        ----------
        points : array_like, (..., 2) or (..., 3)
            Points (x, z), metres; or (x, y, z), of which y does not matter.
        method : {"exact", "max", "mean"}, optional
            The surface at the point, or the highest or the mean of the samples within `radius`.
        radius : array_like, optional
            Metres, for "max" and "mean": one for all or one for each point.
        coordinates : {"world", "map"}, optional
            What points are: (x, z), or of a map (easting, northing), which heights then are too. Of
            terrain and worlds in Python x is east and z is south, so that z = -northing; a world of a
            scene file has the map that its file says.
        layers : int, optional
            Only terrains in one of these layers count, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of terrains that do not count; worlds only.
        fields : sequence of str, optional
            The fields of `Heights` that are answered; by default all. Without ``"normal"`` and
            ``"triangle"`` points are answered several at a time, which is much quicker.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question (NaN, a negative radius): a `ValueError`, or
            the status `GroundStatus.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        Heights
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
        >>> import numpy as np, hitscan
        >>> world = hitscan.World()
        >>> slope = hitscan.HeightField(np.tile(np.arange(5.0), (5, 1)))
        >>> _ = world.add(slope, name="slope")
        >>> world.update()
        >>> world.height([[0.5, 2.0], [3.25, 1.0]]).height
        array([0.5 , 3.25])
        >>> float(world.height([2.0, 2.0], method="max", radius=1.0).height)
        3.0
        >>> world.height([[0.5, 2.0], [3.25, 1.0]], fields=["height"]).fields
        ('height',)
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        columns = _hitscan.heights(
            view,
            map_points(view, *split_points(points)) if on_map else points,
            method,
            radius,
            seen_objects(layers, ignore),
            field_names(fields),
            invalid,
            threads,
        )
        if on_map and columns[1] is not None and (offset := height_offset(view)):
            columns[1][...] += offset
        return Heights(view.names, *columns)

    def elevations_at(
        self,
        easting: ArrayLike,
        northing: ArrayLike,
        *,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.float64]:
        """Return how high the ground is at points of a map, as `height` with ``coordinates="map"``.

        Parameters
        ----------
        easting, northing : array_like
            The coordinates of the map, which broadcast: metres, or longitude and latitude of a world
            whose scene file lies in degrees.
        invalid : {"raise", "mark"}, optional
            What becomes of points that are not finite: a `ValueError`, or NaN.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        numpy.ndarray of float64
            Metres, in the shape of the points; NaN outside and over holes.

        Raises
        ------
        ValueError, TypeError
            As `height`; and for a world of a scene file that lies on no map.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> origin = [500000, 0, -6200000]
        >>> terrain = hitscan.HeightField([[0, 1], [2, 3]], 10, origin, local_origin=origin)
        >>> terrain.elevations_at([500000, 500005], 6199995)
        array([1. , 1.5])
        """
        points = np.stack(np.broadcast_arrays(easting, northing), axis=-1)
        found = self.height(points, coordinates="map", fields="height", invalid=invalid, threads=threads)
        return found.height.astype(np.float64, copy=False)
