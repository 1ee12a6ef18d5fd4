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
    """A perspective camera, with +Y up in its pictures.

    Parameters
    ----------
    eye : array_like, (3,)
        Where it is, metres.
    target : array_like, (3,)
        The point that it looks at, metres.
    fov_y : float, optional
        The angle between a picture's lower and upper edge, radians; 60 degrees by default.
    origin : array_like, (3,), optional
        As a world's: it is taken off `eye` and `target` in f64 before they are rounded to f32.

    Raises
    ------
    ValueError
        For an angle outside 0 to pi, and a target that is the eye.

    Examples
    --------
    >>> import hitscan
    >>> camera = hitscan.Camera([0, 1.7, 5], [0, 1, 0])
    >>> camera.rays(640, 480).shape
    (480, 640, 6)
    """

    __slots__ = ("eye", "fov_y", "origin", "target")

    #: Metres, (3,) float64.
    eye: NDArray[np.float64]
    #: Metres, (3,) float64.
    target: NDArray[np.float64]
    #: Radians.
    fov_y: float
    #: Metres, (3,) float64, if anything.
    origin: NDArray[np.float64] | None

    def __init__(
        self,
        eye: ArrayLike,
        target: ArrayLike,
        fov_y: float = math.pi / 3,
        *,
        origin: ArrayLike | None = None,
    ) -> None:
        self.eye = np.array(point_of("eye", eye))
        self.target = np.array(point_of("target", target))
        self.fov_y = float(fov_y)
        self.origin = None if origin is None else np.array(point_of("origin", origin))
        self.rays(1, 1)

    def rays(self, width: int, height: int) -> NDArray[np.float32] | NDArray[np.float64]:
        """Return the rays through the middles of a picture's pixels.

        Parameters
        ----------
        width, height : int
            The picture's size, pixels.

        Returns
        -------
        numpy.ndarray, (height, width, 6)
            Origin and direction of each; row 0 is the upper one. Directions are about of unit
            length. float32, or float64 with an origin.

        Raises
        ------
        ValueError
            For a picture without pixels.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((3, 3)), spacing=10.0)
        >>> camera = hitscan.Camera([10, 5, 10], [10, 0, 10])
        >>> ground.cast_rays(camera.rays(4, 3)).hit.shape
        (3, 4)
        """
        base = np.zeros(3) if self.origin is None else self.origin
        eye, target = (self.eye - base).tolist(), (self.target - base).tolist()
        rays = _hitscan.camera_rays(eye, target, self.fov_y, (width, height))
        if self.origin is None:
            return rays
        wide = rays.astype(np.float64)
        wide[..., :3] += self.origin
        return wide

    def __repr__(self) -> str:
        return f"Camera({self.eye.tolist()}, {self.target.tolist()}, {self.fov_y})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.eye, self.target, self.fov_y, self.origin)


def _restored(eye: Any, target: Any, fov_y: float, origin: Any) -> Camera:
    """Return a pickled camera."""
    return Camera(eye, target, fov_y, origin=origin)
