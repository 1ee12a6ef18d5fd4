"""Questions about a world's past, each row about its own tick."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _hitscan

__all__ = ["column_view", "view_at"]


def view_at(asked: Any, ticks: ArrayLike | None) -> _hitscan.View:
    """Return what answers: `asked`, or a world at a tick, or at one for each row."""
    if ticks is None:
        view: _hitscan.View = asked._view()
        return view
    _check_world(asked)
    if np.ndim(ticks) == 0:
        then: _hitscan.View = asked.at(float(ticks))._view()  # type: ignore[arg-type]
        return then
    past: _hitscan.View = asked._raw.at_each(ticks)
    return past


def column_view(asked: Any, column: str) -> _hitscan.View:
    """Return what answers a table whose column of this name has the ticks."""
    _check_world(asked)
    # Rows without a tick query the present.
    asked._make_changes()
    view: _hitscan.View = asked._raw.at_each(column)
    return view


def _check_world(asked: Any) -> None:
    if not hasattr(asked, "keep_history"):
        raise TypeError(
            f"ticks: only a World has a history, and this is a {type(asked).__name__}: ask its World"
        )
