"""Models in a pose: what rays are cast at."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _hitscan
from .arcs import ArcQueries
from .closest import ClosestQueries
from .contacts import ContactQueries
from .mesh import TriMesh
from .notebook import html_view
from .picture import PictureQueries
from .rays import RayQueries, corner_arrays
from .sweeps import SweepQueries
from .turnings import TurningQueries

if TYPE_CHECKING:
    from .model import Model, Pose

__all__ = ["PosedModel"]


class PosedModel(
    RayQueries, SweepQueries, TurningQueries, ContactQueries, ClosestQueries, ArcQueries, PictureQueries
):
    """A model in a pose, bounded at once and deformed only where queries reach it.

    Every answer is that of the vertices of all parts, bit for bit; triangles are hit as those of a
    `TriMesh`. `joint` and `bind_point` of an answer say which node moves the point most and where
    it lies before any pose, which is what stays with a surface that moves.

    Parameters
    ----------
    model : Model
        The model.
    raw : object
        The model in its pose; `Model.posed` makes it.

    References
    ----------
    L. Kavan, J. Zara, "Fast Collision Detection for Skeletally Deformable Models", Eurographics
    2005.

    Examples
    --------
    >>> import hitscan, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
    >>> walking = robot.posed(robot.pose("Walk", 0.3))
    >>> walking.vertices("Torso").shape[1]
    3
    """

    __slots__ = ("__weakref__", "_model", "_raw", "_whole")

    def __init__(self, model: Model, raw: _hitscan.PosedModel) -> None:
        self._model = model
        self._raw = raw
        self._whole = _hitscan.View.of_model(raw)

    def _view(self) -> _hitscan.View:
        return self._whole

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @property
    def pose(self) -> Pose:
        """The pose."""
        from .model import Pose

        return Pose(self._model, self._raw.pose())

    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """
        Minimum and maximum corner of the box around all triangles, metres, (2, 3) float64.

        All parts are deformed for it.
        """
        return corner_arrays(self._whole.bounds)

    @property
    def memory_bytes(self) -> int:
        """The bytes that it takes beside the model."""
        return self._raw.memory_bytes()

    def vertices(self, part: int | str) -> NDArray[np.float64]:
        """Return where the vertices of a part are.

        Parameters
        ----------
        part : int or str
            The part, by number or name; of several with one name the first.

        Returns
        -------
        numpy.ndarray, (n, 3) float64
            Metres, in the model's space. Those of a part that joints move have the values that rays are
            answered by, which are rounded to f32 once; those of another part are the file's,
            taken there in f64.

        Raises
        ------
        KeyError
            For a part that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walking = robot.posed(robot.pose("Walk", 0.3))
        >>> walking.vertices("Hips").shape
        (52, 3)
        """
        return self._raw.vertices(self._model.part_number(part))

    def triangles(self, part: int | str) -> NDArray[np.int64]:
        """Return the corners of a part's triangles, as `Model.triangles`.

        Parameters
        ----------
        part : int or str
            The part, by number or name; of several with one name the first.

        Returns
        -------
        numpy.ndarray, (m, 3) int64
            Indices of `vertices`. Where `is_mirrored`, they are clockwise seen from the front.

        Raises
        ------
        KeyError
            For a part that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walking = robot.posed(robot.pose("Walk", 0.3))
        >>> walking.triangles("Hips").shape
        (96, 3)
        """
        return self._model.triangles(part)

    def is_mirrored(self, part: int | str) -> bool:
        """Return whether the pose mirrors a part.

        Parameters
        ----------
        part : int or str
            The part, by number or name; of several with one name the first.

        Returns
        -------
        bool
            Whether corners of its triangles are clockwise seen from the front.

        Raises
        ------
        KeyError
            For a part that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walking = robot.posed(robot.pose("Walk", 0.3))
        >>> walking.is_mirrored("Hips")
        False
        """
        return self._raw.is_mirrored(self._model.part_number(part))

    def _arrays(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """All parts as one mesh: corners are counter-clockwise seen from the front."""
        vertices: list[NDArray[np.float64]] = [np.empty((0, 3))]
        triangles: list[NDArray[np.int64]] = [np.empty((0, 3), dtype=np.int64)]
        start = 0
        for part in range(len(self._model.parts)):
            own, corners = self.vertices(part), self.triangles(part) + start
            vertices.append(own)
            triangles.append(corners[:, [0, 2, 1]] if self.is_mirrored(part) else corners)
            start += len(own)
        return np.concatenate(vertices), np.concatenate(triangles)

    def to_mesh(self) -> TriMesh:
        """Return all parts as one mesh, which does not move.

        Returns
        -------
        TriMesh
            Triangles in the order of parts.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walking = robot.posed(robot.pose("Walk", 0.3))
        >>> walking.to_mesh()
        TriMesh(1362 vertices, 2576 triangles)
        """
        return TriMesh(*self._arrays())

    def to_trimesh(self) -> Any:
        """Return all parts as a `trimesh.Trimesh`; needs trimesh.

        Returns
        -------
        trimesh.Trimesh
            Faces in the order of parts, corners counter-clockwise seen from the front; nothing is
            merged or omitted.

        Raises
        ------
        ImportError
            When trimesh is not installed.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walking = robot.posed(robot.pose("Walk", 0.3))
        >>> walking.to_trimesh().faces.shape
        (2576, 3)
        """
        vertices, faces = self._arrays()
        return import_module("trimesh").Trimesh(vertices, faces, process=False)

    def __repr__(self) -> str:
        return f"PosedModel({len(self._model.parts)} parts)"

    def _repr_html_(self) -> str:
        model = self._model
        clips = ", ".join(
            f"{clip.name or number} ({clip.end - clip.start:g} s)"
            for number, clip in enumerate(model.clips)
        )
        rows = [
            (part.name, f"{part.triangle_count:,} triangles", "" if part.skin is None else "skin")
            for part in model.parts
        ]
        title = f"{model.triangle_count:,} triangles; clips: {clips or 'none'}"
        return html_view(self, title, ("part", "", ""), rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.pose,)


def _restored(pose: Pose) -> PosedModel:
    """Return a pickled model in its pose."""
    return pose.model.posed(pose)
