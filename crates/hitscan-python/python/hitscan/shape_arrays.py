"""Many solids at once, as arrays: what shape queries take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .primitives import Primitive

__all__ = ["Boxes", "Capsules", "Cylinders", "OrientedBoxes", "Shapes", "Spheres"]


class ShapeArrays:
    """Solids of one kind: a row of some arrays each, which broadcast."""

    __slots__ = ()

    def _given(self) -> tuple[str, list[Any]]:
        raise NotImplementedError

    def __repr__(self) -> str:
        shapes = np.broadcast_shapes(*(np.shape(array)[:-1] for array in self._given()[1] if np.ndim(array)))
        return f"{type(self).__name__}(shape={shapes})"


class Spheres(ShapeArrays):
    """Solid spheres, as questions.

    Parameters
    ----------
    center : array_like, (..., 3)
        Metres; rounded to f32, after a world's origin was taken off.
    radius : array_like, (...)
        Metres, positive. It broadcasts with the centres.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> world.update()
    >>> world.overlaps_shapes(hitscan.Spheres([[2, 0.5, 0.5], [2, 2, 2]], [1.5, 1.5]))
    array([ True, False])
    """

    __slots__ = ("center", "radius")

    #: Metres, (..., 3).
    center: ArrayLike
    #: Metres.
    radius: ArrayLike

    def __init__(self, center: ArrayLike, radius: ArrayLike) -> None:
        self.center = center
        self.radius = radius

    def _given(self) -> tuple[str, list[Any]]:
        return "spheres", [self.center, self.radius]


class Boxes(ShapeArrays):
    """Solid axis-aligned boxes, as questions.

    Parameters
    ----------
    min, max : array_like, (..., 3)
        Their minimum and maximum corners, metres; rounded to f32, after a world's origin was taken
        off.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> world.update()
    >>> world.overlaps_shapes(hitscan.Boxes([[0.5, 0, 0], [1, 0, 0]], [2, 1, 1]))
    array([ True, False])
    """

    __slots__ = ("max", "min")

    #: The minimum corners, metres, (..., 3).
    min: ArrayLike
    #: The maximum corners, metres, (..., 3).
    max: ArrayLike

    def __init__(self, min: ArrayLike, max: ArrayLike) -> None:
        self.min = min
        self.max = max

    def _given(self) -> tuple[str, list[Any]]:
        return "boxes", [self.min, self.max]


class OrientedBoxes(ShapeArrays):
    """Solid boxes that may be turned, as questions.

    Parameters
    ----------
    center : array_like, (..., 3)
        Metres; rounded to f32, after a world's origin was taken off.
    half_size : array_like, (..., 3)
        Half their sizes along their own axes, metres.
    rotation : array_like, (..., 4), optional
        From their own axes to the world's, quaternions x, y, z, w.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> world.update()
    >>> quarter = [0, 0, 0.5**0.5, 0.5**0.5]
    >>> world.overlaps_shapes(
    ...     hitscan.OrientedBoxes([2, 0.5, 0.5], [0.5, 2, 0.5], [[0, 0, 0, 1], quarter])
    ... )
    array([False,  True])
    """

    __slots__ = ("center", "half_size", "rotation")

    #: Metres, (..., 3).
    center: ArrayLike
    #: Metres, (..., 3).
    half_size: ArrayLike
    #: Quaternions x, y, z, w, (..., 4).
    rotation: ArrayLike

    def __init__(
        self,
        center: ArrayLike,
        half_size: ArrayLike,
        rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
    ) -> None:
        self.center = center
        self.half_size = half_size
        self.rotation = rotation

    def _given(self) -> tuple[str, list[Any]]:
        return "oriented_boxes", [self.center, self.half_size, self.rotation]


class Capsules(ShapeArrays):
    """Solid capsules, as questions: all points within a radius of a segment.

    Parameters
    ----------
    a, b : array_like, (..., 3)
        The ends of the segments, metres; rounded to f32, after a world's origin was taken off.
    radius : array_like, (...)
        Metres, positive. It broadcasts with the ends.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> world.update()
    >>> world.overlaps_shapes(hitscan.Capsules([2, 0, 0], [2, 5, 0], [0.5, 1.5]))
    array([False,  True])
    """

    __slots__ = ("a", "b", "radius")

    #: One end, metres, (..., 3).
    a: ArrayLike
    #: The other end, metres, (..., 3).
    b: ArrayLike
    #: Metres.
    radius: ArrayLike

    def __init__(self, a: ArrayLike, b: ArrayLike, radius: ArrayLike) -> None:
        self.a = a
        self.b = b
        self.radius = radius

    def _given(self) -> tuple[str, list[Any]]:
        return "capsules", [self.a, self.b, self.radius]


class Cylinders(ShapeArrays):
    """Solid cylinders, as questions: all points within a radius of a segment that lie between its ends.

    Parameters
    ----------
    a, b : array_like, (..., 3)
        The middles of their ends, metres; rounded to f32, after a world's origin was taken off.
    radius : array_like, (...)
        Metres, positive. It broadcasts with the ends.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
    >>> world.update()
    >>> world.overlaps_shapes(hitscan.Cylinders([2, 1.5, 0], [2, 5, 0], [0.5, 1.5]))
    array([False, False])
    """

    __slots__ = ("a", "b", "radius")

    #: The middles of one end, metres, (..., 3).
    a: ArrayLike
    #: The middles of the other end, metres, (..., 3).
    b: ArrayLike
    #: Metres.
    radius: ArrayLike

    def __init__(self, a: ArrayLike, b: ArrayLike, radius: ArrayLike) -> None:
        self.a = a
        self.b = b
        self.radius = radius

    def _given(self) -> tuple[str, list[Any]]:
        return "cylinders", [self.a, self.b, self.radius]


#: What shape queries take: one solid, a list of any, or arrays of one kind.
Shapes: TypeAlias = Primitive | Sequence[Primitive] | ShapeArrays


def given_shapes(shapes: Shapes) -> tuple[str, list[Any]]:
    """Return solids as the extension module takes them."""
    if isinstance(shapes, ShapeArrays):
        return shapes._given()
    if isinstance(shapes, Primitive):
        kind = _KINDS.get(type(shapes).__name__)
        return ("one", [shapes._raw]) if kind is None else kind(*shapes._arguments())._given()
    solids = list(shapes)
    for solid in solids:
        if not isinstance(solid, Primitive):
            raise TypeError(
                "shapes: expected a solid, a sequence of solids, Spheres, Boxes, OrientedBoxes, Capsules "
                f"or Cylinders, found {solid!r} in a {type(shapes).__name__}"
            )
    return "list", [solid._raw for solid in solids]


#: The arrays of solids of one kind; hulls have none.
_KINDS: dict[str, type[ShapeArrays]] = {
    "Sphere": Spheres,
    "Box": Boxes,
    "OrientedBox": OrientedBoxes,
    "Capsule": Capsules,
    "Cylinder": Cylinders,
}
