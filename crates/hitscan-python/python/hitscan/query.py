"""What a table queries: options of ``hitscan ray``, ``height``, ``sweep``, ``closest``, ``distance``, ``sight``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Query"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    What a table queries in a world, and which columns of the answers are kept.

    The columns of questions and answers are those of the command of the same name.

    Parameters
    ----------
    query : {'ray', 'height', 'sweep', 'closest', 'distance', 'sight'}
        The command.
    hits : {'nearest', 'all', 'any'}
        Which hits of a ray or a moving shape are answered: the nearest; all, one row each, with
        the question's row in a column ``row``; or whether there is one, a ``status`` alone.
    sides : {'both', 'front', 'back'}
        Which sides of triangles are hit, by rays and moving shapes.
    bind : bool
        Whether hits of rays on models have ``joint bind_x bind_y bind_z`` too.
    method : {'exact', 'max', 'mean'}
        Which height is answered.
    radius : float, optional
        Metres around a point, for `method` 'max' and 'mean'.
    shape : {'box', 'obb', 'sphere', 'capsule', 'cylinder', 'hull'}
        What moves in a sweep; 'turned_box' is an alias of 'obb', an oriented box.
    turning : bool
        Whether the shapes of a sweep turn while they move, by the columns ``axis_x axis_y axis_z angle`` and, if they
        are there, ``pivot_x pivot_y pivot_z`` and ``tolerance``.
    tolerance : float, optional
        How near a turning shape comes to what it hits, metres, where its row does not say.
    moves_objects : bool
        Whether the column ``mover`` of a sweep names the object that moves, in place of a shape.
    initial_overlap : {'stop', 'escape'}, optional
        Whether a shape that overlaps something at the start is stopped, as by default, or may
        escape from it.
    overlaps : {'stop', 'leave'}, optional
        An alias of `initial_overlap`; 'leave' is 'escape'. Both together are an error.
    contact : bool
        Whether hits of moving shapes have ``start x y z side separation out_x out_y out_z`` too.
    signed : bool
        Whether distances of points inside closed meshes and models are negative, as those inside
        solids are.
    blocker : bool
        Whether the nearest thing between an eye and a target that do not see each other is named.
    columns : tuple of str, optional
        The names of the answer's columns that are kept; all of them by default. They come in the
        answer's order.
    row_number : bool
        Whether a column ``row`` with the number of the input's row, uint64 from 0, precedes
        the answers.
    prefix : str
        What comes in front of the names of the answer's columns.

    Examples
    --------
    >>> Query(hits="any").query
    'ray'
    """

    query: Literal["ray", "height", "sweep", "closest", "distance", "sight"] = "ray"
    hits: Literal["nearest", "all", "any"] = "nearest"
    sides: Literal["both", "front", "back"] = "both"
    bind: bool = False
    method: Literal["exact", "max", "mean"] = "exact"
    radius: float | None = None
    shape: Literal["box", "obb", "turned_box", "sphere", "capsule", "cylinder", "hull"] = "box"
    turning: bool = False
    tolerance: float | None = None
    moves_objects: bool = False
    initial_overlap: Literal["stop", "escape"] | None = None
    overlaps: Literal["stop", "leave"] | None = None
    contact: bool = False
    signed: bool = False
    blocker: bool = False
    columns: tuple[str, ...] | None = None
    row_number: bool = False
    prefix: str = ""
