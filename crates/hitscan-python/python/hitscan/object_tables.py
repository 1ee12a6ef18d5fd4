"""Tables of objects that move, of shapes that turn, and of how far objects are apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from .tables import AnsweredTable, ArrowArray, ArrowStream, TableQueries

__all__ = ["ObjectTableQueries"]


class ObjectTableQueries(TableQueries):
    """All tables of questions about worlds and snapshots."""

    __slots__ = ()

    def cast_objects_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        hits: Literal["nearest", "all", "any"] = "nearest",
        sides: Literal["both", "front", "back"] = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        contact: bool = False,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of objects that move, as ``hitscan sweep --object`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The moves: the column ``mover``, the name of an object, and ``dx dy dz``, in metres; optional
            ``mask ignore``. Other columns are carried through.
        hits, sides, initial_overlap, contact, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks, threads : optional
            As for `cast_shapes_table`.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status t nx ny nz object part triangle mover_part mover_triangle``.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, 0], [5, 3, 3]), name="wall")
        >>> _ = world.add(hitscan.Cylinder([0, 0, 1], [0, 2, 1], 1), name="drum")
        >>> moves = pyarrow.table({"mover": ["drum"], "dx": [6.0], "dy": [0.0], "dz": [0.0]})
        >>> answers = world.cast_objects_table(moves).to_pyarrow()
        >>> answers.select(["t", "object"]).to_pylist()
        [{'t': 0.5, 'object': 'wall'}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="sweep",
            moves_objects=True,
            hits=hits,
            sides=sides,
            initial_overlap=initial_overlap,
            contact=contact,
            row_number=row_number,
            prefix=prefix,
        )

    def cast_turnings_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        shape: Literal["box", "obb", "turned_box", "sphere", "capsule", "cylinder", "hull"] = "box",
        hits: Literal["nearest", "any"] = "nearest",
        tolerance: float | None = None,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of shapes that turn, as ``hitscan sweep --turning`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The moves: the columns of a shape, ``dx dy dz``, optional ``axis_x axis_y axis_z angle`` (radians), ``pivot_x
            pivot_y pivot_z tolerance mask ignore``. Other columns are carried through.
        shape, hits, tolerance, columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks, threads : optional
            As for `cast_shapes_table`.

        Returns
        -------
        AnsweredTable
            The table's columns, then ``status t nx ny nz object part triangle gap``.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0.5, 1, -0.5], 0.25), name="ball")
        >>> door = {"min_x": 0, "min_y": 0, "min_z": -0.03, "max_x": 1, "max_y": 2, "max_z": 0.03}
        >>> swing = {"dx": 0, "dy": 0, "dz": 0, "axis_x": 0, "axis_y": 1, "axis_z": 0, "angle": 1.5}
        >>> swing |= {"pivot_x": 0, "pivot_y": 0, "pivot_z": 0}
        >>> moves = pyarrow.table({name: [float(value)] for name, value in (door | swing).items()})
        >>> world.cast_turnings_table(moves).to_pyarrow()["object"].to_pylist()
        ['ball']
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="sweep",
            turning=True,
            shape=shape,
            hits=hits,
            tolerance=tolerance,
            row_number=row_number,
            prefix=prefix,
        )

    def distances_table(
        self,
        table: ArrowStream | ArrowArray,
        *,
        columns: Iterable[str] | None = None,
        row_number: bool = False,
        prefix: str = "",
        ticks: str | None = None,
        threads: int | None = None,
    ) -> AnsweredTable:
        """
        Answer a table of pairs of objects, as ``hitscan distance`` does, with the same columns and bits.

        Parameters
        ----------
        table : ArrowStream or ArrowArray
            The pairs: the columns ``object_a object_b``, names of objects, optional ``max_distance`` in metres and
            ``mask ignore``. Other columns are carried through.
        columns, row_number, prefix
            As for `hitscan.query.Query`.
        ticks, threads : optional
            As for `cast_shapes_table`.

        Returns
        -------
        AnsweredTable
            The table's columns, then those of ``hitscan distance``: ``status distance``, the direction, both points,
            both parts and triangles.

        Raises
        ------
        TypeError, ValueError, FileError
            As `cast_rays_table`.

        Examples
        --------
        >>> import hitscan, pyarrow
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Sphere([0, 0, 0], 1), name="earth")
        >>> _ = world.add(hitscan.Sphere([9, 0, 0], 2), name="moon")
        >>> pairs = pyarrow.table({"object_a": ["earth"], "object_b": ["moon"]})
        >>> world.distances_table(pairs).to_pyarrow().select(["status", "distance"]).to_pylist()
        [{'status': 'apart', 'distance': 6.0}]
        """
        return self._answered(
            table,
            threads,
            columns,
            ticks,
            query="distance",
            row_number=row_number,
            prefix=prefix,
        )
