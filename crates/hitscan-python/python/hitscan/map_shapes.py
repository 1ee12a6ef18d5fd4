"""Solids of a map as those of a world."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _hitscan
from .georeference import turned, world_points
from .primitives import ConvexHull, Primitive
from .shape_arrays import (
    Boxes,
    Capsules,
    Cylinders,
    OrientedBoxes,
    ShapeArrays,
    Shapes,
    Spheres,
    given_shapes,
)

__all__ = ["shapes_of"]


def shapes_of(view: _hitscan.View, shapes: Shapes, on_map: bool) -> tuple[str, list[Any]]:
    """Return solids as the extension module takes them, in the world's axes."""
    if not on_map:
        return given_shapes(shapes)
    if isinstance(shapes, ConvexHull):
        return given_shapes(_placed(view, shapes))
    kind, given = given_shapes(shapes)
    if kind != "list":
        return _turned(view, kind, given)._given()
    assert not isinstance(shapes, ShapeArrays | Primitive)
    return "list", [_placed(view, solid)._raw for solid in shapes]


def _placed(view: _hitscan.View, solid: Primitive) -> Primitive:
    """Return one solid in the world's axes."""
    if isinstance(solid, ConvexHull):
        return ConvexHull(world_points(view, "points", solid.points), solid.radius)
    kind, given = given_shapes(solid)
    return type(solid)(*_turned(view, kind, given)._given()[1])


def _turned(view: _hitscan.View, kind: str, given: list[Any]) -> ShapeArrays:
    """Return arrays of solids in the world's axes."""
    if kind == "spheres":
        return Spheres(world_points(view, "center", given[0]), given[1])
    if kind in ("capsules", "cylinders"):
        make = Capsules if kind == "capsules" else Cylinders
        return make(world_points(view, "a", given[0]), world_points(view, "b", given[1]), given[2])
    if kind == "boxes":
        # z runs against northing, so the ends change places there.
        ends = np.broadcast_arrays(world_points(view, "min", given[0]), world_points(view, "max", given[1]))
        low, high = (np.array(end) for end in ends)
        low[..., 2], high[..., 2] = ends[1][..., 2], ends[0][..., 2]
        return Boxes(low, high)
    rotation = np.asarray(given[2], np.float64)
    if rotation.ndim == 0 or rotation.shape[-1] != 4:
        raise ValueError(f"rotation: expected an array of shape (..., 4), found {rotation.shape}")
    axis = turned("rotation", rotation[..., :3])
    return OrientedBoxes(
        world_points(view, "center", given[0]),
        np.abs(turned("half_size", given[1])),
        np.concatenate([axis, rotation[..., 3:]], axis=-1),
    )
