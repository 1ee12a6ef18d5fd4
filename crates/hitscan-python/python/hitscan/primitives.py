"""Solids: spheres, boxes, oriented boxes and capsules."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .rays import point_of

__all__ = ["Box", "Capsule", "OrientedBox", "Primitive", "Sphere"]


class Primitive:
    """A solid that a world can hold: a `Sphere`, a `Box`, an `OrientedBox` or a `Capsule`.

    A ray that starts strictly inside a solid hits at `t_min`, from the inside.

    Examples
    --------
    >>> import hitscan
    >>> isinstance(hitscan.Capsule([0, 0, 0], [0, 1, 0], 0.5), hitscan.Primitive)
    True
    """

    __slots__ = ("_raw",)

    _raw: _hitscan.Primitive

    def _arguments(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._arguments()

    def __repr__(self) -> str:
        given = ", ".join(
            str(one.tolist() if isinstance(one, np.ndarray) else one) for one in self._arguments()
        )
        return f"{type(self).__name__}({given})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        assert isinstance(other, Primitive)
        pairs = zip(self._arguments(), other._arguments(), strict=True)
        return all(np.array_equal(one, another) for one, another in pairs)

    __hash__ = None  # type: ignore[assignment]


class Sphere(Primitive):
    """A solid sphere.

    Parameters
    ----------
    center : array_like, (3,)
        Metres; rounded to f32, after a world's origin was taken off.
    radius : float
        Metres, positive.

    Raises
    ------
    ValueError
        For what is not finite or out of range, and for a radius that is not positive.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Sphere([0, 5, 0], 2)
    Sphere([0.0, 5.0, 0.0], 2.0)
    """

    __slots__ = ("center", "radius")

    #: Metres, (3,) float64.
    center: NDArray[np.float64]
    #: Metres.
    radius: float

    def __init__(self, center: ArrayLike, radius: float) -> None:
        place = point_of("center", center)
        self._raw = _hitscan.Primitive.sphere(place, radius)
        self.center = np.array(place)
        self.radius = float(radius)

    def _arguments(self) -> tuple[Any, ...]:
        return self.center, self.radius


class Box(Primitive):
    """A solid axis-aligned box.

    Parameters
    ----------
    min, max : array_like, (3,)
        Its least and its greatest corner, metres; rounded to f32, after a world's origin was taken
        off.

    Raises
    ------
    ValueError
        For what is not finite or out of range, and for a least corner beyond the greatest.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Box([0, 0, 0], [1, 2, 1])
    Box([0.0, 0.0, 0.0], [1.0, 2.0, 1.0])
    """

    __slots__ = ("max", "min")

    #: The least corner, metres, (3,) float64.
    min: NDArray[np.float64]
    #: The greatest corner, metres, (3,) float64.
    max: NDArray[np.float64]

    def __init__(self, min: ArrayLike, max: ArrayLike) -> None:
        low, high = point_of("min", min), point_of("max", max)
        self._raw = _hitscan.Primitive.aabb(low, high)
        self.min = np.array(low)
        self.max = np.array(high)

    def _arguments(self) -> tuple[Any, ...]:
        return self.min, self.max


@runtime_checkable
class HasQuaternion(Protocol):
    """A rotation of another library, such as `scipy.spatial.transform.Rotation`."""

    def as_quat(self) -> NDArray[np.float64]:
        """Return x, y, z, w."""


class OrientedBox(Primitive):
    """A solid box that may be turned.

    Parameters
    ----------
    center : array_like, (3,)
        Metres; rounded to f32, after a world's origin was taken off.
    half_size : array_like, (3,)
        Half its size along its own axes, metres.
    rotation : array_like, (4,), optional
        From its own axes to the world's, a quaternion x, y, z, w, or what has `as_quat()`, such as a rotation of scipy.

    Raises
    ------
    ValueError
        For what is not finite or out of range, and for a rotation of length 0.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.OrientedBox([0, 1, 0], [2, 0.1, 0.5])
    OrientedBox([0.0, 1.0, 0.0], [2.0, 0.1, 0.5], [0.0, 0.0, 0.0, 1.0])
    """

    __slots__ = ("center", "half_size", "rotation")

    #: Metres, (3,) float64.
    center: NDArray[np.float64]
    #: Metres, (3,) float64.
    half_size: NDArray[np.float64]
    #: A quaternion x, y, z, w, (4,) float64.
    rotation: NDArray[np.float64]

    def __init__(
        self,
        center: ArrayLike,
        half_size: ArrayLike,
        rotation: ArrayLike | HasQuaternion = (0.0, 0.0, 0.0, 1.0),
    ) -> None:
        place, half = point_of("center", center), point_of("half_size", half_size)
        quaternion = rotation.as_quat() if isinstance(rotation, HasQuaternion) else rotation
        turn = np.array(quaternion, dtype=np.float64)
        if turn.shape != (4,):
            raise ValueError(f"rotation: expected a quaternion x, y, z, w, found {rotation!r}")
        x, y, z, w = turn.tolist()
        self._raw = _hitscan.Primitive.obb(place, half, (x, y, z, w))
        self.center = np.array(place)
        self.half_size = np.array(half)
        self.rotation = turn

    def _arguments(self) -> tuple[Any, ...]:
        return self.center, self.half_size, self.rotation


class Capsule(Primitive):
    """A solid capsule: all points within a radius of a segment.

    Parameters
    ----------
    a, b : array_like, (3,)
        The ends of the segment, metres; rounded to f32, after a world's origin was taken off.
    radius : float
        Metres, positive.

    Raises
    ------
    ValueError
        For what is not finite or out of range, and for a radius that is not positive.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Capsule([0, 0.5, 0], [0, 1.5, 0], 0.5)
    Capsule([0.0, 0.5, 0.0], [0.0, 1.5, 0.0], 0.5)
    """

    __slots__ = ("a", "b", "radius")

    #: One end, metres, (3,) float64.
    a: NDArray[np.float64]
    #: The other end, metres, (3,) float64.
    b: NDArray[np.float64]
    #: Metres.
    radius: float

    def __init__(self, a: ArrayLike, b: ArrayLike, radius: float) -> None:
        one, other = point_of("a", a), point_of("b", b)
        self._raw = _hitscan.Primitive.capsule(one, other, radius)
        self.a = np.array(one)
        self.b = np.array(other)
        self.radius = float(radius)

    def _arguments(self) -> tuple[Any, ...]:
        return self.a, self.b, self.radius
