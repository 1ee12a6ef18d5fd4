"""Animated models: their parts, nodes and clips, and poses of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .posed_model import PosedModel

__all__ = ["Clip", "Model", "Node", "Part", "Pose"]


@dataclass(frozen=True, slots=True)
class Clip:
    """An animation of a model.

    Examples
    --------
    >>> import hitscan, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
    >>> [clip.name for clip in robot.clips]
    ['Walk', 'Wave']
    """

    #: Its name in the file, if it has one.
    name: str | None
    #: The time of its first key, seconds on its own timeline.
    start: float
    #: The time of its last key, seconds.
    end: float


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a model's hierarchy: what joints and parts are placed by.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Node("hips", None).name
    'hips'
    """

    #: Its name in the file, if it has one.
    name: str | None
    #: The number of the node above, None for a root.
    parent: int | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a model, as answers number them: one primitive of one node's mesh.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Part("blade", 0, 3, 1, None, 0).triangle_count
    1
    """

    #: Its name.
    name: str
    #: The number of its node.
    node: int
    #: How many vertices it has.
    vertex_count: int
    #: How many triangles it has.
    triangle_count: int
    #: The number of the skin whose joints move it, if any.
    skin: int | None
    #: How many morph targets it has.
    morph_target_count: int


class Pose:
    """Where the nodes of a model are, and the weights of its morph targets; it does not change.

    Poses come from `Model.pose` and `Model.rest_pose`, and can be blended and changed node by node.
    Where the numbers come from outside, a ragdoll or inverse kinematics say, `Model.place_node`
    takes transforms in the model's space.

    Examples
    --------
    >>> import hitscan, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
    >>> half = robot.pose("Walk", 0.3).blended(robot.pose("Wave", 0.5), 0.5)
    >>> half == robot.rest_pose
    False
    """

    __slots__ = ("__weakref__", "_model", "_raw")

    def __init__(self, model: Model, raw: _hitscan.Pose) -> None:
        self._model = model
        self._raw = raw

    @property
    def model(self) -> Model:
        """The model."""
        return self._model

    @property
    def locals(self) -> list[NDArray[np.float64]]:
        """
        The transform of each node in its parent's space, float64.

        Ten numbers, the translation (metres), the rotation x, y, z, w and the scale, or a matrix of
        shape (4, 4) for columns of points.
        """
        return [
            np.array(local) if len(local) == 10 else np.array(local).reshape(4, 4).T
            for local in self._raw.locals()
        ]

    @property
    def morph_weights(self) -> list[NDArray[np.float64]]:
        """The weights of each node's morph targets, float64."""
        return [np.array(weights) for weights in self._raw.morph_weights()]

    def with_local(self, node: int | str, local: ArrayLike) -> Pose:
        """Return the same pose with another transform of a node in its parent's space.

        Parameters
        ----------
        node : int or str
            The node, by number or name.
        local : array_like, (10,) or (4, 4)
            As `locals` has it.

        Returns
        -------
        Pose
            The other pose.

        Raises
        ------
        KeyError
            For a node that the model does not have.
        ValueError
            For numbers that are not finite, and arrays of another shape.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> local = robot.rest_pose.locals[0].copy()
        >>> local[1] += 2.0
        >>> lifted = robot.rest_pose.with_local(0, local)
        >>> float(lifted.locals[0][1] - robot.rest_pose.locals[0][1])
        2.0
        """
        array = np.asarray(local, dtype=np.float64)
        if array.shape not in ((10,), (4, 4)):
            raise ValueError(f"local: expected shape (10,) or (4, 4), found {array.shape}")
        numbers: list[float] = array.T.reshape(-1).tolist()
        number = self._model.node_number(node)
        return Pose(self._model, self._raw.with_local(number, numbers))

    def with_morph_weights(self, node: int | str, weights: ArrayLike) -> Pose:
        """Return the same pose with other weights of a node's morph targets.

        Parameters
        ----------
        node : int or str
            The node, by number or name.
        weights : array_like, (n,)
            As many as it has.

        Returns
        -------
        Pose
            The other pose.

        Raises
        ------
        KeyError
            For a node that the model does not have.
        ValueError
            For another number of weights, and for weights that are not finite.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.rest_pose.with_morph_weights("Hips", []) == robot.rest_pose
        True
        """
        numbers: list[float] = np.asarray(weights, dtype=np.float64).reshape(-1).tolist()
        number = self._model.node_number(node)
        return Pose(self._model, self._raw.with_morph_weights(number, numbers))

    def blended(self, other: Pose, alpha: float) -> Pose:
        """Return the pose a part of the way from this one to another.

        Translations, scales and morph weights are interpolated linearly, rotations along the
        shorter arc at an even speed (Shoemake, "Animating rotation with quaternion curves", 1985).

        Parameters
        ----------
        other : Pose
            Another pose of the same model.
        alpha : float
            From 0, this pose, to 1, the other, each bit for bit.

        Returns
        -------
        Pose
            The pose between.

        Raises
        ------
        ValueError
            For an alpha that is not within 0 and 1, and the pose of another model.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> walk = robot.pose("Walk", 0.3)
        >>> walk.blended(robot.rest_pose, 0.0) == walk
        True
        """
        return Pose(self._model, self._raw.blended(other._raw, alpha))

    @staticmethod
    def blend_of(poses: Sequence[Pose], weights: Sequence[float]) -> Pose:
        """Return a blend of any number of poses of one model.

        They are taken in their order; for rotations the order matters a little.

        Parameters
        ----------
        poses : sequence of Pose
            The poses, at least one.
        weights : sequence of float
            The weight of each, not negative; they are divided by their sum.

        Returns
        -------
        Pose
            The blend.

        Raises
        ------
        ValueError
            For negative weights, a sum of 0, poses of different models, and none at all.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> poses = [robot.pose("Walk", 0.3), robot.pose("Wave", 0.5)]
        >>> hitscan.Pose.blend_of(poses, [3, 0]) == poses[0]
        True
        """
        if len(poses) != len(weights):
            raise ValueError(
                f"weights: expected one for each of {len(poses)} poses, found {len(weights)}"
            )
        raw = _hitscan.Pose.blend_of([pose._raw for pose in poses], list(weights))
        return Pose(poses[0]._model, raw)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return self._raw == other._raw

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Pose({len(self._model.nodes)} nodes)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_pose, (self._model, self._raw.locals(), self._raw.morph_weights())


