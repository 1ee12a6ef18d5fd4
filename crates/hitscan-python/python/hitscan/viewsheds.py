"""Which ground is seen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .filters import ALL_LAYERS, Ignored, seen_objects

__all__ = ["OwnViewshedQueries", "Viewshed", "ViewshedQueries", "Visibility"]


class Visibility(IntEnum):
    """Whether a sample is seen.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Visibility.VISIBLE
    <Visibility.VISIBLE: 1>
    """

    #: Something is between.
    HIDDEN = 0
    #: It is seen.
    VISIBLE = 1
    #: It is a hole, or too far.
    OUTSIDE = 2


@dataclass(frozen=True, slots=True, eq=False)
class Viewshed:
    """Which samples of a terrain are seen.

    Attributes
    ----------
    samples : numpy.ndarray of int8, (rows, columns)
        A `Visibility` each.
    eye : numpy.ndarray of float64, (3,)
        The eye, metres.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.HeightField([[0, 0, 5, 0, 9]] * 3), name="map")
    >>> world.update()
    >>> seen = world.viewshed("map", [0, 1], above=2)
    >>> (seen.samples[1] == hitscan.Visibility.VISIBLE).tolist(), seen.eye.tolist()
    ([True, True, True, False, True], [0.0, 2.0, 1.0])
    """

    samples: NDArray[np.int8]
    eye: NDArray[np.float64]


class ViewshedQueries:
    """Queries about the ground that is seen, which worlds have."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def viewshed(
        self,
        terrain: int | str,
        eye: ArrayLike,
        *,
        above: float = 0.0,
        target_above: float = 0.0,
        max_distance: float = np.inf,
        curvature: bool = False,
        refraction: float = 0.0,
        earth_radius: float | None = None,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> Viewshed:
        """Return which samples of a terrain are seen from a point.

        A sample is seen where `is_visible` says so of the eye and of its point, both in f64.
        With `curvature` ground at the horizontal distance d lies lower by ``(1 - refraction) * d * d / (2 *
        earth_radius)``: each sample is lowered, its height rounded to f32, and what is between two is
        triangles of those, as ``hitscan viewshed --curvature`` has it. The sweep over the terrain follows Franklin
        and Ray, "Higher isn't necessarily better: visibility algorithms and experiments", 1994,
        with certain bounds in place of estimates; what they leave open an exact test decides.

        Parameters
        ----------
        terrain : int or str
            The handle or the name of the terrain.
        eye : array_like, (2,) or (3,)
            The ground at (x, z), or a point (x, y, z), metres.
        above : float, optional
            How far the eye is lifted above that, metres.
        target_above : float, optional
            How far above the samples the points are that are looked for, metres.
        max_distance : float, optional
            How far away samples may be, horizontally, metres, itself included.
        curvature : bool, optional
            Whether the earth is round. Only terrain may hide then: what else is there is excluded by `ignore`
            or `layers`.
        refraction : float, optional
            The part of the curvature that air takes back by bending light, such as 0.13.
        earth_radius : float, optional
            Metres; by default 6378137, that of WGS 84 at the equator.
        layers : int, optional
            Only objects in one of these layers hide, a bit each.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not hide.

        Returns
        -------
        Viewshed
            Which samples are seen, and where the eye is.

        Raises
        ------
        ValueError
            For numbers that are not finite, for a negative distance, for `refraction` or `earth_radius` without
            `curvature`, with it for a world with models or solids that hide, for an object that is no terrain, and for an
            eye that is given as (x, z) and not over ground of it.
        KeyError
            For an object that there is not.

        Examples
        --------
        A ridge hides the lower ground behind it.

        >>> import numpy as np, hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.HeightField([[0, 0, 5, 0, 9]] * 3), name="map")
        >>> world.update()
        >>> world.viewshed("map", [0, 1], above=2).samples[1]
        array([1, 1, 1, 0, 1], dtype=int8)

        The sea ends 5 km away from eyes at 2 m.

        >>> sea = world.add(hitscan.HeightField(np.zeros((2, 11)), spacing=1000.0), name="sea")
        >>> world.viewshed("sea", [0, 0], above=2, curvature=True, ignore="map").samples[0]
        array([1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], dtype=int8)
        """
        return viewshed_of(
            self._view(),
            terrain,
            eye,
            (above, target_above, max_distance, _round(curvature, refraction, earth_radius)),
            seen_objects(layers, ignore),
        )

    def viewshed_counts(
        self,
        terrain: int | str,
        eyes: ArrayLike,
        *,
        above: float = 0.0,
        target_above: float = 0.0,
        max_distance: float = np.inf,
        curvature: bool = False,
        refraction: float = 0.0,
        earth_radius: float | None = None,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> NDArray[np.int32]:
        """Return how many of several points see each sample of a terrain.

        Parameters
        ----------
        terrain, above, target_above, max_distance, curvature, refraction, earth_radius, layers, ignore
            As for `viewshed`.
        eyes : array_like, (n, 2) or (n, 3)
            The ground at each (x, z), or points (x, y, z), metres.

        Returns
        -------
        numpy.ndarray of int32, (rows, columns)
            How many see each sample; -1 at holes, and where a sample is too far from all.

        Raises
        ------
        ValueError, KeyError
            As `viewshed`.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.HeightField([[0, 0, 5, 0, 9]] * 3), name="map")
        >>> world.viewshed_counts("map", [[0, 1], [4, 1]], above=2)[1]
        array([2, 1, 2, 1, 2], dtype=int32)
        """
        sizes = (above, target_above, max_distance, _round(curvature, refraction, earth_radius))
        return counts_of(self._view(), terrain, eyes, sizes, seen_objects(layers, ignore))


class OwnViewshedQueries:
    """Queries about the ground that is seen, which terrain has."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def viewshed(
        self,
        eye: ArrayLike,
        *,
        above: float = 0.0,
        target_above: float = 0.0,
        max_distance: float = np.inf,
        curvature: bool = False,
        refraction: float = 0.0,
        earth_radius: float | None = None,
    ) -> Viewshed:
        """Return which samples are seen from a point, as `World.viewshed`.

        Parameters
        ----------
        eye, above, target_above, max_distance, curvature, refraction, earth_radius
            As for `World.viewshed`.

        Returns
        -------
        Viewshed
            Which samples are seen, and where the eye is.

        Raises
        ------
        ValueError
            As `World.viewshed`.

        Examples
        --------
        >>> import hitscan
        >>> ridge = hitscan.HeightField([[0, 0, 5, 0, 9]] * 3)
        >>> ridge.viewshed([0, 1], above=2).samples[1]
        array([1, 1, 1, 0, 1], dtype=int8)
        """
        sizes = (above, target_above, max_distance, _round(curvature, refraction, earth_radius))
        return viewshed_of(self._view(), None, eye, sizes, (ALL_LAYERS, []))

    def viewshed_counts(
        self,
        eyes: ArrayLike,
        *,
        above: float = 0.0,
        target_above: float = 0.0,
        max_distance: float = np.inf,
        curvature: bool = False,
        refraction: float = 0.0,
        earth_radius: float | None = None,
    ) -> NDArray[np.int32]:
        """Return how many of several points see each sample, as `World.viewshed_counts`.

        Parameters
        ----------
        eyes, above, target_above, max_distance, curvature, refraction, earth_radius
            As for `World.viewshed_counts`.

        Returns
        -------
        numpy.ndarray of int32, (rows, columns)
            How many see each sample; -1 at holes, and where a sample is too far from all.

        Raises
        ------
        ValueError
            As `World.viewshed`.

        Examples
        --------
        >>> import hitscan
        >>> ridge = hitscan.HeightField([[0, 0, 5, 0, 9]] * 3)
        >>> ridge.viewshed_counts([[0, 1], [4, 1]], above=2)[1]
        array([2, 1, 2, 1, 2], dtype=int32)
        """
        sizes = (above, target_above, max_distance, _round(curvature, refraction, earth_radius))
        return counts_of(self._view(), None, eyes, sizes, (ALL_LAYERS, []))


#: How far the eye is lifted, the targets, and the maximum distance; refraction and radius of a round earth.
Sizes: TypeAlias = tuple[float, float, float, tuple[float, float | None] | None]


def _round(
    curvature: bool, refraction: float, earth_radius: float | None
) -> tuple[float, float | None] | None:
    """Return refraction and radius of a round earth, None of a flat one."""
    if curvature:
        return refraction, earth_radius
    if refraction != 0.0 or earth_radius is not None:
        name = "refraction" if refraction != 0.0 else "earth_radius"
        raise ValueError(f"{name}: it belongs to curvature=True")
    return None


def viewshed_of(
    view: _hitscan.View,
    terrain: int | str | None,
    eye: ArrayLike,
    sizes: Sizes,
    seen: tuple[int, list[Any]],
) -> Viewshed:
    """Return which samples are seen, or say why there is no answer; None is the view's own terrain."""
    place = np.asarray(eye, dtype=np.float64)
    if place.shape not in ((2,), (3,)) or not np.isfinite(place).all():
        raise ValueError(f"eye: expected two or three finite numbers, found {eye!r}")
    found = _hitscan.viewshed(view, terrain, place.tolist(), sizes, seen)
    if found is None:
        raise ValueError(_no_viewshed(view, terrain, place.tolist()))
    return Viewshed(found[0], np.array(found[1]))


def counts_of(
    view: _hitscan.View,
    terrain: int | str | None,
    eyes: ArrayLike,
    sizes: Sizes,
    seen: tuple[int, list[Any]],
) -> NDArray[np.int32]:
    """Return how many of the eyes see each sample."""
    places = np.asarray(eyes, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] not in (2, 3) or len(places) == 0:
        raise ValueError(f"eyes: expected an array of shape (n, 2) or (n, 3), found {places.shape}")
    counts: NDArray[np.int32] | None = None
    for place in places:
        samples = viewshed_of(view, terrain, place, sizes, seen).samples
        counts = np.full(samples.shape, -1, np.int32) if counts is None else counts
        np.maximum(counts, 0, out=counts, where=samples != Visibility.OUTSIDE)
        counts += samples == Visibility.VISIBLE
    assert counts is not None
    return counts


def _no_viewshed(view: _hitscan.View, terrain: int | str | None, eye: list[float]) -> str:
    """Return why there is no viewshed."""
    kind = "terrain" if terrain is None else view.kind(view.handle(terrain))
    if kind != "terrain":
        return f"terrain: expected a terrain, object {terrain!r} is a {kind}"
    return f"eye: {eye} is not over ground: it is beyond the terrain, or over a hole"
