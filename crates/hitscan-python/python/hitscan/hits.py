"""Answers about rays: arrays in the shape of the questions."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._hitscan import RAY_FIELDS

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["AllRayHits", "RayHits", "Side", "Status", "former_columns", "is_missing", "kept_question"]


class Side(IntEnum):
    """From which side a surface was hit.

    Examples
    --------
    >>> import hitscan
    >>> ball = hitscan.World()
    >>> _ = ball.add(hitscan.Sphere([0, 0, 0], 1))
    >>> ball.update()
    >>> hitscan.Side(int(ball.cast_rays([0, 0, 5], [0, 0, -1]).side))
    <Side.FRONT: 0>
    """

    #: Nothing was hit.
    NONE = -1
    #: Against the normal.
    FRONT = 0
    #: Along the normal, or across a solid's surface that the ray only touches.
    BACK = 1
    #: The ray started strictly inside a solid.
    INSIDE = 2


class Status(IntEnum):
    """How a question was answered.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.Status.INVALID
    <Status.INVALID: 2>
    """

    #: Nothing is hit.
    MISS = 0
    #: Something is hit.
    HIT = 1
    #: The row is no question, and ``invalid="mark"`` was given.
    INVALID = 2


class ObjectNames(Protocol):
    """What has the names of objects."""

    def of(self, numbers: Sequence[int]) -> list[str | None]:
        """Return the name of each object."""


class KnownNames:
    """Names that came with an answer out of another process."""

    __slots__ = ("_names",)

    def __init__(self, names: Mapping[int, str | None]) -> None:
        self._names = dict(names)

    def of(self, numbers: Sequence[int]) -> list[str | None]:
        """Return the name of each object."""
        return [self._names.get(number) for number in numbers]


class RayHits:
    """What rays hit: an array for each field, in the shape of the questions.

    `shape` is that of the questions' leading axes, so a picture of rays of shape (h, w, 6) has
    hits of shape (h, w). Hits can be indexed, sliced and masked along these axes; what comes back
    shares memory with them as numpy's arrays do. Only the requested `fields` are there.

    | field | dtype | meaning | of a miss |
    |---|---|---|---|
    | `hit` | bool | whether anything is hit | False |
    | `t` | float32 | in units of the direction; never -0 | inf |
    | `distance` | float32 | metres | inf |
    | `point` | (..., 3), float64 or float32 as the origins | metres | NaN |
    | `normal` | (..., 3) float32 | of unit length; zero where `side` is inside | NaN |
    | `object` | int64 | the handle of the object; -1 without a world | -1 |
    | `part` | int32 | the part of a model or compound; -1 for solids | -1 |
    | `triangle` | int64 | the triangle of the part; -1 for solids | -1 |
    | `uv` | (..., 2) float32 | weights of the triangle's second and third corner | NaN |
    | `side` | int8 | a `Side` | -1 |
    | `status` | int8 | a `Status` | 0 |
    | `joint` | int32 | the node that moves the point most; -1 without a model | -1 |
    | `bind_point` | (..., 3) float32 | the point in the model's bind space | NaN |

    `joint` and `bind_point` are there only on request.

    Parameters
    ----------
    columns : tuple
        The arrays in the order of the table, None for those that were not requested.
    names : object, optional
        What has the names of objects.
    asked : tuple, optional
        The question: origins, directions, the range of t and what is hit, all of it copied. Pictures
        draw hits with their rays.

    Examples
    --------
    >>> import numpy as np, hitscan
    >>> ground = hitscan.HeightField(np.zeros((3, 3)), spacing=1.0)
    >>> hits = ground.cast_rays([[0.5, 2.0, 0.5], [9.0, 2.0, 0.5]], [0, -1, 0])
    >>> hits.hit
    array([ True, False])
    >>> hits.t
    array([ 2., inf], dtype=float32)
    >>> hits[hits.hit].triangle
    array([0])
    """

    __slots__ = ("_asked", "_columns", "_names", "_shape")

    def __init__(
        self,
        columns: tuple[NDArray[Any] | None, ...],
        names: ObjectNames | None = None,
        asked: tuple[Any, ...] | None = None,
    ) -> None:
        self._columns = columns
        self._names = names
        self._asked = asked
        self._shape: tuple[int, ...] | None = None

    def _column(self, place: int) -> NDArray[Any]:
        column = self._columns[place]
        if column is None:
            name = RAY_FIELDS[place]
            raise AttributeError(
                f"{name!r} was not asked for: name it in `fields`", name=name, obj=self
            )
        return column

    @property
    def hit(self) -> NDArray[np.bool_]:
        """Whether anything is hit, bool."""
        return self._column(0)

    @property
    def t(self) -> NDArray[np.float32]:
        """The rays' parameters, in units of their directions, float32; inf of a miss."""
        return self._column(1)

    @property
    def distance(self) -> NDArray[np.float32]:
        """How far the hits are, metres, float32; inf of a miss."""
        return self._column(2)

    @property
    def point(self) -> NDArray[np.float64] | NDArray[np.float32]:
        """Where the hits are, metres, (..., 3); NaN of a miss."""
        return self._column(3)

    @property
    def normal(self) -> NDArray[np.float32]:
        """The surfaces' unit normals, (..., 3) float32; NaN of a miss."""
        return self._column(4)

    @property
    def object(self) -> NDArray[np.int64]:
        """The handles of the objects that are hit, int64; -1 of a miss."""
        return self._column(5)

    @property
    def part(self) -> NDArray[np.int32]:
        """The parts of models and compounds, int32; -1 for solids and of a miss."""
        return self._column(6)

    @property
    def triangle(self) -> NDArray[np.int64]:
        """The triangles of the parts, int64; -1 for solids and of a miss."""
        return self._column(7)

    @property
    def uv(self) -> NDArray[np.float32]:
        """Weights of each triangle's second and third corner, (..., 2) float32."""
        return self._column(8)

    @property
    def side(self) -> NDArray[np.int8]:
        """From which side, a `Side` each, int8; -1 of a miss."""
        return self._column(9)

    @property
    def status(self) -> NDArray[np.int8]:
        """How each question was answered, a `Status` each, int8."""
        return self._column(10)

    @property
    def joint(self) -> NDArray[np.int32]:
        """The nodes that move the points most, int32; -1 without a model."""
        return self._column(11)

    @property
    def bind_point(self) -> NDArray[np.float32]:
        """The points in their models' bind space, (..., 3) float32; NaN without a model."""
        return self._column(12)

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the objects that are hit, an array of str; None of a miss."""
        numbers, places = np.unique(self.object, return_inverse=True)
        known: list[str | None] = [None] * len(numbers)
        if self._names is not None:
            known = self._names.of(numbers.tolist())
        names = np.empty(len(numbers), dtype=np.object_)
        names[:] = known
        # Of one hit numpy's indexing gives the element itself.
        return np.asarray(names[places.reshape(self.shape)], dtype=np.object_)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields that are there."""
        columns = zip(RAY_FIELDS, self._columns, strict=True)
        return tuple(name for name, column in columns if column is not None)

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes of the questions."""
        if self._shape is None:
            self._shape = ()
            for name, column in zip(RAY_FIELDS, self._columns, strict=True):
                if column is not None:
                    own = column.ndim - (name in _ROWS)
                    self._shape = column.shape[:own]
                    break
        return self._shape

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("the answer of one ray has no length")
        return self.shape[0]

    def __getitem__(self, index: Any) -> RayHits:
        return RayHits(self._indexed(index), self._names, self._asked_indexed(index))

    def _asked_indexed(self, index: Any) -> tuple[Any, ...] | None:
        """The question of the rays of an index."""
        if self._asked is None:
            return None
        origins, directions, (t_min, t_max), wanted = self._asked
        own = index if isinstance(index, tuple) else (index,)
        row = (*own, slice(None)) if any(one is Ellipsis for one in own) else own

        def rows(values: Any) -> Any:
            array = np.asarray(values)
            return np.broadcast_to(array, (*self.shape, array.shape[-1]))[row]

        def ends(values: Any) -> Any:
            return np.broadcast_to(values, self.shape)[own] if np.ndim(values) else values

        directions = None if directions is None else rows(directions)
        return rows(origins), directions, (ends(t_min), ends(t_max)), wanted

    def _indexed(self, index: Any) -> tuple[NDArray[Any] | None, ...]:
        own = index if isinstance(index, tuple) else (index,)
        # An ellipsis means the rest of the questions' axes, not those of a row.
        row = (*own, slice(None)) if any(one is Ellipsis for one in own) else own
        columns = zip(RAY_FIELDS, self._columns, strict=True)
        return tuple(
            None if column is None else np.asarray(column[row if name in _ROWS else own])
            for name, column in columns
        )

    def __repr__(self) -> str:
        hits = self._columns[0]
        count = "" if hits is None else f", {int(np.count_nonzero(hits))} hits"
        return f"{type(self).__name__}(shape={self.shape}{count})"

    def __reduce__(self) -> tuple[Any, ...]:
        return RayHits, (self._columns, self._known_names())

    def _known_names(self) -> KnownNames | None:
        if self._names is None or self._columns[5] is None:
            return None
        numbers = np.unique(self.object).tolist()
        names = zip(numbers, self._names.of(numbers), strict=True)
        return KnownNames(dict(names))

    def _flat(self) -> dict[str, NDArray[Any]]:
        """One-dimensional columns, named as those of tables."""
        flat: dict[str, NDArray[Any]] = {}
        for name, column in zip(RAY_FIELDS, self._columns, strict=True):
            if column is None:
                continue
            if name in _ROWS:
                rows = column.reshape(-1, column.shape[-1])
                flat.update({axis: rows[:, k] for k, axis in enumerate(_ROWS[name])})
            elif name == "object" and self._names is not None:
                flat[name] = self.object_names.reshape(-1)
            elif name in _WORDS:
                words = _WORDS[name]
                flat[name] = np.array(words, dtype=np.object_)[column.reshape(-1)]
            else:
                flat[name] = column.reshape(-1)
        return flat

    def to_arrow(self) -> pyarrow.Table:
        """Return a table with a row for each ray, row by row; needs pyarrow.

        Returns
        -------
        pyarrow.Table
            The columns of the fields that are there: ``hit t distance x y z nx ny nz object part
            triangle u v side status``. `object` is the name, or the number without a world. What a
            miss does not have is null.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((3, 3)), spacing=1.0)
        >>> hits = ground.cast_rays([[0.5, 2, 0.5], [9, 2, 0.5]], [0, -1, 0], fields=["hit", "t"])
        >>> hits.to_arrow().to_pydict()
        {'hit': [True, False], 't': [2.0, None]}
        """
        import pyarrow

        def column(name: str, values: NDArray[Any]) -> pyarrow.Array:
            return pyarrow.array(values, mask=is_missing(name, values))

        return pyarrow.table(
            {name: column(name, values) for name, values in self._flat().items()}
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each ray, row by row; needs pandas.

        Returns
        -------
        pandas.DataFrame
            The columns of `to_arrow`; a miss has inf, NaN, -1 and None as in the arrays.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((3, 3)), spacing=1.0)
        >>> hits = ground.cast_rays([[0.5, 2, 0.5]], [0, -1, 0])
        >>> hits.to_pandas().y.tolist()
        [0.0]
        """
        import pandas

        return pandas.DataFrame(self._flat())


