"""Rays for trimesh: `mesh.ray = hitscan.trimesh.RayMeshIntersector(mesh)`."""

from __future__ import annotations

from copy import copy
from importlib import import_module
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .mesh import TriMesh

__all__ = ["RayMeshIntersector"]

_Indices = NDArray[np.int64]
_Points = NDArray[np.float64]


class RayMeshIntersector:
    """The rays of a `trimesh.Trimesh`, answered by hitscan.

    It has the methods of trimesh's own intersectors, with their parameters, dtypes and shapes, and is
    used in their place: ``mesh.ray = hitscan.trimesh.RayMeshIntersector(mesh)``. The tree is made when
    it is first needed, and again after the mesh has changed. It can be pickled and copied.

    What differs:

    - No ray is lost between triangles, and `intersects_any` and `intersects_first` agree.
    - A crossing of an edge or a corner that triangles share is one hit, of one of them.
    - Hits come ray by ray, those of a ray in order of distance, each triangle at most once.
    - There may be any number of hits of a ray, unless `max_hits` is given.
    - Locations are rounded to f32 once, about the middle of the mesh.
    - A row that is no ray, such as NaN or a direction of zero, hits nothing.

    Parameters
    ----------
    geometry : trimesh.Trimesh
        The mesh.
    scale_to_box : bool, optional
        What trimesh's intersector with Embree takes. Nothing is scaled here, as nothing need be.

    Examples
    --------
    >>> import hitscan.trimesh
    >>> trimesh = __import__("pytest").importorskip("trimesh")
    >>> box = trimesh.creation.box((2, 2, 2))
    >>> box.ray = hitscan.trimesh.RayMeshIntersector(box)
    >>> locations, rays, triangles = box.ray.intersects_location([[0, 0, 5]], [[0, 0, -1]])
    >>> locations.tolist(), rays.tolist()
    ([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]], [0, 0])
    """

    def __init__(self, geometry: Any, scale_to_box: bool = True) -> None:
        self.mesh = geometry
        self._scale_to_box = scale_to_box
        self._made: tuple[int, TriMesh] | None = None

    def _triangles(self) -> TriMesh:
        """The triangles as they are now."""
        state = hash(self.mesh)
        if self._made is None or self._made[0] != state:
            self._made = state, TriMesh.from_trimesh(self.mesh)
        return self._made[1]

    def intersects_location(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        **kwargs: Any,
    ) -> tuple[_Points, _Indices, _Indices]:
        """Return where rays hit the mesh.

        Parameters
        ----------
        ray_origins : array_like, (n, 3)
            Where the rays begin.
        ray_directions : array_like, (n, 3)
            Where they go, of any length.
        multiple_hits : bool, optional
            Whether all hits of a ray are answered, or the first.
        **kwargs : dict
            As `intersects_id`.

        Returns
        -------
        locations : numpy.ndarray, (h, 3) float64
            Where they hit.
        index_ray : numpy.ndarray, (h,) int64
            The ray of each hit.
        index_tri : numpy.ndarray, (h,) int64
            Its triangle, an index of `mesh.faces`.
        """
        kwargs["return_locations"] = True
        found = self.intersects_id(ray_origins, ray_directions, multiple_hits, **kwargs)
        index_tri, index_ray, locations = found
        return locations, index_ray, index_tri

    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int | None = None,
        return_locations: Literal[False] = False,
    ) -> tuple[_Indices, _Indices]: ...
    @overload
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int | None = None,
        *,
        return_locations: Literal[True],
    ) -> tuple[_Indices, _Indices, _Points]: ...
    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int | None = None,
        return_locations: bool = False,
    ) -> tuple[_Indices, _Indices] | tuple[_Indices, _Indices, _Points]:
        """Return which triangles rays hit.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, (n, 3)
            As for `intersects_location`.
        multiple_hits : bool, optional
            As for `intersects_location`.
        max_hits : int, optional
            How many hits of a ray are answered at most, the nearest; by default all.
        return_locations : bool, optional
            Whether to answer where, too.

        Returns
        -------
        index_tri : numpy.ndarray, (h,) int64
            The triangles, indices of `mesh.faces`.
        index_ray : numpy.ndarray, (h,) int64
            The ray of each hit.
        locations : numpy.ndarray, (h, 3) float64
            Where it is; only with `return_locations`.
        """
        origins, directions = _rays(ray_origins, ray_directions)
        fields = ["triangle", "point"] if return_locations else ["triangle"]
        if multiple_hits:
            every = self._triangles().cast_rays_all(
                origins, directions, fields=fields, invalid="mark"
            )
            index_tri, index_ray = every.triangle, every.ray
            points = every.point if return_locations else None
            if max_hits is not None:
                kept = np.arange(len(index_ray)) - every.splits[index_ray] < max_hits
                index_tri, index_ray = index_tri[kept], index_ray[kept]
                points = None if points is None else points[kept]
        else:
            first = self._triangles().cast_rays(
                origins, directions, fields=["hit", *fields], invalid="mark"
            )
            index_ray = np.flatnonzero(first.hit)
            index_tri = first.triangle[index_ray]
            points = first.point[index_ray] if return_locations else None
        index_tri, index_ray = index_tri.astype(np.int64), index_ray.astype(np.int64)
        if points is None:
            return index_tri, index_ray
        return index_tri, index_ray, points.astype(np.float64)

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> _Indices:
        """Return the triangle that each ray hits first.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, (n, 3)
            As for `intersects_location`.

        Returns
        -------
        numpy.ndarray, (n,) int64
            An index of `mesh.faces`; -1 where there is none.
        """
        origins, directions = _rays(ray_origins, ray_directions)
        hits = self._triangles().cast_rays(
            origins, directions, fields=["triangle"], invalid="mark"
        )
        return hits.triangle.astype(np.int64)

    def intersects_any(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike
    ) -> NDArray[np.bool_]:
        """Return whether each ray hits anything.

        Parameters
        ----------
        ray_origins, ray_directions : array_like, (n, 3)
            As for `intersects_location`.

        Returns
        -------
        numpy.ndarray, (n,) bool
            Whether it does.
        """
        origins, directions = _rays(ray_origins, ray_directions)
        return self._triangles().cast_rays_any(origins, directions, invalid="mark")

    def contains_points(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return whether points are inside the mesh, by trimesh's rule with these rays.

        Parameters
        ----------
        points : array_like, (n, 3)
            The points; of those on the surface either may be said.

        Returns
        -------
        numpy.ndarray, (n,) bool
            Whether they are.
        """
        contains = import_module("trimesh.ray.ray_util").contains_points(self, points)
        return np.asarray(contains, dtype=np.bool_)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.mesh, self._scale_to_box)

    def __deepcopy__(self, memo: dict[int, Any]) -> RayMeshIntersector:
        return copy(self)


def _rays(origins: ArrayLike, directions: ArrayLike) -> tuple[_Points, _Points]:
    """Origins and directions of the same shape (n, 3), as trimesh wants them."""
    pair = np.asarray(origins, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    if pair[0].shape != pair[1].shape or pair[0].ndim != 2 or pair[0].shape[1] != 3:
        raise ValueError(
            "expected origins and directions of the same shape (n, 3), found "
            f"{pair[0].shape} and {pair[1].shape}"
        )
    return pair
