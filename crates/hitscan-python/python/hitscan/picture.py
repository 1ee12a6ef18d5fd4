"""Pictures in which every pixel is a ray."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .camera import Camera
from .filters import ALL_LAYERS
from .hits import RayHits
from .rays import point_of

__all__ = ["Picture", "PictureQueries"]

#: Fields that a picture has beside its colours.
PIXEL_FIELDS = ["hit", "distance", "point", "normal", "object", "part", "triangle"]

#: Shots over a picture: hits, or rays that are cast for it.
Overlay: TypeAlias = RayHits | ArrayLike | tuple[ArrayLike, ArrayLike] | Sequence[RayHits]


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a picture is drawn, see `PictureQueries.render`."""

    eye: tuple[float, float, float] | None
    look: tuple[float, float, float] | None
    fov: float | None
    size: tuple[int, int]
    top: bool
    ortho: bool
    light: str
    samples: int | None
    ao: int | None
    outline: bool
    cost: bool


class Picture:
    """A picture: its colours, and what its pixels show.

    Parameters
    ----------
    raw : object
        The colours; `render` makes it.
    view : object
        What is shown.
    drawing : object
        How it is drawn.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> ball = world.add(hitscan.Sphere([0, 1, 0], 1))
    >>> world.update()
    >>> picture = world.render(eye=[0, 1, 5], look=[0, 1, 0], size=(64, 36))
    >>> picture.rgb.shape, picture.rgb.dtype
    ((36, 64, 3), dtype('uint8'))
    >>> round(float(picture.depth[18, 32]), 2), int(picture.object[18, 32]) == ball
    (4.0, True)
    """

    __slots__ = ("__weakref__", "_drawing", "_hits", "_raw", "_view")

    def __init__(self, raw: _hitscan.Picture, view: _hitscan.View, drawing: Drawing) -> None:
        self._raw = raw
        self._view = view
        self._drawing = drawing
        self._hits: RayHits | None = None

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """The colours, sRGB, (height, width, 3) uint8; row 0 is the upper one."""
        return self._raw.rgb()

    @property
    def rays(self) -> NDArray[np.float64]:
        """The rays through the middles of the pixels, (height, width, 6) float64."""
        return _hitscan.picture_rays(self._view, self._drawing)

    @property
    def hits(self) -> RayHits:
        """
        What is in the middle of each pixel, (height, width).

        Computed on first use; of the fields ``hit distance point normal object part
        triangle``.
        """
        if self._hits is None:
            columns = _hitscan.cast_rays(
                self._view,
                self.rays,
                None,
                (0.0, np.inf),
                ("both", "solid", ALL_LAYERS, []),
                PIXEL_FIELDS,
                None,
                "raise",
                None,
            )
            self._hits = RayHits(columns, self._view.names)
        return self._hits

    @property
    def depth(self) -> NDArray[np.float32]:
        """How far what the pixels show is along their rays, metres, float32; inf of the sky."""
        return self.hits.distance

    @property
    def object(self) -> NDArray[np.int64]:
        """The handles of the objects that the pixels show, int64; -1 of the sky."""
        return self.hits.object

    @property
    def triangle(self) -> NDArray[np.int64]:
        """The triangles that the pixels show, int64; -1 of solids and the sky."""
        return self.hits.triangle

    def to_png(self) -> bytes:
        """Return the picture as the bytes of a PNG file, 8-bit sRGB.

        Returns
        -------
        bytes
            The file.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> world.render(size=(32, 18)).to_png()[1:4]
        b'PNG'
        """
        return self._raw.png()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture as a PNG file.

        Parameters
        ----------
        path : path-like
            The file; it is replaced.

        Raises
        ------
        OSError
            Where it cannot be written.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "ball.png")
        ...     world.render(size=(32, 18)).save(path)
        ...     path.read_bytes()[1:4]
        b'PNG'
        """
        png = self.to_png()
        with open(path, "wb") as file:
            file.write(png)

    def _repr_png_(self) -> bytes:
        return self.to_png()

    def __repr__(self) -> str:
        width, height = self._drawing.size
        return f"Picture({width} x {height})"


class PictureQueries:
    """Pictures, which worlds, models, meshes and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def render(
        self,
        *,
        camera: Camera | None = None,
        eye: ArrayLike | None = None,
        look: ArrayLike | None = None,
        fov: float | None = None,
        size: tuple[int, int] | None = None,
        overlay: Overlay | None = None,
        top: bool = False,
        ortho: bool = False,
        light: Literal["plain", "sun", "soft"] = "sun",
        samples: int | None = None,
        ao: int | None = None,
        outline: bool = False,
        cost: bool = False,
    ) -> Picture:
        """Draw a picture: the pixels of ``hitscan render`` with the same options.

        Models have the base colours of their materials and the colours of their vertices, where their
        files have them. The same picture has the same bits on any number of threads.

        Parameters
        ----------
        camera : Camera, optional
            The camera, in place of `eye`, `look` and `fov`: one with +Y up, and with the principal point in the
            middle and square pixels. The rays of any other can be cast: ``cast_rays(camera.rays())``.
        eye : array_like, (3,), optional
            Where the camera is, metres; by default where the scene file says that it is, or a place with
            everything in view.
        look : array_like, (3,), optional
            What it looks at, metres; by default the middle of everything.
        fov : float, optional
            The angle between the picture's lower and upper edge, radians; by default the scene
            file's, or 50 degrees.
        size : (int, int), optional
            Width and height, pixels; by default the camera's own, or 960 and 540.
        overlay : RayHits, array_like (..., 6), pair of array_like (..., 3) or sequence of RayHits, optional
            Shots that are drawn over the picture: answers of `cast_rays`, whose rays are cast again in
            the same way, or rays, or origins and directions. Hits are blue and solid, misses
            dashed, and what lies behind surfaces is dotted. The first 10,000 are drawn.
        top : bool, optional
            Draw everything from straight above, as a map: orthographic, with -Z up.
        ortho : bool, optional
            Draw with parallel lines of sight, which start in the plane of the eye.
        light : {"sun", "plain", "soft"}, optional
            By the sun, with sharp shadows; without shadows, by no rays but the camera's; or by a sun
            with a disc and by the part of the sky that is seen.
        samples : int, optional
            Rays for each pixel, 1 to 16; by default one, and four more at edges, and 16 with soft light,
            `ao` and `outline`.
        ao : int, optional
            Rays for each of these that look for what hides the sky nearby, up to 64; by default 1 in
            soft light, else 0.
        outline : bool, optional
            Draw the edges of objects, of their parts and of creases.
        cost : bool, optional
            Show how many boxes and triangles are tested for each pixel's ray, with a legend.

        Returns
        -------
        Picture
            The picture.

        Raises
        ------
        ValueError
            For an angle outside 0 to pi, a size without pixels, a look that is the eye, options that
            exclude each other, and hits whose rays are not kept.

        Warns
        -----
        UserWarning
            Where shots are omitted: more than 10,000, or rows that are no ray.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 1, 0], 1), name="ball")
        >>> world.update()
        >>> hits = world.cast_rays([[-3, 1, 0.5], [-3, 3, 0]], [1, 0, 0])
        >>> world.render(size=(64, 36), overlay=hits)
        Picture(64 x 36)
        """
        if camera is not None:
            if eye is not None or look is not None or fov is not None:
                raise ValueError("camera: it stands for `eye`, `look` and `fov`, which are given as well")
            eye, look, fov, size = *camera._upright(), camera.size if size is None else size
        size = (960, 540) if size is None else size
        width, height = size
        if width < 1 or height < 1:
            raise ValueError(f"size: expected a positive width and height, found {size}")
        drawing = Drawing(
            None if eye is None else point_of("eye", eye),
            None if look is None else point_of("look", look),
            None if fov is None else float(fov),
            (int(width), int(height)),
            top,
            ortho,
            light,
            samples,
            ao,
            outline,
            cost,
        )
        view = self._view()
        raw, left_out = _hitscan.render_picture(view, drawing, _asked(overlay))
        if left_out:
            message = f"overlay: {left_out} rays are not drawn: invalid, or after the first 10,000"
            warnings.warn(message, stacklevel=2)
        return Picture(raw, view, drawing)


def _asked(overlay: Any) -> list[Any]:
    """Return the questions of shots, as `cast_rays` takes them."""
    if overlay is None:
        return []
    if isinstance(overlay, RayHits):
        asked = overlay._asked
        if asked is None:
            raise ValueError(
                "overlay: the rays of these hits are not known: they are more than 10,000 and were not kept "
                "(`keep_question=True`), or those of all hits, or came out of another process; give the rays "
                "themselves"
            )
        return [asked]
    if isinstance(overlay, Sequence) and overlay and isinstance(overlay[0], RayHits):
        return [question for hits in overlay for question in _asked(hits)]
    is_pair = isinstance(overlay, tuple) and len(overlay) == 2
    origins, directions = overlay if is_pair else (overlay, None)
    return [(origins, directions, (0.0, np.inf), ("both", "solid", ALL_LAYERS, []))]