class AllRayHits(RayHits):
    """All hits of rays, those of the first ray first, of each ray nearest first.

    The arrays are those of `RayHits`, one element for each hit.

    Parameters
    ----------
    columns : tuple
        As for `RayHits`.
    ray : numpy.ndarray
        The ray of each hit.
    splits : numpy.ndarray or int
        Where each ray's hits begin, or how many rays there were.
    names : object, optional
        As for `RayHits`.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1))
    >>> world.update()
    >>> hits = world.cast_rays_all([[0, 0, 5], [9, 9, 9]], [0, 0, -1])
    >>> hits.t, hits.ray, hits.splits
    (array([4., 6.], dtype=float32), array([0, 0]), array([0, 2, 2]))

    Hits that are picked keep their rays:

    >>> hits[hits.t > 5].ray
    array([0])
    """

    __slots__ = ("_rays", "_splits", "ray")

    #: The index of each hit's ray among the flattened rays, int64.
    ray: NDArray[np.int64]

    def __init__(
        self,
        columns: tuple[NDArray[Any] | None, ...],
        ray: NDArray[np.int64],
        splits: NDArray[np.int64] | int,
        names: ObjectNames | None = None,
    ) -> None:
        super().__init__(columns, names)
        self._shape = ray.shape
        self.ray = ray
        self._rays = splits if isinstance(splits, int) else len(splits) - 1
        self._splits = None if isinstance(splits, int) else splits

    @property
    def splits(self) -> NDArray[np.int64]:
        """Where each ray's hits begin, (rays + 1,) int64: those of ray k are ``splits[k]`` to ``splits[k + 1]``.

        Hits that were picked have those of the picked ones. In another order than that of the rays they have
        none: that is a `ValueError`.
        """
        if self._splits is None:
            flat = self.ray.reshape(-1)
            if np.any(flat[1:] < flat[:-1]):
                raise ValueError("splits: these hits are not in the order of their rays")
            self._splits = np.searchsorted(flat, np.arange(self._rays + 1)).astype(np.int64)
        return self._splits

    @property
    def count(self) -> NDArray[np.int64]:
        """How many hits each ray has, (rays,) int64."""
        if self._splits is not None:
            return np.diff(self._splits)
        return np.bincount(self.ray.reshape(-1), minlength=self._rays).astype(np.int64)

    def __getitem__(self, index: Any) -> AllRayHits:
        ray = np.asarray(self.ray[index])
        return AllRayHits(self._indexed(index), ray, self._rays, self._names)

    def __reduce__(self) -> tuple[Any, ...]:
        splits = self._rays if self._splits is None else self._splits
        return AllRayHits, (self._columns, self.ray, splits, self._known_names())

    def _flat(self) -> dict[str, NDArray[Any]]:
        return {"ray": self.ray.reshape(-1), **super()._flat()}


