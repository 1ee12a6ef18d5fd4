import os
from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
RAY_FIELDS: list[str]

_Point = tuple[float, float, float] | Sequence[float]
_Corners = tuple[Sequence[float], Sequence[float]]
_Columns = tuple[NDArray[Any] | None, ...]
_Range = tuple[ArrayLike, ArrayLike]
_Wanted = tuple[str, str, int, list[int | str]]

@final
class TriMesh:
    def __new__(
        cls, vertices: ArrayLike, triangles: ArrayLike, origin: _Point | None
    ) -> TriMesh: ...
    @staticmethod
    def restored(
        positions: ArrayLike, triangles: ArrayLike, origin: _Point | None
    ) -> TriMesh: ...
    @staticmethod
    def read(path: str, up: str) -> TriMesh: ...
    def positions(self) -> NDArray[np.float32]: ...
    def triangles(self) -> NDArray[np.int64]: ...
    def is_closed(self) -> bool: ...
    @property
    def origin(self) -> list[float] | None: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def bounds(self) -> _Corners | None: ...

@final
class HeightSamples:
    def __new__(cls, rows: int, columns: int) -> HeightSamples: ...
    def append(
        self,
        stored: ArrayLike,
        valid: ArrayLike | None,
        no_data: float | None,
        scaling: tuple[float, float],
    ) -> None: ...