def _restored_pose(model: Model, locals: list[list[float]], weights: list[list[float]]) -> Pose:
    """Return a pickled pose."""
    return Pose(model, model._raw.restored_pose(locals, weights))


class Model:
    """An animated model: a hierarchy of nodes, parts that they move, and clips.

    It does not change. Nodes are chained, and vertices morphed and then skinned by linear blending,
    in f64, and rounded to f32 once (Khronos Group, "glTF 2.0 Specification", 2021).

    Make one by `from_gltf`, and query a `PosedModel`, or a `World` that has it.

    Examples
    --------
    >>> import hitscan, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
    >>> walking = robot.posed(robot.pose("Walk", 0.3))
    >>> hits = walking.cast_rays([0, 1, 9], [0, 0, -1], fields=["hit", "part", "joint"])
    >>> robot.parts[int(hits.part)].name, robot.nodes[int(hits.joint)].name
    ('Hips', 'Hips')
    """

    __slots__ = ("__weakref__", "_raw")

    _raw: _hitscan.Model

    def __init__(self) -> None:
        raise TypeError("Model.from_gltf makes models")

    @classmethod
    def _of(cls, raw: _hitscan.Model) -> Model:
        model = cls.__new__(cls)
        model._raw = raw
        return model

    @classmethod
    def from_gltf(cls, path: str | os.PathLike[str], *, scene: int | None = None) -> Model:
        """Read a glTF 2.0 file; an OBJ, STL or PLY file is a model without clips.

        Parameters
        ----------
        path : path-like
            A file that ends in .gltf, .glb, .obj, .stl or .ply. Buffers of a .gltf file may lie in its
            own folder and below; images are never opened.
        scene : int, optional
            The scene whose parts are wanted; by default the file's default scene, else its first,
            else everything.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        FileError
            For a file that cannot be read or is broken, with the place and what was expected.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        Model(20 parts, 26 nodes, 2 clips)
        """
        return cls._of(_hitscan.Model.read(os.fspath(path), scene))

    @property
    def clips(self) -> tuple[Clip, ...]:
        """The animations, in the file's order."""
        return tuple(Clip(*clip) for clip in self._raw.clips())

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in the file's order: `joint` of an answer numbers them."""
        return tuple(Node(*node) for node in self._raw.nodes())

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts: `part` of an answer numbers them."""
        return tuple(Part(*part) for part in self._raw.parts())

    @property
    def joints(self) -> tuple[int, ...]:
        """The numbers of the nodes that are joints of a skin, in ascending order."""
        return tuple(self._raw.joints())

    @property
    def triangle_count(self) -> int:
        """How many triangles all parts have."""
        return self._raw.triangle_count

    @property
    def memory_bytes(self) -> int:
        """The bytes that the model takes."""
        return self._raw.memory_bytes

    @property
    def warnings(self) -> list[str]:
        """What may make the model another one than its author means, one sentence each."""
        return self._raw.warnings

    @property
    def rest_pose(self) -> Pose:
        """The pose in which the file has the nodes."""
        return Pose(self, self._raw.rest_pose())

    def node_number(self, node: int | str) -> int:
        """Return the number of a node.

        Parameters
        ----------
        node : int or str
            The node, by number or name; of several with one name the first.

        Returns
        -------
        int
            Its number.

        Raises
        ------
        KeyError
            For a node that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.node_number("Hips")
        1
        """
        if isinstance(node, str):
            found = self._raw.find_node(node)
            if found is None:
                raise KeyError(f"no node is called {node!r}")
            return found
        if not 0 <= node < len(self._raw.nodes()):
            raise KeyError(f"no node has the number {node}")
        return node

    def pose(self, clip: str | int, time: float) -> Pose:
        """Return the pose at a time of a clip.

        What the clip does not move is at rest. Times before the first key and after the last are those
        of the first and the last; nothing repeats.

        Parameters
        ----------
        clip : str or int
            The clip, by name or number.
        time : float
            Seconds on the clip's own timeline.

        Returns
        -------
        Pose
            The pose.

        Raises
        ------
        KeyError
            For a clip that the model does not have.
        ValueError
            For a time that is not finite.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.pose("Walk", 0.35)
        Pose(26 nodes)
        """
        return Pose(self, self._raw.pose_at(self._raw.find_clip(clip_name(clip)), time))

    def posed(self, pose: Pose) -> PosedModel:
        """Return the model in a pose: what rays are cast at.

        It costs little: joints are moved, and vertices where rays reach them. Nothing is built anew, as
        the tree of each part is that of the model.

        Parameters
        ----------
        pose : Pose
            A pose of this model.

        Returns
        -------
        PosedModel
            The model in the pose.

        Raises
        ------
        ValueError
            For the pose of another model, and one that takes a part beyond 1e18 m.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.posed(robot.pose("Wave", 0.5)).cast_rays_any([0, 1, 9], [0, 0, -1])
        array(True)
        """
        return PosedModel(self, self._raw.posed(pose._raw))

    def triangles(self, part: int | str) -> NDArray[np.int64]:
        """Return the corners of a part's triangles, which no pose changes.

        Parameters
        ----------
        part : int or str
            The part, by number or name; of several with one name the first.

        Returns
        -------
        numpy.ndarray, (m, 3) int64
            Indices of `PosedModel.vertices`.

        Raises
        ------
        KeyError
            For a part that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.triangles("Hips").shape
        (96, 3)
        """
        return self._raw.triangles(self.part_number(part))

    def part_number(self, part: int | str) -> int:
        """Return the number of a part.

        Parameters
        ----------
        part : int or str
            The part, by number or name; of several with one name the first.

        Returns
        -------
        int
            Its number.

        Raises
        ------
        KeyError
            For a part that the model does not have.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> robot.part_number("Hips")
        0
        """
        names = [found[0] for found in self._raw.parts()]
        if isinstance(part, str):
            if part not in names:
                raise KeyError(f"no part is called {part!r}")
            return names.index(part)
        if not 0 <= part < len(names):
            raise KeyError(f"no part has the number {part}")
        return part

    def model_from_nodes(self, pose: Pose) -> NDArray[np.float64]:
        """Return where a pose has the nodes.

        Parameters
        ----------
        pose : Pose
            A pose of this model.

        Returns
        -------
        numpy.ndarray, (n, 4, 4) float64
            For each node, from its own space to the model's, for columns of points.

        Raises
        ------
        ValueError
            For the pose of another model.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> places = robot.model_from_nodes(robot.pose("Walk", 0.3))
        >>> places[robot.node_number("Hips"), :3, 3].round(3).tolist()
        [0.0, 0.931, 0.0]
        """
        return self._raw.model_from_nodes(pose._raw)

    def place_node(self, pose: Pose, node: int | str, transform: ArrayLike) -> Pose:
        """Return a pose in which a node has a place in the model; nodes below move with it.

        Parameters
        ----------
        pose : Pose
            A pose of this model.
        node : int or str
            The node, by number or name. Place parents before their children.
        transform : array_like, (4, 4)
            From the node's own space to the model's, for columns of points.

        Returns
        -------
        Pose
            The other pose.

        Raises
        ------
        KeyError
            For a node that the model does not have.
        ValueError
            For a transform that is not finite, and where the node above is flattened.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> import numpy as np
        >>> raised = np.eye(4)
        >>> raised[:3, 3] = [0, 2, 0]
        >>> pose = robot.place_node(robot.rest_pose, "Hips", raised)
        >>> robot.model_from_nodes(pose)[robot.node_number("Hips"), :3, 3].tolist()
        [0.0, 2.0, 0.0]
        """
        raw = self._raw.place_node(pose._raw, self.node_number(node), transform)
        return Pose(self, raw)

    def max_displacement(self, one: Pose, other: Pose) -> float:
        """Return a bound on how far from the model's origin anything is in two poses and between.

        Parameters
        ----------
        one, other : Pose
            Poses of this model.

        Returns
        -------
        float
            Metres.

        Raises
        ------
        ValueError
            For the pose of another model.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> round(robot.max_displacement(robot.rest_pose, robot.pose("Walk", 0.3)), 3)
        2.379
        """
        return self._raw.max_displacement(one._raw, other._raw)

    def __repr__(self) -> str:
        raw = self._raw
        counts = len(raw.parts()), len(raw.nodes()), len(raw.clips())
        return "Model({} parts, {} nodes, {} clips)".format(*counts)

    def _repr_html_(self) -> str:
        return self.posed(self.rest_pose)._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        from .world import World

        world = World()
        world.add(self, name="model")
        world.update()
        return _restored_model, (world,)


def _restored_model(world: Any) -> Model:
    """Return a pickled model, which came as a world that holds it alone."""
    model: Model = world.model(0)
    return model


def clip_name(clip: str | int) -> str:
    """Return the name by which a clip is found, which may be its number."""
    return clip if isinstance(clip, str) else str(int(clip))
