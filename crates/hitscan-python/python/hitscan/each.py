"""Many worlds at once, such as the environments of reinforcement learning."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _hitscan
from .filters import ALL_LAYERS, Ignored, field_names, seen_objects
from .hits import RayHits, former_columns
from .rays import Sides, Start
from .world import World

__all__ = ["cast_rays_each"]


def cast_rays_each(
    worlds: Sequence[World],
    origins: ArrayLike,
    directions: ArrayLike | None = None,
    *,
    t_min: ArrayLike = 0.0,
    t_max: ArrayLike = np.inf,
    sides: Sides = "both",
    start: Start = "solid",
    layers: int = ALL_LAYERS,
    ignore: Ignored = (),
    fields: Iterable[str] | None = None,
    out: RayHits | None = None,
    invalid: Literal["raise", "mark"] = "raise",
    threads: int | None = None,
) -> RayHits:
    """Return the nearest hit of each ray, each world with rays of its own.

    The answers are those of ``worlds[k].cast_rays(origins[k], directions[k])``, bit for bit, stacked: one
    call for thousands of small worlds, whose rays the threads share. Pending changes are made first, on
    threads too.

    Parameters
    ----------
    worlds : sequence of World
        The worlds, n of them.
    origins : array_like, (n, ..., 3) or (n, ..., 6)
        Where the rays begin, metres; with directions behind them where `directions` is None. The first axis
        counts the worlds.
    directions : array_like, (n, ..., 3), optional
        Where they go. It broadcasts with the origins: of shape (3,) it is one for all rays of all worlds.
    t_min, t_max, sides, start, layers, fields, out, invalid, threads
        As for `World.cast_rays`.
    ignore : iterable of int or str, optional
        Handles or names of objects that are passed through: each is looked up in every world.

    Returns
    -------
    RayHits
        Arrays in the shape of the rays. `object` has the handles of each ray's own world; there are no
        `object_names`.

    Raises
    ------
    ValueError, TypeError, KeyError
        As `World.cast_rays`; and for a first axis that does not count the worlds.
    PendingChangesError
        For a world of ``auto_update=False`` with pending changes.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> worlds = [hitscan.World() for _ in range(3)]
    >>> for height, world in enumerate(worlds):
    ...     _ = world.add(hitscan.Sphere([0, height, 0], 0.5))
    >>> down = np.tile([0.0, 9.0, 0.0, 0.0, -1.0, 0.0], (3, 2, 1))
    >>> hitscan.cast_rays_each(worlds, down).t
    array([[8.5, 8.5],
           [7.5, 7.5],
           [6.5, 6.5]], dtype=float32)
    """
    columns = _hitscan.cast_rays_each(
        [world._raw for world in worlds],
        [world.auto_update for world in worlds],
        origins,
        directions,
        (t_min, t_max),
        (sides, start, *seen_objects(layers, ignore)),
        field_names(fields),
        former_columns(out),
        invalid,
        threads,
    )
    return RayHits(columns)