@final
class HeightField:
    def __new__(
        cls,
        heights: ArrayLike,
        spacing: tuple[float, float],
        origin: _Point,
        diagonal: str,
        local_origin: _Point | None,
    ) -> HeightField: ...
    @staticmethod
    def restored(
        heights: ArrayLike,
        spacing: tuple[float, float],
        grid_origin: _Point,
        diagonal: str,
        local_origin: _Point | None,
    ) -> HeightField: ...
    @staticmethod
    def read(
        path: str,
        spacing: tuple[float, float] | None,
        origin: _Point | None,
        diagonal: str,
        height_scale: float,
        height_range: tuple[float, float] | None,
        size: tuple[int, int] | None,
        local_origin: _Point | str | None,
    ) -> HeightField: ...
    @staticmethod
    def of_samples(
        samples: HeightSamples,
        spacing: tuple[float, float],
        origin: _Point,
        diagonal: str,
        local_origin: _Point | str | None,
    ) -> HeightField: ...
    def edited(self, row: int, column: int, heights: ArrayLike) -> HeightField: ...
    def heights(self) -> NDArray[np.float32]: ...
    @property
    def spacing(self) -> list[float]: ...
    @property
    def origin(self) -> list[float]: ...
    @property
    def grid_origin(self) -> list[float]: ...
    @property
    def local_origin(self) -> list[float] | None: ...
    @property
    def diagonal(self) -> str: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def hole_count(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    @property
    def bounds(self) -> _Corners | None: ...

@final
class Primitive:
    @staticmethod
    def sphere(center: _Point, radius: float) -> Primitive: ...
    @staticmethod
    def aabb(min: _Point, max: _Point) -> Primitive: ...
    @staticmethod
    def obb(
        center: _Point, half_size: _Point, rotation: tuple[float, float, float, float]
    ) -> Primitive: ...
    @staticmethod
    def capsule(a: _Point, b: _Point, radius: float) -> Primitive: ...
    @staticmethod
    def cylinder(a: _Point, b: _Point, radius: float) -> Primitive: ...
    @staticmethod
    def convex_hull(points: ArrayLike, radius: float) -> Primitive: ...
    def simplified(self, max_corners: int) -> list[list[float]] | None: ...
    def corners(self) -> list[list[float]]: ...

@final
class Compound:
    def __new__(cls, parts: list[tuple[str, Primitive, int]]) -> Compound: ...

@final
class Model:
    @staticmethod
    def read(path: str, scene: int | None) -> Model: ...
    @property
    def warnings(self) -> list[str]: ...
    def clips(self) -> list[tuple[str | None, float, float]]: ...
    def nodes(self) -> list[tuple[str | None, int | None]]: ...
    def parts(self) -> list[tuple[str, int, int, int, int | None, int]]: ...
    def joints(self) -> list[int]: ...
    @property
    def triangle_count(self) -> int: ...
    @property
    def memory_bytes(self) -> int: ...
    def find_clip(self, name: str) -> int: ...
    def find_node(self, name: str) -> int | None: ...
    def triangles(self, part: int) -> NDArray[np.int64]: ...
    def rest_pose(self) -> Pose: ...
    def pose_at(self, clip: int, time_secs: float) -> Pose: ...
    def restored_pose(self, locals: list[list[float]], weights: list[list[float]]) -> Pose: ...
    def model_from_nodes(self, pose: Pose) -> NDArray[np.float64]: ...
    def place_node(self, pose: Pose, node: int, transform: ArrayLike) -> Pose: ...
    def max_displacement(self, one: Pose, other: Pose) -> float: ...
    def posed(self, pose: Pose) -> PosedModel: ...

@final
class Pose:
    def blended(self, other: Pose, alpha: float) -> Pose: ...
    @staticmethod
    def blend_of(poses: list[Pose], weights: list[float]) -> Pose: ...
    def locals(self) -> list[list[float]]: ...
    def morph_weights(self) -> list[list[float]]: ...
    def with_local(self, node: int, local: list[float]) -> Pose: ...
    def with_morph_weights(self, node: int, weights: list[float]) -> Pose: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class PosedModel:
    def pose(self) -> Pose: ...
    def vertices(self, part: int) -> NDArray[np.float64]: ...
    def is_mirrored(self, part: int) -> bool: ...
    def memory_bytes(self) -> int: ...

@final
class Picture:
    def rgb(self) -> NDArray[np.uint8]: ...
    def png(self) -> bytes: ...

@final
class Names:
    def of(self, numbers: Sequence[int]) -> list[str | None]: ...

@final
class View:
    @staticmethod
    def of_mesh(mesh: TriMesh) -> View: ...
    @staticmethod
    def of_terrain(terrain: HeightField) -> View: ...
    @staticmethod
    def of_model(model: PosedModel) -> View: ...
    @property
    def names(self) -> Names: ...
    @property
    def bounds(self) -> _Corners | None: ...
    def map_frame(self) -> tuple[list[float], list[float], list[float]]: ...
    def handles(self) -> list[int]: ...
    def handle(self, key: int | str) -> int: ...
    def object_bounds(self, handle: int) -> _Corners | None: ...
    def kind(self, handle: int) -> str | None: ...
    def part_names(self, handle: int) -> list[str]: ...
    def model(self, handle: int) -> Model | None: ...
    def pose(self, handle: int) -> Pose | None: ...

@final
class World:
    def __new__(cls, origin: _Point | None) -> World: ...
    @staticmethod
    def from_scene(path: str) -> World: ...
    @property
    def scene_digest(self) -> str | None: ...
    @property
    def origin(self) -> list[float] | None: ...
    def warnings(self) -> list[str]: ...
    def add(
        self,
        shape: TriMesh | HeightField | PosedModel | Primitive | Compound,
        name: str | None,
        transform: ArrayLike | None,
        layers: int,
    ) -> int: ...
    def set_transforms(self, handles: list[int], matrices: ArrayLike) -> None: ...
    def set_shape(self, handle: int, shape: HeightField | Primitive) -> None: ...
    def set_layers(self, handle: int, layers: int) -> None: ...
    def set_surface(self, handle: int, surface: int | None) -> None: ...
    def remove(self, handle: int) -> None: ...
    def update(self) -> None: ...
    def keep_history(self, ticks: int) -> None: ...
    def record(self, tick: int) -> None: ...
    def history(self) -> tuple[int, int] | None: ...
    def has_changes(self) -> bool: ...
    def current(self) -> View | None: ...
    def now(self) -> View: ...
    def at(self, time: float) -> View | None: ...
    def at_each(self, ticks: ArrayLike | str) -> View: ...
    def handle(self, key: int | str) -> int: ...
    def memory_bytes(self) -> int: ...

def set_pose(world: World, handle: int, pose: Pose) -> None: ...
def set_poses(world: World, handles: list[int], clip: str, times: ArrayLike) -> None: ...
def utm_zone(longitude: float, latitude: float) -> int: ...
def num_threads() -> int: ...
def set_num_threads(threads: int | None = None) -> None: ...
def cast_rays(
    view: View,
    origins: ArrayLike,
    directions: ArrayLike | None,
    range: _Range,
    wanted: _Wanted,
    fields: list[str] | None,
    out: _Columns | None,
    invalid: str,
    threads: int | None,
) -> _Columns: ...
def cast_rays_each(
    worlds: list[World],
    updates: list[bool],
    origins: ArrayLike,
    directions: ArrayLike | None,
    range: _Range,
    wanted: _Wanted,
    fields: list[str] | None,
    out: _Columns | None,
    invalid: str,
    threads: int | None,
) -> _Columns: ...
def cast_rays_any(
    view: View,
    origins: ArrayLike,
    directions: ArrayLike | None,
    range: _Range,
    wanted: _Wanted,
    out: NDArray[np.bool_] | None,
    invalid: str,
    threads: int | None,
) -> NDArray[np.bool_]: ...
def cast_rays_all(
    view: View,
    origins: ArrayLike,
    directions: ArrayLike | None,
    range: _Range,
    wanted: _Wanted,
    fields: list[str] | None,
    invalid: str,
    threads: int | None,
) -> tuple[_Columns, NDArray[np.int64], NDArray[np.int64]]: ...
def camera_rays(
    eye: _Point, target: _Point, fov_y: float, size: tuple[int, int]
) -> NDArray[np.float32]: ...
def demo_files() -> list[tuple[str, bytes]]: ...
def render_picture(view: View, drawing: object, asked: list[Any]) -> tuple[Picture, int]: ...
def picture_rays(view: View, drawing: object) -> NDArray[np.float64]: ...
def baked_world(world: World) -> NDArray[np.uint8]: ...
def save_world(world: World, path: str) -> None: ...
def load_world(path: str) -> World: ...
def world_of_buffer(buffer: object) -> World: ...

_Seen = tuple[int, list[Any]]
_Shapes = tuple[str, list[Any]]
_Sweep = tuple[str, str | None, str | None]
_Bools = NDArray[np.bool_]
_Answer = tuple[NDArray[Any], ...]

def heights(
    view: View,
    points: ArrayLike,
    method: str,
    radius: ArrayLike | None,
    seen: _Seen,
    fields: Sequence[str] | None,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def footprints(
    view: View,
    points: ArrayLike,
    sizes: tuple[ArrayLike | None, Sequence[ArrayLike] | None, ArrayLike],
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def cast_shapes(
    view: View,
    shapes: _Shapes,
    motion: ArrayLike,
    wanted: _Sweep,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def cast_shapes_any(
    view: View,
    shapes: _Shapes,
    motion: ArrayLike,
    wanted: _Sweep,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Bools: ...
def cast_shapes_all(
    view: View,
    shapes: _Shapes,
    motion: ArrayLike,
    wanted: _Sweep,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def cast_objects(
    view: View,
    objects: list[int | str],
    is_one: bool,
    motion: ArrayLike,
    wanted: _Sweep,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def cast_objects_any(
    view: View,
    objects: list[int | str],
    is_one: bool,
    motion: ArrayLike,
    wanted: _Sweep,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Bools: ...
def cast_turnings(
    view: View,
    shapes: _Shapes,
    turn: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike | None, ArrayLike | None],
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def cast_turning_objects(
    view: View,
    objects: list[int | str],
    is_one: bool,
    turn: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike | None, ArrayLike | None],
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def distances(
    view: View,
    a: list[int | str],
    b: list[int | str],
    max_distance: ArrayLike,
    is_one: bool,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def near_pairs(view: View, max_distance: float | None, seen: _Seen) -> _Answer: ...
def contacts(
    view: View,
    shapes: _Shapes,
    margin: ArrayLike,
    each: str,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def overlaps_shapes(
    view: View, shapes: _Shapes, seen: _Seen, invalid: str, threads: int | None
) -> _Bools: ...
def count_rays(
    view: View,
    origins: ArrayLike,
    directions: ArrayLike | None,
    range: _Range,
    sides: str,
    invalid: str,
    threads: int | None,
) -> NDArray[np.int64]: ...
def contains(
    view: View, points: ArrayLike, invalid: str, threads: int | None
) -> NDArray[np.bool_]: ...
def closest_points(
    view: View,
    points: ArrayLike,
    max_distance: ArrayLike,
    is_signed: bool,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def broad_phase_pairs(view: View, seen: _Seen) -> _Answer: ...
def overlaps(
    view: View, of: tuple[int | str, int | str] | None, seen: _Seen, threads: int | None
) -> _Answer: ...
def objects_in(
    view: View,
    min: ArrayLike,
    max: ArrayLike,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def impacts(
    view: View, objects: list[int | str], motions: ArrayLike, seen: _Seen
) -> _Answer: ...
def shape_impacts(
    view: View, objects: list[int | str], motions: ArrayLike, seen: _Seen
) -> _Answer: ...

_Arcs = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike, ArrayLike]

def cast_arcs(
    view: View,
    arcs: _Arcs,
    sides: str,
    seen: _Seen,
    fields: list[str] | None,
    invalid: str,
    threads: int | None,
) -> _Columns: ...
def cast_arcs_any(
    view: View, arcs: _Arcs, sides: str, seen: _Seen, invalid: str, threads: int | None
) -> _Bools: ...
def is_visible(
    view: View,
    eyes: ArrayLike,
    targets: ArrayLike,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Bools: ...
def first_blocker(
    view: View,
    eyes: ArrayLike,
    targets: ArrayLike,
    seen: _Seen,
    invalid: str,
    threads: int | None,
) -> _Answer: ...
def viewshed(
    view: View,
    terrain: int | str | None,
    eye: list[float],
    sizes: tuple[float, float, float, tuple[float, float | None] | None],
    seen: _Seen,
) -> tuple[NDArray[np.int8], list[float]] | None: ...

_Three = tuple[float, float, float]
_Ray = tuple[_Three, _Three, float, float]
_Feature = tuple[int, int, int]
_Candidate = tuple[_Feature, float | None, str, str]
_Passed = tuple[_Feature, float, float, Sequence[float], Sequence[float]]
_Change = tuple[str, float | None, _Feature, float, str]
_Look = tuple[str, int, _Feature, Sequence[float], str, str]

def explain_ray(
    view: View, given: _Ray, wanted: tuple[str, str], all: bool, seen: _Seen
) -> list[_Candidate]: ...
def explain_arc(
    view: View,
    vectors: tuple[_Three, _Three, _Three],
    range: tuple[float, float],
    sides: str,
    seen: _Seen,
) -> list[_Candidate]: ...
def explain_shape(
    view: View,
    shape: Primitive,
    motion: _Three,
    wanted: _Sweep,
    all: bool,
    seen: _Seen,
) -> list[_Candidate]: ...
def explain_contacts(
    view: View, shape: Primitive, margin: float, each_triangle: bool, seen: _Seen
) -> list[_Candidate]: ...
def explain_closest_point(
    view: View, at: _Three, max_distance: float, signed: bool, seen: _Seen
) -> list[_Candidate]: ...
def explain_miss(
    view: View, given: _Ray, wanted: tuple[str, str], at_most: int, seen: _Seen
) -> tuple[list[_Passed], list[_Change]] | None: ...
def trace_ray(
    view: View, given: _Ray, wanted: tuple[str, str], limit: int, seen: _Seen
) -> tuple[list[_Look], int]: ...
def cast_ray_counted(
    view: View, given: _Ray, wanted: tuple[str, str], seen: _Seen
) -> tuple[int, int]: ...
def nearest_approaches(
    view: View, given: _Ray, at_most: int, seen: _Seen
) -> list[_Passed]: ...
def answer_part(
    world: View,
    input: str,
    row_groups: tuple[int, int] | None,
    output: str,
    options: object,
    stated: list[tuple[str, str]],
) -> dict[str, Any]: ...
def parquet_footer(
    path: str | os.PathLike[str],
) -> tuple[list[int], list[tuple[str, str]]]: ...

@final
class AnsweredTable:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def columns(self) -> list[tuple[str, str]]: ...
    def was_interrupted(self) -> bool: ...

def answer_table(
    world: View, questions: object, options: object, threads: int | None
) -> AnsweredTable: ...
