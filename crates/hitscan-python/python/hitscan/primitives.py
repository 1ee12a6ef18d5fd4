"""Solids: spheres, boxes, oriented boxes, capsules, cylinders and convex hulls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .rays import point_of

if TYPE_CHECKING:
    from .mesh import TriMesh

__all__ = ["Box", "Capsule", "ConvexHull", "Cylinder", "OrientedBox", "Primitive", "Sphere"]


class Primitive:
    """A solid that a world can hold: a `Sphere`, a `Box`, an `OrientedBox`, a `Capsule`, a `Cylinder`, a `ConvexHull`.

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
        Its minimum and its maximum corner, metres; rounded to f32, after a world's origin was taken
        off.

    Raises
    ------
    ValueError
        For what is not finite or out of range, and for a minimum corner beyond the maximum.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Box([0, 0, 0], [1, 2, 1])
    Box([0.0, 0.0, 0.0], [1.0, 2.0, 1.0])
    """

    __slots__ = ("max", "min")

    #: The minimum corner, metres, (3,) float64.
    min: NDArray[np.float64]
    #: The maximum corner, metres, (3,) float64.
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


class Cylinder(Primitive):
    """A solid cylinder: all points within a radius of a segment that lie between its ends.

    Parameters
    ----------
    a, b : array_like, (3,)
        The middles of its two ends, metres; rounded to f32, after a world's origin was taken off.
    radius : float
        Metres, positive.

    Raises
    ------
    ValueError
        For what is not finite or out of range, for a radius that is not positive, and for two ends in one point.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Cylinder([0, 0, 0], [0, 3, 0], 0.5)
    Cylinder([0.0, 0.0, 0.0], [0.0, 3.0, 0.0], 0.5)
    """

    __slots__ = ("a", "b", "radius")

    #: The middle of one end, metres, (3,) float64.
    a: NDArray[np.float64]
    #: The middle of the other end, metres, (3,) float64.
    b: NDArray[np.float64]
    #: Metres.
    radius: float

    def __init__(self, a: ArrayLike, b: ArrayLike, radius: float) -> None:
        one, other = point_of("a", a), point_of("b", b)
        self._raw = _hitscan.Primitive.cylinder(one, other, radius)
        self.a = np.array(one)
        self.b = np.array(other)
        self.radius = float(radius)

    def _arguments(self) -> tuple[Any, ...]:
        return self.a, self.b, self.radius


class ConvexHull(Primitive):
    """The solid convex hull of points, exact; with a radius all points within it of the hull.

    A point, a segment and a flat polygon are hulls too. Points on a face or an edge are no corners.

    Parameters
    ----------
    points : array_like, (n, 3)
        Metres; rounded to f32, after a world's origin was taken off.
    radius : float, optional
        By how much the hull is rounded, metres, at least 0.

    Raises
    ------
    ValueError
        For no points, for what is not finite or out of range, for more than 4,096 corners, and for a negative radius.

    Examples
    --------
    >>> import hitscan
    >>> roof = hitscan.ConvexHull([[0, 0, 0], [4, 0, 0], [0, 0, 6], [4, 0, 6], [2, 2, 0], [2, 2, 6], [2, 1, 3]])
    >>> len(roof.corners)
    6
    >>> world = hitscan.World()
    >>> _ = world.add(roof)
    >>> float(world.cast_rays([2, 9, 3], [0, -1, 0]).t)
    7.0
    """

    __slots__ = ("points", "radius")

    #: The points as they were given, metres, (n, 3) float64.
    points: NDArray[np.float64]
    #: Metres.
    radius: float

    def __init__(self, points: ArrayLike, radius: float = 0.0) -> None:
        self.points = np.array(points, dtype=np.float64)
        self._raw = _hitscan.Primitive.convex_hull(self.points, radius)
        self.radius = float(radius)

    @classmethod
    def from_mesh(cls, mesh: TriMesh, radius: float = 0.0) -> ConvexHull:
        """Return the hull of a mesh's vertices.

        Parameters
        ----------
        mesh : TriMesh
            Any mesh with a vertex.
        radius : float, optional
            By how much the hull is rounded, metres.

        Returns
        -------
        ConvexHull
            Of the vertices in the world, the mesh's origin included.

        Raises
        ------
        ValueError
            As the class.

        Examples
        --------
        >>> import hitscan
        >>> sheet = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> len(hitscan.ConvexHull.from_mesh(sheet, 0.1).corners)
        3
        """
        return cls(mesh.vertices, radius)

    @property
    def corners(self) -> NDArray[np.float64]:
        """The corners, (m, 3) float64, as those of a world without an origin: the nearest f32 to the points'."""
        return np.array(self._raw.corners(), dtype=np.float64)

    def simplified(self, max_corners: int) -> ConvexHull:
        """Return a hull with few corners that contains this one.

        Parameters
        ----------
        max_corners : int
            How many corners it may have, at least 4 where this one is not flat.

        Returns
        -------
        ConvexHull
            With the same radius.

        Raises
        ------
        ValueError
            For fewer corners than such a hull needs.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> directions = np.random.default_rng(1).normal(size=(500, 3))
        >>> ball = hitscan.ConvexHull(directions / np.linalg.norm(directions, axis=1)[:, None])
        >>> len(ball.simplified(16).corners) <= 16
        True
        """
        corners = self._raw.simplified(max_corners)
        assert corners is not None
        return ConvexHull(corners, self.radius)

    def __repr__(self) -> str:
        rounded = f", radius {self.radius}" if self.radius else ""
        return f"ConvexHull({len(self.points)} points{rounded})"

    def _arguments(self) -> tuple[Any, ...]:
        return self.points, self.radius
