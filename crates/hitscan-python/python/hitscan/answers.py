"""What answers of all kinds have alike: they are structs of arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .hits import KnownNames, ObjectNames, is_missing

if TYPE_CHECKING:
    import pandas
    import pyarrow

__all__ = ["Answer", "FlatAnswer", "Invalid", "PairNames", "asked_for"]

Invalid: TypeAlias = Literal["raise", "mark"]

#: The array of a field.
Column = TypeVar("Column", bound=NDArray[Any])

#: The fields that hold handles.
_HANDLES = ("object", "_object", "a", "b")


def asked_for(name: str, column: Column | None) -> Column:
    """Return the column of a field, or raise if it was not requested."""
    if column is None:
        raise AttributeError(f"{name!r} was not asked for: name it in `fields`", name=name)
    return column


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Answer:
    """Arrays that share their leading axes, those of the questions.

    They can be indexed, sliced and masked together along these axes.
    """

    #: How many axes a row of a field has, where it has any.
    _ROWS: ClassVar[Mapping[str, int]] = {
        "point": 1,
        "normal": 1,
        "uv": 1,
        "way_out": 1,
        "segment": 2,
    }

    #: What has the names of objects.
    _names: ObjectNames | None

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Return the fields that are arrays, by name."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in named if isinstance(value, np.ndarray)}

    def _others(self) -> dict[str, Any]:
        """Return what is not indexed."""
        named = ((field.name, getattr(self, field.name)) for field in fields(self))
        return {name: value for name, value in named if not isinstance(value, np.ndarray)}

    @property
    def shape(self) -> tuple[int, ...]:
        """The leading axes of the questions."""
        for name, array in self._arrays().items():
            return array.shape[: array.ndim - self._ROWS.get(name, 0)]
        return ()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("the answer of one question has no length")
        return self.shape[0]

    def __getitem__(self, index: Any) -> Self:
        own = index if isinstance(index, tuple) else (index,)
        has_rest = any(one is Ellipsis for one in own)
        values: dict[str, Any] = self._others()
        for name, array in self._arrays().items():
            # An ellipsis means the rest of the questions' axes, not those of a row.
            rest = self._ROWS.get(name, 0) if has_rest else 0
            values[name] = np.asarray(array[(*own, *[slice(None)] * rest)])
        return type(self)(**values)

    def _names_of(self, handles: NDArray[np.int64]) -> NDArray[np.object_]:
        """Return the names of objects, in the shape of their handles."""
        numbers, places = np.unique(handles, return_inverse=True)
        known: list[str | None] = [None] * len(numbers)
        if self._names is not None:
            known = self._names.of(numbers.tolist())
        names = np.empty(len(numbers), dtype=np.object_)
        names[:] = known
        # Of one handle numpy's indexing gives the element itself.
        return np.asarray(names[places.reshape(handles.shape)], dtype=np.object_)

    def _flat(self) -> dict[str, NDArray[Any]]:
        """One-dimensional columns: a field of points has one for each axis."""
        flat: dict[str, NDArray[Any]] = {}
        for field, array in self._arrays().items():
            name, own = field.removeprefix("_"), self._ROWS.get(field, 0)
            if own == 0:
                column = array.reshape(-1)
                is_named = field in _HANDLES and self._names is not None
                flat[name] = self._names_of(column) if is_named else column
                continue
            row = array.shape[array.ndim - own :]
            rows = array.reshape(-1, math.prod(row))
            for place, index in enumerate(np.ndindex(row)):
                axes = "".join("xyz"[k] if j == own - 1 else f"{k}_" for j, k in enumerate(index))
                flat[f"{name}_{axes}"] = rows[:, place]
        return flat

    def to_arrow(self) -> pyarrow.Table:
        """Return a table with a row for each answer; needs pyarrow.

        Returns
        -------
        pyarrow.Table
            A column for each field, one for each axis of points (``point_x``), and names in place of handles. What
            an answer does not have is null: NaN, infinity, and -1 of what counts from 0.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> hits = world.cast_shapes(hitscan.Sphere([0, 5, 0], 1), [[0, -8, 0]])
        >>> hits.to_arrow().select(["t", "object"]).to_pylist()
        [{'t': 0.375, 'object': 'ball'}]
        """
        import pyarrow

        return pyarrow.table(
            {
                name: pyarrow.array(column, mask=is_missing(name, column))
                for name, column in self._flat().items()
            }
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Return a data frame with a row for each answer; needs pandas.

        Returns
        -------
        pandas.DataFrame
            The columns of `to_arrow`, with NaN, infinity, -1 and None as in the arrays.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> hits = world.cast_shapes(hitscan.Sphere([0, 5, 0], 1), [[0, -8, 0]])
        >>> hits.to_pandas()["object"].tolist()
        ['ball']
        """
        import pandas

        return pandas.DataFrame(self._flat())

    def __repr__(self) -> str:
        return f"{type(self).__name__}(shape={self.shape})"

    def __reduce__(self) -> tuple[Any, ...]:
        arrays = self._arrays()
        others = self._others()
        if self._names is not None:
            handles = [array.reshape(-1) for name, array in arrays.items() if name in _HANDLES]
            numbers = np.unique(np.concatenate(handles)).tolist() if handles else []
            known = zip(numbers, self._names.of(numbers), strict=True)
            others["_names"] = KnownNames(dict(known))
        return _restored, (type(self), {**arrays, **others})


class PairNames:
    """The names of the two objects of each answer about a pair, whose handles are in `a` and `b`."""

    __slots__ = ()

    @property
    def a_names(self) -> NDArray[np.object_]:
        """The names of the objects `a`, an array of str; None without an answer."""
        return self._of_pair("a")

    @property
    def b_names(self) -> NDArray[np.object_]:
        """The names of the objects `b`, an array of str; None without an answer."""
        return self._of_pair("b")

    def _of_pair(self: Any, field: str) -> NDArray[np.object_]:
        names: NDArray[np.object_] = self._names_of(getattr(self, field))
        return names


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FlatAnswer(Answer):
    """Any number of answers of each question, those of the first question first."""

    #: The index of each answer's question among the flattened questions, int64.
    question: NDArray[np.int64]
    #: How many questions there were.
    _questions: int

    @property
    def splits(self) -> NDArray[np.int64]:
        """Where each question's answers begin: (questions + 1,) int64."""
        # Of answers that were picked in another order it says nothing.
        return np.searchsorted(self.question, np.arange(self._questions + 1)).astype(np.int64)

    @property
    def count(self) -> NDArray[np.int64]:
        """How many answers each question has, (questions,) int64."""
        return np.bincount(self.question, minlength=self._questions).astype(np.int64)


def _restored(kind: type[Answer], values: dict[str, Any]) -> Answer:
    """Return a pickled answer."""
    return kind(**values)
