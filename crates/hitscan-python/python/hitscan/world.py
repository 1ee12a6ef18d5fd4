"""Worlds of objects, and what they were at a moment.

Each kind of query is a mixin in a file of its own: rays.py, sweeps.py, heights.py and so on.
"""

from __future__ import annotations

import operator
import os
import pickle
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .arcs import ArcQueries
from .closest import ClosestQueries
from .compound import Compound
from .contacts import ContactQueries
from .distances import DistanceQueries
from .errors import FileError, PendingChangesError, UnknownTickError
from .explain import ExplainQueries
from .filters import layer_mask
from .footprints import FootprintQueries
from .height_field import HeightField
from .heights import HeightQueries
from .mesh import TriMesh
from .model import Model, Pose, clip_name
from .notebook import MOST_ROWS, html_view
from .object_casts import ObjectCastQueries
from .object_tables import ObjectTableQueries
from .picture import PictureQueries
from .posed_model import PosedModel
from .overlaps import OverlapQueries
from .primitives import Primitive
from .rays import RayQueries, corner_arrays, point_of
from .sight import SightQueries
from .sweeps import SweepAllQueries, SweepQueries
from .trace import TraceQueries
from .turning_objects import TurningObjectQueries
from .turnings import TurningQueries
from .viewsheds import ViewshedQueries

__all__ = ["Shape", "Snapshot", "World"]

#: What a world can hold.
Shape: TypeAlias = TriMesh | HeightField | Model | PosedModel | Primitive | Compound

#: Objects by their handles or names.
Handles: TypeAlias = Sequence[int | str] | NDArray[np.integer]

#: Bytes that a world can be opened from.
Buffer: TypeAlias = bytes | bytearray | memoryview | pickle.PickleBuffer | NDArray[np.uint8]


class WorldQueries(
    RayQueries,
    HeightQueries,
    FootprintQueries,
    SweepQueries,
    SweepAllQueries,
    ObjectCastQueries,
    TurningQueries,
    TurningObjectQueries,
    ContactQueries,
    ClosestQueries,
    OverlapQueries,
    DistanceQueries,
    ArcQueries,
    SightQueries,
    ViewshedQueries,
    ExplainQueries,
    TraceQueries,
    PictureQueries,
    ObjectTableQueries,
):
    """What worlds and snapshots answer alike."""

    __slots__ = ()

    @property
    def handles(self) -> list[int]:
        """The handles of all objects, in the order of adding."""
        return self._view().handles()

    @property
    def object_names(self) -> list[str]:
        """The names of all objects, in the order of adding."""
        view = self._view()
        return [name or "" for name in view.names.of(view.handles())]

    @property
    def bounds(self) -> NDArray[np.float64] | None:
        """Minimum and maximum corner of the box around everything, metres, (2, 3) float64."""
        return corner_arrays(self._view().bounds)

    def object_bounds(self, handle: int | str) -> NDArray[np.float64] | None:
        """Return the box around an object.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.

        Returns
        -------
        numpy.ndarray or None
            Its minimum and its maximum corner, metres, (2, 3) float64; None where there is nothing
            of it.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 5, 0], 2))
        >>> world.update()
        >>> world.object_bounds(ball).tolist()
        [[-2.0, 3.0, -2.0], [2.0, 7.0, 2.0]]
        """
        view = self._view()
        return corner_arrays(view.object_bounds(_number(view, handle)))

    def model(self, handle: int | str) -> Model | None:
        """Return the model that an object shows.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.

        Returns
        -------
        Model or None
            None for what is no model.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     world = hitscan.World.from_scene(hitscan.write_demo(folder)["crowd.toml"])
        >>> world.model(1)
        Model(20 parts, 26 nodes, 2 clips)
        """
        view = self._view()
        raw = view.model(_number(view, handle))
        return None if raw is None else Model._of(raw)

    def pose(self, handle: int | str) -> Pose | None:
        """Return the pose of a model.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.

        Returns
        -------
        Pose or None
            None for what is no model.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     world = hitscan.World.from_scene(hitscan.write_demo(folder)["crowd.toml"])
        >>> world.pose(1)
        Pose(26 nodes)
        """
        view = self._view()
        number = _number(view, handle)
        model, pose = view.model(number), view.pose(number)
        return None if model is None or pose is None else Pose(Model._of(model), pose)

    def part_names(self, handle: int | str) -> list[str]:
        """Return the names of the parts of a model or a compound, by the numbers that answers give them as `part`.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.

        Returns
        -------
        list of str
            Empty for other objects.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> car = hitscan.Compound({"body": hitscan.Box([0, 0, 0], [4, 1, 2]), "bonnet": hitscan.Box([4, 0, 0], [5, 1, 2])})
        >>> world.part_names(world.add(car))
        ['body', 'bonnet']
        """
        view = self._view()
        return view.part_names(_number(view, handle))

    def __len__(self) -> int:
        return len(self._view().handles())

    def _repr_html_(self) -> str:
        view = self._view()
        handles = view.handles()
        names = view.names.of(handles[:MOST_ROWS])
        rows = [
            (str(handle), name or "", f"{view.kind(handle)}")
            for handle, name in zip(handles, names, strict=False)
        ]
        rows += [("", "", "")] * (len(handles) - len(rows))
        return html_view(self, f"{len(handles):,} objects", ("handle", "name", "kind"), rows)