#: A question of at most so many values is kept with its answer: the 10,000 rays that a picture draws have eight each.
KEPT_VALUES = 80_000


def kept_question(arrays: tuple[Any, ...], is_wanted: bool) -> tuple[Any, ...] | None:
    """Return a copy of a question's arrays, if it is small or wanted."""
    most = sys.maxsize if is_wanted else KEPT_VALUES
    kept: list[Any] = []
    values = 0
    for array in arrays:
        if array is None or type(array) is float:
            kept.append(array)
            continue
        # What is no array is converted only once, which is its copy.
        is_array = isinstance(array, np.ndarray)
        own = array if is_array else _made(array)
        values += own.size
        if values > most:
            return None
        kept.append(np.array(own) if is_array else own)
    return tuple(kept)


def _made(value: Any) -> NDArray[Any]:
    """Return an array of its own of what is none."""
    # Of what shares memory by DLPack alone, numpy would make an array of objects.
    is_shared = hasattr(value, "__dlpack__") and not hasattr(value, "__array__")
    return np.array(np.from_dlpack(value) if is_shared else value)


def former_columns(out: Any) -> tuple[NDArray[Any] | None, ...] | None:
    """Return the arrays of a former answer that are written again."""
    if out is None:
        return None
    if not isinstance(out, RayHits):
        raise TypeError(f"out: expected RayHits, a former answer, found {type(out).__name__}")
    return out._columns


#: The fields that have an axis of their own, with its names in tables.
_ROWS: dict[str, tuple[str, ...]] = {
    "point": ("x", "y", "z"),
    "normal": ("nx", "ny", "nz"),
    "uv": ("u", "v"),
    "bind_point": ("bind_x", "bind_y", "bind_z"),
}

#: The words of codes; -1 is the last.
_WORDS: dict[str, tuple[str | None, ...]] = {
    "side": ("front", "back", "inside", None),
    "status": ("miss", "hit", "invalid"),
}


def is_missing(name: str, values: NDArray[Any]) -> NDArray[np.bool_] | None:
    """Return where a column has nothing, if it may."""
    if name in ("ray", "hit", "status"):
        return None
    missing: NDArray[np.bool_]
    match values.dtype.kind:
        case "f":
            missing = ~np.isfinite(values)
        case "i":
            missing = values < 0
        case _:
            missing = np.array([value is None for value in values], dtype=np.bool_)
    return missing
