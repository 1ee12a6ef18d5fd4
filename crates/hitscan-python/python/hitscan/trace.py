"""What a ray's walk looks at, and what the ray comes near to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _hitscan
from .explain import _ray, approaches
from .filters import ALL_LAYERS, Ignored, seen_objects
from .rays import Sides, Start

__all__ = ["TraceQueries"]


class TraceQueries:
    """Looks at the walk of a single ray, which worlds have."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def trace_ray(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        limit: int = 1000,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[dict[str, Any]]:
        """Return what the walk of a ray looks at: each box, triangle and solid, in order.

        Parameters
        ----------
        origin, direction, t_min, t_max, sides, start, layers, ignore
            As for `explain_ray`.
        limit : int, optional
            How many are returned at most, the first ones.

        Returns
        -------
        list of dict
            Of each what was looked at (`what`, `depth`, `object`, `name`, `part`, `triangle`; -1
            and None where there is none), from when to when the ray's whole line is in it (`t`),
            what became of it (`verdict`) and that in words (`why`).

        Raises
        ------
        ValueError, KeyError
            As `explain_ray`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([2, -1, -1], [3, 1, 1]), name="near")
        >>> _ = world.add(hitscan.Box([2, 5, -1], [3, 6, 1]), name="beside")
        >>> world.update()
        >>> for look in world.trace_ray([0, 0, 0], [1, 0, 0]):
        ...     print(look["what"], look["name"], look["why"])
        world_node None the ray is in its box from t = 2 to 3
        object beside its box is missed
        object near the ray is in its box from t = 2 to 3
        solid near hit at t = 2, the best so far
        """
        view = self._view()
        ray = _ray(origin, direction, t_min, t_max)
        looks, _ = _hitscan.trace_ray(view, ray, (sides, start), limit, seen_objects(layers, ignore))
        names = view.names.of([look[2][0] for look in looks])
        return [
            {
                "what": what,
                "depth": depth,
                "object": object,
                "name": name,
                "part": part,
                "triangle": triangle,
                "t": tuple(t),
                "verdict": verdict,
                "why": why,
            }
            for (what, depth, (object, part, triangle), t, verdict, why), name in zip(
                looks, names, strict=True
            )
        ]

    def cast_ray_counted(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> tuple[int, int]:
        """Return how much is tested for a ray.

        Parameters
        ----------
        origin, direction, t_min, t_max, sides, start, layers, ignore
            As for `explain_ray`.

        Returns
        -------
        boxes : int
            Nodes, objects, parts, blocks and cells of terrain.
        triangles : int
            Triangles, and solids.

        Raises
        ------
        ValueError, KeyError
            As `explain_ray`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 5, 0], 2))
        >>> world.update()
        >>> world.cast_ray_counted([0, 9, 0], [0, -1, 0])
        (2, 1)
        """
        ray = _ray(origin, direction, t_min, t_max)
        seen = seen_objects(layers, ignore)
        return _hitscan.cast_ray_counted(self._view(), ray, (sides, start), seen)

    def nearest_approaches(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        at_most: int = 8,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[dict[str, Any]]:
        """Return the objects that a ray comes nearest to, nearest first.

        In f64: for explanations. Sides do not matter, and holes of terrain are nothing.

        Parameters
        ----------
        origin, direction, t_min, t_max, layers, ignore
            As for `explain_ray`.
        at_most : int, optional
            How many objects are named.

        Returns
        -------
        list of dict
            Of each `object`, `name`, `part` and `triangle` (-1 for solids), the `distance`,
            metres, 0 where the ray hits it, `t`, and the points `on_ray` and `on_object`.

        Raises
        ------
        ValueError, KeyError
            As `explain_ray`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([5, 3, 0], 2), name="near")
        >>> world.update()
        >>> near = world.nearest_approaches([0, 0, 0], [1, 0, 0])[0]
        >>> near["distance"], near["t"], near["on_object"].tolist()
        (1.0, 5.0, [5.0, 1.0, 0.0])
        """
        view = self._view()
        ray = _ray(origin, direction, t_min, t_max)
        seen = seen_objects(layers, ignore)
        return approaches(view, _hitscan.nearest_approaches(view, ray, at_most, seen))