class Snapshot(WorldQueries):
    """A world as it was at one moment: it answers what a world does, and does not change.

    Parameters
    ----------
    view : object
        What answers. `World.now` and `World.at` make snapshots.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    >>> world.update()
    >>> before = world.now()
    >>> world.remove(ball)
    >>> world.update()
    >>> len(before), len(world)
    (1, 0)
    """

    __slots__ = ("__weakref__", "_whole")

    def __init__(self, view: _hitscan.View) -> None:
        self._whole = view

    def _view(self) -> _hitscan.View:
        return self._whole

    def __repr__(self) -> str:
        return f"Snapshot({len(self)} objects)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Snapshot is not pickled: pickle its World, or send `World.to_bytes()`")


class World(WorldQueries):
    """Objects that move, come and go, and queries over all of them.

    A query sees all changes before it: it calls `update` where there are any. With ``auto_update=False``
    it raises `PendingChangesError` then. So a server calls `update` once a tick, and queries `now()`
    from its threads while the next tick is made. Any number of threads may query at once, and change
    the world meanwhile: a query goes on with what it began with.

    Handles are whole numbers, in the order of adding. They are never used again, and `object` of an
    answer has them.

    Parameters
    ----------
    origin : array_like, (3,), optional
        A point, in f64, that positions are measured from: it is taken off those of questions and
        objects before they are rounded to f32, and added to those of answers. For worlds far from
        0. By default that of the first shape that is added and has one (`TriMesh.origin`,
        `HeightField.local_origin`), and 0 until then; what was added before is then measured from
        it too. `add` refuses what lies so far from an origin that was taken so that f32 would keep
        less of it than of the shape alone; an origin that is stated stays, whatever is added.
    auto_update : bool, optional
        Whether queries make changes that are pending. It can be set later, also of worlds that were loaded.

    Raises
    ------
    ValueError
        For an origin that is not three finite numbers.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> world = hitscan.World()
    >>> ground = world.add(hitscan.HeightField(np.zeros((11, 11)), spacing=10.0), name="ground")
    >>> ball = world.add(hitscan.Sphere([50, 5, 50], 2), name="ball")
    >>> world.update()
    >>> hits = world.cast_rays([[50, 9, 50], [20, 9, 20]], [0, -1, 0])
    >>> hits.t, hits.object
    (array([2., 9.], dtype=float32), array([1, 0]))
    >>> hits.object_names
    array(['ball', 'ground'], dtype=object)
    """

    __slots__ = ("__weakref__", "_raw", "auto_update")

    _raw: _hitscan.World
    #: Whether queries make changes that are pending, or raise `PendingChangesError`.
    auto_update: bool

    def __init__(self, *, origin: ArrayLike | None = None, auto_update: bool = True) -> None:
        place = None if origin is None else point_of("origin", origin)
        self._raw = _hitscan.World(place)
        self.auto_update = auto_update

    @classmethod
    def _of(cls, raw: _hitscan.World) -> World:
        world = cls.__new__(cls)
        world._raw = raw
        world.auto_update = True
        return world

    def _view(self) -> _hitscan.View:
        view = self._raw.current()
        if view is None:
            self._make_changes()
            view = self._raw.now()
        return view

    def _make_changes(self) -> None:
        """Make the changes that are pending, or say that there are some."""
        if not self._raw.has_changes():
            return
        if not self.auto_update:
            raise PendingChangesError(
                "the world has changes that no update() has made: call update() first, or ask now()"
            )
        self._raw.update()

    @classmethod
    def from_scene(cls, path: str | os.PathLike[str]) -> World:
        """Read a scene file and all files that it names.

        Parameters
        ----------
        path : path-like
            A scene file, TOML.

        Returns
        -------
        World
            The world, up to date. Its `origin` is what the scene states in ``[world] origin``.

        Raises
        ------
        FileError
            For a fault of any of the files, with the file, the place and what was expected.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "scene.toml")
        ...     _ = path.write_text("[[sphere]]\\nname = 'planet'\\ncenter = [0, 5, 0]\\nradius = 2\\n")
        ...     hitscan.World.from_scene(path).object_names
        ['planet']
        """
        return cls._of(_hitscan.World.from_scene(os.fspath(path)))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, mmap: bool = True) -> World:
        """Open a file that `save` or ``hitscan bake`` wrote.

        Parameters
        ----------
        path : path-like
            The file.
        mmap : bool, optional
            Use the file where it lies: nothing large is read or copied, and processes that open it
            share its memory. It must not be written to meanwhile; `save` replaces it, which does no
            harm. Where False it is read into memory.

        Returns
        -------
        World
            The world, up to date, without a history.

        Raises
        ------
        FileError
            For a file that is damaged, no baked world, or of another version.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 5, 0], 2), name="ball")
        >>> world.update()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "world.baked")
        ...     world.save(path)
        ...     hitscan.World.load(path).object_names
        ['ball']
        """
        if not mmap:
            return cls.from_bytes(_content(path))
        return cls._of(_hitscan.load_world(os.fspath(path)))

    @classmethod
    def from_bytes(cls, buffer: Buffer) -> World:
        """Open the bytes of a world.

        Parameters
        ----------
        buffer : buffer
            What `to_bytes` returned, or the content of a baked file. Arrays are borrowed from a buffer
            that is read-only and begins at a multiple of 64, which nobody may then write to by
            another way; else they are copied.

        Returns
        -------
        World
            The world, up to date, without a history.

        Raises
        ------
        FileError
            For bytes that are damaged, no world, or of another version.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 5, 0], 2), name="ball")
        >>> world.update()
        >>> hitscan.World.from_bytes(world.to_bytes()).object_names
        ['ball']
        """
        return cls._of(_hitscan.world_of_buffer(buffer))

    def to_bytes(self) -> bytes:
        """Return all that answers need as bytes: those of a baked file.

        The history is not among them. Equal worlds have equal bytes, on every machine.

        Returns
        -------
        bytes
            For `from_bytes`.

        Raises
        ------
        PendingChangesError
            As queries.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> hitscan.World.from_bytes(world.to_bytes()).object_names
        ['ball']
        """
        self._make_changes()
        return _hitscan.baked_world(self._raw).tobytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the bytes of `to_bytes` to a file, which is there whole or not at all.

        Parameters
        ----------
        path : path-like
            The file. Commands of ``hitscan`` take it in place of a scene.

        Raises
        ------
        PendingChangesError
            As queries.
        OSError
            Where it cannot be written.

        Examples
        --------
        >>> import hitscan, pathlib, tempfile
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "world.hitscan")
        ...     world.save(path)
        ...     hitscan.World.load(path).object_names
        ['ball']
        """
        self._make_changes()
        _hitscan.save_world(self._raw, os.fspath(path))

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        self._make_changes()
        baked = _hitscan.baked_world(self._raw)
        if operator.index(protocol) < 5:
            return type(self).from_bytes, (baked.tobytes(),)
        baked.flags.writeable = False
        return type(self).from_bytes, (pickle.PickleBuffer(baked.data),)

    @property
    def scene_digest(self) -> str | None:
        """The SHA-256 of the scene file and all files that it names; None without a scene file."""
        return self._raw.scene_digest

    @property
    def warnings(self) -> list[str]:
        """What the scene's files probably mean otherwise than they say, one sentence each."""
        return self._raw.warnings()

    @property
    def origin(self) -> NDArray[np.float64] | None:
        """What positions are measured from, metres, (3,) float64, if anything.

        That of a shape which gave it counts for what is added from then on, and for answers from the
        next `update` on.
        """
        origin = self._raw.origin
        return None if origin is None else np.array(origin)

    def add(
        self,
        shape: Shape,
        *,
        name: str | None = None,
        transform: ArrayLike | None = None,
        layers: int = 1,
        pose: Pose | None = None,
    ) -> int:
        """Add an object; the next `update` shows it.

        Parameters
        ----------
        shape : TriMesh, HeightField, Model, PosedModel, Primitive or Compound
            What it is. Objects may share a mesh, terrain or a model, which is kept once.
        name : str, optional
            What it is called; by default its kind and its number.
        transform : array_like, (4, 4), optional
            From its own space to the world's, see `set_transforms`. Terrain takes none.
        layers : int, optional
            The layers that it is in, a bit each.
        pose : Pose, optional
            The pose of a model; by default that in which its file has it.

        Returns
        -------
        int
            Its handle.

        Raises
        ------
        ValueError
            For a name that is empty or another object's, a transform that the shape does not take, and a pose of
            what is no model or of another one. Where the world has taken its origin from a shape: for
            what is more than 65,536 m from it and has finer coordinates of its own, with the name.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> sheet = hitscan.TriMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> world = hitscan.World()
        >>> up = np.eye(4)
        >>> up[:3, 3] = [0, 7, 0]
        >>> world.add(sheet), world.add(sheet, transform=up)
        (0, 1)
        """
        if isinstance(shape, Model):
            shape = shape.posed(shape.rest_pose if pose is None else pose)
        elif pose is not None:
            raise ValueError("pose: only a model has one")
        return self._raw.add(_raw_shape(shape), name, transform, layer_mask(layers))

    def set_pose(self, handle: int | str, pose: Pose) -> None:
        """Put a model into a pose; the next `update` shows it.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.
        pose : Pose
            A pose of its model.

        Raises
        ------
        ValueError
            For what is no model, the pose of another model, and one that takes a part beyond 1e18 m.
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> world = hitscan.World()
        >>> ada = world.add(robot, name="ada")
        >>> world.set_pose(ada, robot.pose("Wave", 0.5))
        >>> world.update()
        >>> world.pose(ada) == robot.pose("Wave", 0.5)
        True
        """
        _hitscan.set_pose(self._raw, self._raw.handle(handle), pose._raw)

    def set_poses(
        self, handles: Handles, clip: str | int, times: ArrayLike
    ) -> None:
        """Put models into the poses of a clip, each at its own time; the next `update` shows it.

        This is how a crowd moves: one call, on all threads. It costs a few microseconds a model, as
        vertices are moved only where queries reach them.

        Parameters
        ----------
        handles : sequence of int or str
            The objects, which need not show the same model.
        clip : str or int
            The clip, by name or number.
        times : array_like, (n,) or ()
            Seconds on the clip's own timeline, one for each or one for all. Nothing repeats: take
            ``times % clip.end`` of what does.

        Raises
        ------
        ValueError
            For times of another shape or that are not finite, and for objects that are no model; all
            objects then stay as they were.
        KeyError
            For a handle of no object, and for a clip that a model does not have.

        Examples
        --------
        >>> import numpy as np, hitscan, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
        >>> world = hitscan.World()
        >>> crowd = [world.add(robot) for _ in range(100)]
        >>> world.set_poses(crowd, "Walk", 0.01 * np.arange(100))
        >>> world.update()
        >>> world.pose(crowd[7]) == robot.pose("Walk", 0.07)
        True
        """
        _hitscan.set_poses(self._raw, self._numbers(handles), clip_name(clip), times)

    def set_transforms(
        self, handles: Handles, transforms: ArrayLike
    ) -> None:
        """Move and turn objects; the next `update` shows it.

        Parameters
        ----------
        handles : sequence of int or str
            The objects: their handles, or their names.
        transforms : array_like, (n, 4, 4)
            From each object's own space to the world's, for columns of points; the last row is 0,
            0, 0, 1. A mesh may be scaled and mirrored. A solid's own space has its centre at 0, a
            capsule along +Y; it takes a rotation and a translation, and an axis-aligned box a
            translation only.

        Raises
        ------
        ValueError
            For a transform that the object does not take; those before it have got theirs.
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> world = hitscan.World()
        >>> balls = [world.add(hitscan.Sphere([0, 0, 0], 1)) for _ in range(3)]
        >>> places = np.tile(np.eye(4), (3, 1, 1))
        >>> places[:, 0, 3] = [0, 10, 20]
        >>> world.set_transforms(balls, places)
        >>> world.update()
        >>> world.bounds.tolist()
        [[-1.0, -1.0, -1.0], [21.0, 1.0, 1.0]]
        """
        self._raw.set_transforms(self._numbers(handles), transforms)

    def set_shape(self, handle: int | str, shape: HeightField | Primitive) -> None:
        """Make terrain another one, or a solid; the next `update` shows it.

        Parameters
        ----------
        handle : int
            The object: terrain for terrain, a solid for a solid.
        shape : HeightField or Primitive
            What it becomes.

        Raises
        ------
        ValueError
            For a shape of the other kind.
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 0, 0], 1))
        >>> world.set_shape(ball, hitscan.Sphere([0, 0, 0], 2))
        >>> world.update()
        >>> world.bounds.tolist()
        [[-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]]
        """
        self._raw.set_shape(self._raw.handle(handle), _raw_shape(shape))

    def set_layers(self, handle: int | str, layers: int) -> None:
        """Put an object into layers, a bit each; the next `update` shows it.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.
        layers : int
            A bit for each layer; 0 hides it from all queries.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> glass = world.add(hitscan.Box([0, 0, 0], [1, 1, 1]))
        >>> world.set_layers(glass, 0b10)
        >>> world.update()
        >>> bool(world.cast_rays_any([0.5, 0.5, 5], [0, 0, -1], layers=0b01))
        False
        """
        self._raw.set_layers(self._raw.handle(handle), layer_mask(layers))

    def set_surface(self, handle: int | str, surface: int | None) -> None:
        """Make terrain, a mesh, a model or a compound part of a surface; the next `update` shows it.

        What slides over the seam between objects of one surface is not caught at their edges.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name.
        surface : int or None
            The surface's number, of the caller's choice; None takes the object off its surface.

        Raises
        ------
        ValueError
            For an object that is one solid.
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> world = hitscan.World()
        >>> for x in (0, 4):
        ...     tile = world.add(hitscan.HeightField(np.zeros((5, 5)), origin=[x, 0, 0]))
        ...     world.set_surface(tile, 0)
        >>> bool(world.cast_shapes_any(hitscan.Box([1, 0, 1], [2, 1, 2]), [5, 0, 0]))
        False
        """
        self._raw.set_surface(self._raw.handle(handle), surface)

    def remove(self, handle: int | str) -> None:
        """Remove an object; the next `update` shows it.

        Parameters
        ----------
        handle : int or str
            The object: its handle or its name. The handle is stale from here on, and is not used again.

        Raises
        ------
        KeyError
            For a handle or a name of no object.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> ball = world.add(hitscan.Sphere([0, 0, 0], 1))
        >>> world.remove(ball)
        >>> world.update()
        >>> len(world)
        0
        """
        self._raw.remove(self._raw.handle(handle))

    def handle(self, name: str) -> int:
        """Return the handle of an object.

        Parameters
        ----------
        name : str
            What it is called.

        Returns
        -------
        int
            Its handle.

        Raises
        ------
        KeyError
            For a name that no object has.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> world.handle("ball")
        0
        """
        return self._raw.handle(name)

    def update(self) -> None:
        """Make all changes since the last update; it costs what has changed.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World(auto_update=False)
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1))
        >>> world
        World(0 objects, changes pending)
        >>> world.update()
        >>> world
        World(1 objects)
        """
        self._raw.update()

    def now(self) -> Snapshot:
        """Return the world as it is; it costs next to nothing.

        Returns
        -------
        Snapshot
            It answers as this world does, and does not change with it. With ``auto_update=False`` it is the world
            as the last `update` left it.

        Examples
        --------
        >>> import hitscan
        >>> hitscan.World().now()
        Snapshot(0 objects)
        """
        return Snapshot(self._view() if self.auto_update else self._raw.now())

    def keep_history(self, ticks: int) -> None:
        """Keep the last ticks that are recorded, dropping older ones.

        Parameters
        ----------
        ticks : int
            How many; 0, the default, keeps none.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> world.keep_history(64)
        >>> world.history is None
        True
        """
        self._raw.keep_history(ticks)

    def record(self, tick: int) -> None:
        """Record the world as a tick of its history.

        Parameters
        ----------
        tick : int
            Later than the last one that was recorded.

        Raises
        ------
        ValueError
            For a tick that is not later.
        PendingChangesError
            As queries.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> world.keep_history(64)
        >>> world.record(7)
        >>> world.history
        (7, 7)
        """
        self._make_changes()
        self._raw.record(tick)

    @property
    def history(self) -> tuple[int, int] | None:
        """The first and the last tick that are kept, if any."""
        return self._raw.history()

    def at(self, tick: float) -> Snapshot:
        """Return the world as it was.

        Parameters
        ----------
        tick : float
            A recorded tick, or a time between two: positions, sizes and rotations are interpolated
            there.

        Returns
        -------
        Snapshot
            It answers as the world did then.

        Raises
        ------
        UnknownTickError
            For a tick before the first and after the last that are kept.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> world.keep_history(64)
        >>> ball = world.add(hitscan.Sphere([0, 0, 0], 1))
        >>> for tick in range(10):
        ...     world.set_shape(ball, hitscan.Sphere([tick, 0, 0], 1))
        ...     world.update()
        ...     world.record(tick)
        >>> world.at(6.5).bounds.tolist()
        [[5.5, -1.0, -1.0], [7.5, 1.0, 1.0]]
        """
        view = self._raw.at(tick)
        if view is None:
            kept = self.history
            have = "no tick is (`keep_history`, then `record`)"
            if kept is not None:
                have = f"{kept[0]} to {kept[1]} are"
            raise UnknownTickError(f"tick {tick} is not kept: {have}")
        return Snapshot(view)

    @property
    def memory_bytes(self) -> int:
        """The bytes that objects and tree take, without the history."""
        return self._raw.memory_bytes()

    def _numbers(self, handles: Handles) -> list[int]:
        """Return the handles of objects that are given by handle or by name."""
        numbers = np.asarray(handles)
        if numbers.dtype.kind in "UO":
            return [self._raw.handle(key) for key in numbers.reshape(-1).tolist()]
        if numbers.size and numbers.dtype.kind not in "iu":
            raise TypeError(f"handles: expected whole numbers or names, found dtype {numbers.dtype}")
        flat: list[int] = numbers.reshape(-1).tolist()
        return flat

    def __repr__(self) -> str:
        pending = ", changes pending" if self._raw.has_changes() else ""
        return f"World({len(self._raw.now().handles())} objects{pending})"


def _number(view: _hitscan.View, handle: int | str) -> int:
    """Return the handle of an object that is given by handle or by name."""
    return handle if isinstance(handle, int) else view.handle(handle)


def _raw_shape(shape: Any) -> Any:
    """Return what the extension module takes; it names what is no shape."""
    module = type(shape).__module__.partition(".")[0]
    if module in ("trimesh", "open3d", "pyvista"):
        kind = type(shape).__qualname__
        raise TypeError(f"shape: found {kind} of {module}: TriMesh.from_{module} takes it")
    return getattr(shape, "_raw", shape)


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        message = f"{os.fspath(path)}: cannot be read: {error.strerror}"
        raise FileError(path, message=message, errno=error.errno) from error
