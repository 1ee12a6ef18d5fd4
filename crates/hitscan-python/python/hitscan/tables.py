"""Tables of other libraries as questions, and answers as tables that they can read."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol

from . import _hitscan
from .past import column_view
from .query import Query

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "AnsweredTable",
    "ArrowArray",
    "ArrowStream",
    "TableQueries",
]


class ArrowStream(Protocol):
    """What holds Arrow data in batches: a table of pyarrow, polars, pandas or DuckDB, say."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Give a capsule named ``arrow_array_stream``."""


class ArrowArray(Protocol):
    """What holds Arrow data in one batch, such as a record batch of nanoarrow."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        """Give capsules named ``arrow_schema`` and ``arrow_array``."""


class AnsweredTable:
    """
    A table of questions with the answers behind its columns.

    Whatever reads Arrow's C streams reads it: ``pyarrow.table(t)``, ``polars.DataFrame(t)``,
    ``duckdb.sql("select * from t")``. It is a stream: nothing is answered before it is read, in
    batches of at most 32,768 questions, and columns of the questions are not copied. A table of
    questions may be read again; a stream of them is used up by the first reading, and the second raises a
    `ValueError`. An error of the reader's library is raised for an error on the way; of Ctrl-C
    `to_pyarrow`, `to_pandas` and `to_polars` raise `KeyboardInterrupt`.
    """

    __slots__ = ("_table",)

    def __init__(self, table: _hitscan.AnsweredTable) -> None:
        self._table = table

    @property
    def columns(self) -> list[str]:
        """The names of all columns, those of the questions first."""
        return [name for name, _ in self._table.columns()]

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """
        Give the answers to whoever reads Arrow's C streams.

        Parameters
        ----------
        requested_schema : object, optional
            Is not followed, as the interface allows.

        Returns
        -------
        PyCapsule
            The stream.
        """
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """
        Give the columns' names and types.

        Returns
        -------
        PyCapsule
            The schema.
        """
        return self._table.__arrow_c_schema__()

    def to_pyarrow(self) -> Any:
        """
        Answer all questions.

        Returns
        -------
        pyarrow.Table
            The questions and their answers.

        Raises
        ------
        ImportError
            When pyarrow is not installed.
        """
        return self._read(import_module("pyarrow").table)

    def to_pandas(self) -> Any:
        """
        Answer all questions.

        Returns
        -------
        pandas.DataFrame
            The questions and their answers.

        Raises
        ------
        ImportError
            When pyarrow or pandas is not installed.
        """
        return self.to_pyarrow().to_pandas()

    def to_polars(self) -> Any:
        """
        Answer all questions.

        Returns
        -------
        polars.DataFrame
            The questions and their answers.

        Raises
        ------
        ImportError
            When polars is not installed.
        """
        return self._read(import_module("polars").DataFrame)

    def _read(self, make: Callable[[AnsweredTable], Any]) -> Any:
        """Read the whole; of Ctrl-C meanwhile a reader makes an error of its own."""
        try:
            return make(self)
        except Exception as error:
            if self._table.was_interrupted():
                raise KeyboardInterrupt from error
            raise

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}: {kind}" for name, kind in self._table.columns())
        return f"AnsweredTable({columns})"


class TableQueries:
    """
    Tables of questions about worlds and snapshots.

    Objects have the names of `World.add` or of the scene file in columns. Positions are measured as
    those of arrays: from what the world's `origin` is measured from.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def _answered(
        self,
        table: ArrowStream | ArrowArray,
        threads: int | None,
        columns: Iterable[str] | None,
        ticks: str | None = None,
        **options: Any,
    ) -> AnsweredTable:
        """Answer a table of what `Query` says of these options."""
        kept = None if columns is None else tuple(columns)
        return self._answered_query(table, Query(columns=kept, **options), threads, ticks)

    def _answered_query(
        self, table: ArrowStream | ArrowArray, query: Query, threads: int | None, ticks: str | None = None
    ) -> AnsweredTable:
        if ticks is not None and not isinstance(ticks, str):
            raise TypeError(f"ticks: expected the name of the table's column with them, found {ticks!r}")
        view = self._view() if ticks is None else column_view(self, ticks)
        return AnsweredTable(_hitscan.answer_table(view, table, query, threads))

    def cast_rays_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        hits: Literal["nearest", "all", "any"] = "nearest",
        sides: Literal["both", "front", "back"] = "both",
        bind: bool = False,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of rays, as ``hitscan ray`` does, with the same columns and the same bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The rays: columns ``ox oy oz dx dy dz`` of any numeric type, in metres, optional ``t_min
            t_max mask ignore``. Other columns are carried through.
        hits, sides, bind, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks : str, optional
            The name of the table's column with each row's tick, of any numeric type, in the world's history
            (see `World.at`); worlds only. Where it is empty the row queries the present; a row whose
            tick is not kept is ``invalid``. Rows of one tick that follow each other are answered together.
        threads : int, optional
            How many threads answer; all that the machine has by default.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status t distance x y z nx ny nz object part triangle u v side``.

        Raises
        ------
        TypeError
            When `table` has no Arrow data.
        ValueError
            When the options contradict each other, and when `columns` names none of the answer's.
        FileError
            When a column is missing or of a type that is no number.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 2), name="planet")
        >>> world.update()
        >>> rays = pyarrow.table(
        ...     {"id": [7, 8], "ox": [0, 0], "oy": [0, 3], "oz": [5, 5], "dx": [0, 0], "dy": [0, 0]}
        ...     | {"dz": [-1, -1]}
        ... )
        >>> answers = world.cast_rays_table(rays, columns=["object", "t"])
        >>> pyarrow.table(answers).select(["id", "t", "object"]).to_pylist()
        [{'id': 7, 't': 3.0, 'object': 'planet'}, {'id': 8, 't': None, 'object': None}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="ray",
            hits=hits,
            sides=sides,
            bind=bind,
            row_number=row_number,
            prefix=prefix,
        )

    def heights_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        method: Literal["exact", "max", "mean"] = "exact",
        radius: float | None = None,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of points, as ``hitscan height`` does, with the same columns and the same bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The points: columns ``x z`` of any numeric type, in metres, optional ``mask ignore``. Other
            columns are carried through.
        method, radius, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks : str, optional
            The name of the table's column with each row's tick, of any numeric type: see `cast_rays_table`.
        threads : int, optional
            How many threads answer; all that the machine has by default.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status height nx ny nz object triangle``.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.HeightField([[0, 1], [2, 3]]), name="slope")
        >>> points = pyarrow.table({"x": [0.5], "z": [0.0]})
        >>> world.heights_table(points, columns=["height", "object"]).to_pyarrow().to_pylist()
        [{'x': 0.5, 'z': 0.0, 'height': 0.5, 'object': 'slope'}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="height",
            method=method,
            radius=radius,
            row_number=row_number,
            prefix=prefix,
        )

    def cast_shapes_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        shape: Literal["box", "obb", "turned_box", "sphere", "capsule", "cylinder", "hull"] = "box",
        hits: Literal["nearest", "all", "any"] = "nearest",
        sides: Literal["both", "front", "back"] = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        contact: bool = False,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of moving shapes, as ``hitscan sweep`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The moves: the columns of a shape, of boxes ``min_x min_y min_z max_x max_y max_z``, and
            ``dx dy dz``, in metres, of any numeric type; optional ``mask ignore``. Other columns are
            carried through.
        shape, hits, sides, initial_overlap, overlaps, contact, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks : str, optional
            The name of the table's column with each row's tick, of any numeric type: see `cast_rays_table`.
        threads : int, optional
            How many threads answer; all that the machine has by default.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status t nx ny nz object part triangle``.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="ball")
        >>> moves = pyarrow.table(
        ...     {"min_x": [-0.5], "min_y": [3.0], "min_z": [-0.5], "max_x": [0.5], "max_y": [4.0]}
        ...     | {"max_z": [0.5], "dx": [0.0], "dy": [-4.0], "dz": [0.0]}
        ... )
        >>> answers = world.cast_shapes_table(moves).to_pyarrow()
        >>> answers.select(["status", "t", "object"]).to_pylist()
        [{'status': 'hit', 't': 0.5, 'object': 'ball'}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="sweep",
            shape=shape,
            hits=hits,
            sides=sides,
            initial_overlap=initial_overlap,
            overlaps=overlaps,
            contact=contact,
            row_number=row_number,
            prefix=prefix,
        )

    def closest_points_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        signed: bool = False,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of points, as ``hitscan closest`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The points: columns ``px py pz`` of any numeric type, in metres, optional ``max_distance mask
            ignore``. Other columns are carried through.
        signed, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks : str, optional
            The name of the table's column with each row's tick, of any numeric type: see `cast_rays_table`.
        threads : int, optional
            How many threads answer; all that the machine has by default.

        Returns
        -------
        AnsweredTable
            The table's columns, then those of ``hitscan closest``: ``status distance x y z nx ny nz object part
            triangle``.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 2), name="planet")
        >>> points = pyarrow.table({"px": [5.0], "py": [0.0], "pz": [0.0]})
        >>> answers = world.closest_points_table(points, columns=["distance", "object"])
        >>> answers.to_pyarrow().select(["distance", "object"]).to_pylist()
        [{'distance': 3.0, 'object': 'planet'}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="closest",
            signed=signed,
            row_number=row_number,
            prefix=prefix,
        )

    def is_visible_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        blocker: bool = False,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of pairs of points, as ``hitscan sight`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The pairs: columns ``x y z`` of the eyes and ``target_x target_y target_z`` of what they look at, of any
            numeric type, in metres, optional ``mask ignore``. Other columns are carried through.
        blocker, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks : str, optional
            The name of the table's column with each row's tick, of any numeric type: see `cast_rays_table`.
        threads : int, optional
            How many threads answer; all that the machine has by default.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status``, visible or blocked, and with `blocker` what is between.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, -5], [5, 3, 5]), name="wall")
        >>> pairs = pyarrow.table(
        ...     {"x": [0.0, 0.0], "y": [1.0, 9.0], "z": [0.0, 0.0]}
        ...     | {"target_x": [8.0, 8.0], "target_y": [1.0, 9.0], "target_z": [0.0, 0.0]}
        ... )
        >>> world.is_visible_table(pairs).to_pyarrow()["status"].to_pylist()
        ['blocked', 'visible']
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="sight",
            blocker=blocker,
            row_number=row_number,
            prefix=prefix,
        )
