"""What thrown things hit."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Invalid
from .filters import ALL_LAYERS, Ignored, field_names, seen_objects
from .hits import RayHits
from .past import view_at
from .rays import Sides

__all__ = ["GRAVITY", "ArcQueries"]

#: Standard gravity where +Y is up, m/s².
GRAVITY = (0.0, -9.81, 0.0)


class ArcQueries:
    """Queries about ballistic arcs, which worlds, meshes and terrain have alike.

    An arc is ``origin + velocity * t + acceleration * t**2 / 2`` with ``t_min <= t <= t_max``, both
    ends included, t in seconds: the path of a thrown thing without drag. One without acceleration
    has the answers of a ray.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def cast_arcs(
        self,
        origins: ArrayLike,
        velocities: ArrayLike,
        *,
        acceleration: ArrayLike = GRAVITY,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        fields: Iterable[str] | None = None,
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> RayHits:
        """Return the first hit of each arc.

        Of hits with the same t that of the lowest object counts, then of the lowest part, then of
        the lowest triangle.

        Parameters
        ----------
        origins : array_like, (..., 3)
            Where the arcs are at t = 0, metres.
        velocities : array_like, (..., 3)
            Their velocities at t = 0, m/s. They broadcast with the origins.
        acceleration : array_like, (..., 3), optional
            m/s²; by default gravity where +Y is up. One for all or one for each.
        t_min, t_max : array_like, optional
            The range of t, seconds, one for all or one for each arc; by default from 0 to infinity.
        sides : {"both", "front", "back"}, optional
            Which sides of surfaces are hit.
        layers : int, optional
            Only objects in one of these layers are hit, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of objects that are passed through; worlds only.
        fields : sequence of str, optional
            The fields that are answered, as for `cast_rays`.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no arc (NaN, ``t_min > t_max``): a `ValueError`, or the
            status `Status.INVALID`.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        RayHits
            Arrays in the shape of the arcs; t in seconds, the distance as the crow flies.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no arc, with its index.
        TypeError
            For what is no array of real numbers.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((2, 101)))
        >>> shots = [[15, 20, 0], [0, 30, 0]]
        >>> hits = ground.cast_arcs([0, 0, 0.5], shots, acceleration=[0, -10, 0], t_min=1e-3)
        >>> hits.t, hits.point[0].tolist()
        (array([4., 6.], dtype=float32), [60.0, 0.0, 0.5])
        """
        view = view_at(self, ticks)
        columns = _hitscan.cast_arcs(
            view,
            (origins, velocities, acceleration, t_min, t_max),
            sides,
            seen_objects(layers, ignore),
            field_names(fields),
            invalid,
            threads,
        )
        return RayHits(columns, view.names)

    def cast_arcs_any(
        self,
        origins: ArrayLike,
        velocities: ArrayLike,
        *,
        acceleration: ArrayLike = GRAVITY,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each arc hits anything.

        The answer is always that of ``cast_arcs(...).hit``, sooner.

        Parameters
        ----------
        origins, velocities, acceleration, t_min, t_max, sides, layers, ignore, ticks, threads
            As for `cast_arcs`.
        invalid : {"raise", "mark"}, optional
            As for `cast_arcs`; a row that is no arc hits nothing.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the arcs.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `cast_arcs`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([10, 0, -5], [11, 3, 5]))
        >>> world.update()
        >>> world.cast_arcs_any([0, 1, 0], [[10, 5, 0], [10, 9, 0]])
        array([ True, False])
        """
        return _hitscan.cast_arcs_any(
            view_at(self, ticks),
            (origins, velocities, acceleration, t_min, t_max),
            sides,
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
