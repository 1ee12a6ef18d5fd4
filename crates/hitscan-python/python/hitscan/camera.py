"""Cameras: the rays of a picture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .rays import point_of

__all__ = ["Camera"]


class Camera:
    """A pinhole camera.

    Parameters
    ----------
    eye : array_like, (3,)
        Where it is, metres.
    target : array_like, (3,)
        The point that it looks at, metres.
    fov_y : float, optional
        The angle between a picture's lower and upper edge, radians; 60 degrees by default.
    up : array_like, (3,), optional
        The direction that points up in its pictures; +Y by default.
    origin : array_like, (3,), optional
        As a world's: it is taken off `eye` and `target` in f64 before they are rounded to f32.

    Raises
    ------
    ValueError
        For an angle outside 0 to pi, a target that is the eye, and an `up` along the line of sight.

    Examples
    --------
    >>> import hitscan
    >>> camera = hitscan.Camera([0, 1.7, 5], [0, 1, 0])
    >>> camera.rays(640, 480).shape
    (480, 640, 6)
    """

    __slots__ = ("_pixels", "eye", "fov_y", "origin", "size", "target", "up")

    #: Metres, (3,) float64.
    eye: NDArray[np.float64]
    #: Metres, (3,) float64.
    target: NDArray[np.float64]
    #: Radians.
    fov_y: float
    #: What points up in its pictures, (3,) float64.
    up: NDArray[np.float64]
    #: Metres, (3,) float64, if anything.
    origin: NDArray[np.float64] | None
    #: Width and height of the pictures of a camera of `from_intrinsics`, pixels; else None.
    size: tuple[int, int] | None
    #: From pixels to directions, (3, 3) float64, of a camera of `from_intrinsics`.
    _pixels: NDArray[np.float64] | None

    def __init__(
        self,
        eye: ArrayLike,
        target: ArrayLike,
        fov_y: float = math.pi / 3,
        *,
        up: ArrayLike = (0.0, 1.0, 0.0),
        origin: ArrayLike | None = None,
    ) -> None:
        self.eye = np.array(point_of("eye", eye))
        self.target = np.array(point_of("target", target))
        self.up = np.array(point_of("up", up))
        self.fov_y = float(fov_y)
        self.origin = None if origin is None else np.array(point_of("origin", origin))
        self.size = None
        self._pixels = None
        self.rays(1, 1)

    @classmethod
    def from_intrinsics(
        cls,
        intrinsics: ArrayLike,
        world_from_camera: ArrayLike | None = None,
        size: tuple[int, int] | None = None,
        *,
        origin: ArrayLike | None = None,
    ) -> Camera:
        """Make a camera of a calibrated one: OpenCV's, COLMAP's, Open3D's or a robot's.

        Parameters
        ----------
        intrinsics : array_like, (3, 3)
            Focal lengths, skew and principal point, pixels: ``[[fx, s, cx], [0, fy, cy], [0, 0, 1]]``. The middle
            of the upper left pixel is at (0.5, 0.5); of a calibration in which it is at (0, 0), as OpenCV's, add
            0.5 to `cx` and `cy`.
        world_from_camera : array_like, (4, 4), optional
            Where the camera is: from its own space, +X to the right, +Y down and +Z into the picture, to the
            world's. An extrinsic matrix is its inverse. By default it is at 0.
        size : (int, int), optional
            Width and height of its pictures, pixels; by default twice the principal point.
        origin : array_like, (3,), optional
            As for the class.

        Returns
        -------
        Camera
            Its `target` is a metre before it, its `fov_y` that of the whole height.

        Raises
        ------
        ValueError
            For matrices of other shapes, focal lengths that are not positive, and a rotation that is none.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> matrix = [[500, 0, 320], [0, 500, 240], [0, 0, 1]]
        >>> camera = hitscan.Camera.from_intrinsics(matrix, np.eye(4))
        >>> camera.rays().shape
        (480, 640, 6)
        >>> np.round(camera.rays()[0, 0, 3:] * 500, 1)
        array([-249.7, -187.1,  390.7], dtype=float32)
        """
        matrix = np.asarray(intrinsics, dtype=np.float64)
        place = np.eye(4) if world_from_camera is None else np.asarray(world_from_camera, dtype=np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
            raise ValueError(f"intrinsics: expected a finite matrix of shape (3, 3), found {intrinsics!r}")
        if not (matrix[0, 0] > 0 and matrix[1, 1] > 0 and (matrix[2] == [0, 0, 1]).all()):
            raise ValueError(f"intrinsics: expected positive focal lengths and a last row 0, 0, 1, found {matrix}")
        if place.shape != (4, 4) or not np.isfinite(place).all() or (place[3] != [0, 0, 0, 1]).any():
            raise ValueError(f"world_from_camera: expected a matrix of shape (4, 4), found {world_from_camera!r}")
        turn = place[:3, :3]
        if not np.allclose(turn @ turn.T, np.eye(3), atol=1e-3):
            raise ValueError("world_from_camera: expected a rotation and a translation, found a scale")
        if size is None:
            size = (round(2 * matrix[0, 2]), round(2 * matrix[1, 2]))
        eye = place[:3, 3]
        fov_y = math.atan(matrix[1, 2] / matrix[1, 1]) + math.atan((size[1] - matrix[1, 2]) / matrix[1, 1])
        camera = cls(eye, eye + turn[:, 2], fov_y, up=-turn[:, 1], origin=origin)
        camera.size = (int(size[0]), int(size[1]))
        camera._pixels = turn @ np.linalg.inv(matrix)
        camera.rays()
        return camera

    def rays(
        self, width: int | None = None, height: int | None = None
    ) -> NDArray[np.float32] | NDArray[np.float64]:
        """Return the rays through the middles of a picture's pixels.

        Parameters
        ----------
        width, height : int, optional
            The picture's size, pixels. A camera of `from_intrinsics` has its own.

        Returns
        -------
        numpy.ndarray, (height, width, 6)
            Origin and direction of each; row 0 is the upper one. Directions are about of unit
            length. float32, or float64 with an origin.

        Raises
        ------
        ValueError
            For a picture without pixels, and for a size other than the camera's own.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((3, 3)), spacing=10.0)
        >>> camera = hitscan.Camera([10, 5, 10], [10, 0, 10])
        >>> ground.cast_rays(camera.rays(4, 3)).hit.shape
        (3, 4)
        """
        size = self._size(width, height)
        if self._pixels is not None:
            return self._turned_rays(self._pixels, size)
        if (self.up != (0.0, 1.0, 0.0)).any():
            return self._turned_rays(self._upright_pixels(size), size)
        base = np.zeros(3) if self.origin is None else self.origin
        eye, target = (self.eye - base).tolist(), (self.target - base).tolist()
        rays = _hitscan.camera_rays(eye, target, self.fov_y, size)
        if self.origin is None:
            return rays
        wide = rays.astype(np.float64)
        wide[..., :3] += self.origin
        return wide

    def _upright(self) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Return eye, target and angle, where they are all that there is to this camera."""
        forward, right = self.target - self.eye, np.cross(self.target - self.eye, self.up)
        if abs(right[1]) > 1e-6 * np.linalg.norm(right) or np.cross(right, forward)[1] < 0:
            raise ValueError("camera: pictures have +Y up; cast its rays instead: `cast_rays(camera.rays())`")
        if self._pixels is not None and self.size is not None:
            middle = np.array([self.size[0] / 2, self.size[1] / 2, 1.0])
            step = self._pixels[:, :2].T @ self._pixels[:, :2]
            is_square = abs(step[0, 0] - step[1, 1]) + abs(step[0, 1]) <= 1e-6 * step[0, 0]
            along = self._pixels @ middle / np.linalg.norm(forward)
            if not is_square or np.linalg.norm(along - forward / np.linalg.norm(forward)) > 1e-6:
                raise ValueError(
                    "camera: pictures have square pixels and the principal point in the middle; cast its rays "
                    "instead: `cast_rays(camera.rays())`"
                )
        return self.eye, self.target, self.fov_y

    def _size(self, width: int | None, height: int | None) -> tuple[int, int]:
        own = self.size or (None, None)
        size = (own[0] if width is None else width, own[1] if height is None else height)
        if size[0] is None or size[1] is None:
            raise ValueError("rays: expected a width and a height")
        if self.size is not None and size != self.size:
            raise ValueError(f"rays: this camera's pictures have {own[0]} x {own[1]} pixels")
        if size[0] < 1 or size[1] < 1:
            raise ValueError(f"rays: expected a positive width and height, found {size}")
        return size[0], size[1]

    def _upright_pixels(self, size: tuple[int, int]) -> NDArray[np.float64]:
        """Return the matrix from pixels to directions of a camera with an `up` of its own."""
        forward = self.target - self.eye
        right = np.cross(forward, self.up)
        if not right.any():
            raise ValueError(f"up: expected a direction across the line of sight, found {self.up.tolist()}")
        forward, right = forward / np.linalg.norm(forward), right / np.linalg.norm(right)
        step = 2 * math.tan(self.fov_y / 2) / size[1]
        columns = [right * step, np.cross(forward, right) * step]
        corner = forward - columns[0] * (size[0] / 2) - columns[1] * (size[1] / 2)
        return np.stack([*columns, corner], axis=1)

    def _turned_rays(
        self, pixels: NDArray[np.float64], size: tuple[int, int]
    ) -> NDArray[np.float32] | NDArray[np.float64]:
        columns, rows = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
        directions = np.stack([columns, rows, np.ones_like(rows)], axis=-1) @ pixels.T
        directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
        rays = np.empty((size[1], size[0], 6), dtype=np.float32 if self.origin is None else np.float64)
        rays[..., :3] = self.eye
        rays[..., 3:] = directions
        return rays

    def __repr__(self) -> str:
        return f"Camera({self.eye.tolist()}, {self.target.tolist()}, {self.fov_y})"

    def __reduce__(self) -> tuple[Any, ...]:
        own = (self.eye, self.target, self.fov_y, self.up, self.origin)
        return _restored, (*own, self.size, self._pixels)


def _restored(
    eye: Any, target: Any, fov_y: float, up: Any, origin: Any, size: Any, pixels: Any
) -> Camera:
    """Return a pickled camera."""
    camera = Camera(eye, target, fov_y, up=up, origin=origin)
    camera.size, camera._pixels = size, pixels
    return camera
