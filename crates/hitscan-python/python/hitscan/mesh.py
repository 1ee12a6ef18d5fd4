"""Triangle meshes."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import Invalid
from .arcs import ArcQueries
from .closest import ClosestQueries
from .contacts import ContactQueries
from .notebook import html_view
from .picture import PictureQueries
from .rays import RayQueries, Sides, corner_arrays, origin_of
from .sweeps import SweepQueries
from .turnings import TurningQueries

__all__ = ["TriMesh"]


class TriMesh(
    RayQueries, SweepQueries, TurningQueries, ContactQueries, ClosestQueries, ArcQueries, PictureQueries
):
    """A triangle mesh with the tree that makes queries fast.

    Two-sided: rays hit both sides unless `sides` says otherwise. Corners are counter-clockwise seen
    from the front. Triangles without area keep their number and are never hit. A mesh does not
    change.

    Parameters
    ----------
    vertices : array_like, (n, 3)
        Positions, metres, of any real dtype, within 1e18 of 0.
    triangles : array_like, (m, 3)
        The corners of each triangle: indices of vertices, of any whole dtype.
    origin : array_like, (3,), optional
        A point, in f64, that positions and questions are measured from: it is taken off before
        they are rounded to f32, and added to points of answers. For meshes far from 0, at UTM
        coordinates say. None takes nothing off.

    Raises
    ------
    ValueError
        For arrays of other shapes, positions that are not finite or out of range, and corners that
        are no vertex.
    TypeError
        For what is no array of real numbers, or of whole ones.

    Examples
    --------
    >>> import hitscan
    >>> sheet = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> hits = sheet.cast_rays([0.25, 0.25, 3], [0, 0, -1])
    >>> float(hits.t), int(hits.triangle), hits.uv.tolist()
    (3.0, 0, [0.25, 0.25])
    """

    __slots__ = ("__weakref__", "_raw", "_whole")

    _raw: _hitscan.TriMesh
    _whole: _hitscan.View

    def __init__(
        self,
        vertices: ArrayLike,
        triangles: ArrayLike,
        *,
        origin: ArrayLike | None = None,
    ) -> None:
        low = high = np.zeros(3)
        place = origin_of(origin, low, high)
        self._set(_hitscan.TriMesh(vertices, triangles, place))

    def _set(self, raw: _hitscan.TriMesh) -> None:
        self._raw = raw
        self._whole = _hitscan.View.of_mesh(raw)

    def _view(self) -> _hitscan.View:
        return self._whole

    @classmethod
    def _of(cls, raw: _hitscan.TriMesh) -> TriMesh:
        mesh = cls.__new__(cls)
        mesh._set(raw)
        return mesh

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, up: Literal["y", "z"] = "y") -> TriMesh:
        """Read a model file: all its triangles, in its rest pose.

        Parameters
        ----------
        path : path-like
            A file that ends in .gltf, .glb, .obj, .stl or .ply.
        up : {"y", "z"}, optional
            The axis that points up in an OBJ, STL or PLY file; z is turned to y.

        Returns
        -------
        TriMesh
            The mesh, without an origin.

        Raises
        ------
        FileError
            For a file that cannot be read or is broken, with the place and what was expected.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "sheet.obj")
        ...     _ = path.write_text("v 0 0 0\\nv 1 0 0\\nv 0 0 -1\\nf 1 2 3\\n")
        ...     hitscan.TriMesh.read(path).triangle_count
        1
        """
        return cls._of(_hitscan.TriMesh.read(os.fspath(path), up))

    @classmethod
    def from_trimesh(
        cls, mesh: Any, *, origin: ArrayLike | Literal["center"] | None = "center"
    ) -> TriMesh:
        """Take the triangles of a `trimesh.Trimesh`.

        Parameters
        ----------
        mesh : trimesh.Trimesh
            What has `vertices`, (n, 3) float64, and `faces`, (m, 3) int.
        origin : "center", array_like or None, optional
            What positions are measured from: by default the middle of the vertices' bounds.

        Returns
        -------
        TriMesh
            A copy; triangle k is face k.

        Raises
        ------
        ValueError
            As `TriMesh`.

        Examples
        --------
        >>> import hitscan
        >>> class Mesh:
        ...     vertices = [[500000, 0, 0], [500001, 0, 0], [500000, 1, 0]]
        ...     faces = [[0, 1, 2]]
        >>> mesh = hitscan.TriMesh.from_trimesh(Mesh)
        >>> mesh.origin.tolist()
        [500000.5, 0.5, 0.0]
        >>> mesh.cast_rays([500000.3, 0.2, 3], [0, 0, -1]).point.round(6).tolist()
        [500000.3, 0.2, 0.0]
        """
        return cls._of_arrays(mesh.vertices, mesh.faces, origin)

    @classmethod
    def from_open3d(
        cls, mesh: Any, *, origin: ArrayLike | Literal["center"] | None = "center"
    ) -> TriMesh:
        """Take the triangles of an Open3D mesh, of either of its two classes.

        Parameters
        ----------
        mesh : open3d.geometry.TriangleMesh or open3d.t.geometry.TriangleMesh
            The mesh.
        origin : "center", array_like or None, optional
            What positions are measured from: by default the middle of the vertices' bounds.

        Returns
        -------
        TriMesh
            A copy; triangle k is triangle k there.

        Raises
        ------
        ValueError
            As `TriMesh`.

        Examples
        --------
        >>> import hitscan
        >>> class Mesh:
        ...     vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        ...     triangles = [[0, 1, 2]]
        >>> hitscan.TriMesh.from_open3d(Mesh).triangle_count
        1
        """
        if hasattr(mesh, "vertex"):
            positions = mesh.vertex.positions.cpu().numpy()
            return cls._of_arrays(positions, mesh.triangle.indices.cpu().numpy(), origin)
        return cls._of_arrays(mesh.vertices, mesh.triangles, origin)

    @classmethod
    def from_pyvista(
        cls, mesh: Any, *, origin: ArrayLike | Literal["center"] | None = "center"
    ) -> TriMesh:
        """Take the surface of a PyVista data set, its polygons cut into triangles.

        Parameters
        ----------
        mesh : pyvista.PolyData or another pyvista.DataSet
            The data set; of one that is no surface its outer surface.
        origin : "center", array_like or None, optional
            What positions are measured from: by default the middle of the vertices' bounds.

        Returns
        -------
        TriMesh
            A copy. Where all polygons are triangles, triangle k is polygon k.

        Raises
        ------
        ValueError
            As `TriMesh`.

        Examples
        --------
        >>> import hitscan
        >>> class Mesh:
        ...     is_all_triangles = True
        ...     points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        ...     faces = [3, 0, 1, 2]
        >>> hitscan.TriMesh.from_pyvista(Mesh).triangle_count
        1
        """
        if not hasattr(mesh, "faces"):
            mesh = mesh.extract_surface()
        if not mesh.is_all_triangles:
            mesh = mesh.triangulate()
        faces = np.asarray(mesh.faces).reshape(-1, 4)[:, 1:]
        return cls._of_arrays(mesh.points, faces, origin)

    @classmethod
    def _of_arrays(cls, vertices: Any, triangles: Any, origin: Any) -> TriMesh:
        positions = np.asarray(vertices)
        if positions.size == 0:
            return cls(np.empty((0, 3)), triangles, origin=origin_of(origin, np.zeros(3), np.zeros(3)))
        low, high = positions.min(axis=0), positions.max(axis=0)
        place = origin_of(origin, low.astype(np.float64), high.astype(np.float64))
        return cls(positions, triangles, origin=place)

    @property
    def vertices(self) -> NDArray[np.float64] | NDArray[np.float32]:
        """The positions, metres, (n, 3): float64 with an origin, else float32."""
        positions = self._raw.positions()
        origin = self.origin
        return positions if origin is None else positions + origin

    @property
    def triangles(self) -> NDArray[np.int64]:
        """The corners of each triangle, indices of vertices, (m, 3) int64."""
        return self._raw.triangles()

    @property
    def origin(self) -> NDArray[np.float64] | None:
        """What positions are measured from, metres, (3,) float64, if anything."""
        origin = self._raw.origin
        return None if origin is None else np.array(origin)

    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """Minimum and maximum corner of the box around all triangles, metres, (2, 3) float64."""
        return corner_arrays(self._raw.bounds)

    @property
    def triangle_count(self) -> int:
        """How many triangles there are."""
        return self._raw.triangle_count

    @property
    def is_closed(self) -> bool:
        """Whether the triangles make a closed surface, so that points can be inside.

        Each edge is run through as often one way as the other. Corners are one where their
        coordinates, rounded to f32, are equal, and triangles without area count. It is computed
        once, on first use.
        """
        return self._raw.is_closed()

    def contains(
        self, points: ArrayLike, *, invalid: Invalid = "raise", threads: int | None = None
    ) -> NDArray[np.bool_]:
        """Return whether each point is strictly inside: the answers of `inside` of `closest_points`
        with ``signed=True``, several times as fast.

        Inside is where the winding number is not 0, by the crossings of a ray from the point, each
        of which is decided exactly; a point on the surface is not inside.

        Parameters
        ----------
        points : array_like, (..., 3)
            Metres.
        invalid : {"raise", "mark"}, optional
            What becomes of points that are not finite: a `ValueError`, or False.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        numpy.ndarray of bool
            Whether they are, in the shape of the points.

        Raises
        ------
        ValueError
            For a mesh that is not closed, see `is_closed`; for arrays of other shapes, and for a row
            that is no point, with its index.
        TypeError
            For what is no array of real numbers.

        Examples
        --------
        >>> import hitscan
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> mesh = hitscan.TriMesh(corners, [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
        >>> mesh.contains([[0.25, 0.25, 0.25], [0.5, 0.5, 0.5], [0.25, 0.25, 0.0]])
        array([ True, False, False])
        """
        if not self.is_closed:
            raise ValueError(
                "the mesh is not closed, so that nothing is inside: an edge of it is run through more "
                "often one way than the other, as at a hole or where a triangle is turned over"
            )
        return _hitscan.contains(self._whole, points, invalid, threads)

    def count_rays(
        self,
        origins: ArrayLike,
        directions: ArrayLike | None = None,
        *,
        t_min: ArrayLike = 0.0,
        t_max: ArrayLike = np.inf,
        sides: Sides = "both",
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.int64]:
        """Return how many hits each ray has: `count` of `cast_rays_all`, without the hits.

        Parameters
        ----------
        origins, directions, t_min, t_max, sides : array_like or str
            As for `cast_rays`.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no ray: a `ValueError`, or 0 hits.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        numpy.ndarray of int64
            How many, in the shape of the rays.

        Raises
        ------
        ValueError, TypeError
            As `cast_rays`.

        Examples
        --------
        >>> import hitscan
        >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> mesh = hitscan.TriMesh(corners, [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
        >>> mesh.count_rays([[0.25, 0.25, 9], [0.25, 0.25, 0.125], [2, 2, 9]], [0, 0, -1])
        array([2, 1, 0])
        """
        return _hitscan.count_rays(
            self._whole, origins, directions, (t_min, t_max), sides, invalid, threads
        )

    @property
    def memory_bytes(self) -> int:
        """The bytes that the mesh and its tree take."""
        return self._raw.memory_bytes

    def _repr_html_(self) -> str:
        rows = [("vertices", f"{self._raw.vertex_count:,}"), ("triangles", f"{self.triangle_count:,}")]
        return html_view(self, "TriMesh", ("of", "count"), rows)

    def __repr__(self) -> str:
        return f"TriMesh({self._raw.vertex_count} vertices, {self.triangle_count} triangles)"

    def __reduce__(self) -> tuple[Any, ...]:
        raw = self._raw
        return _restored, (raw.positions(), raw.triangles(), raw.origin)


def _restored(positions: Any, triangles: Any, origin: tuple[float, float, float] | None) -> TriMesh:
    """Return a pickled mesh: its positions are kept as they were, measured from its origin."""
    raw = _hitscan.TriMesh.restored(positions, triangles, origin)
    return TriMesh._of(raw)
