"""What notebooks show of worlds and models: a picture and a small table."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .picture import PictureQueries

__all__ = ["html_view"]

#: Longer tables say how many rows they leave out.
MOST_ROWS = 12


def html_view(
    shown: PictureQueries, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> str:
    """Return a default view with a title and a table, as HTML."""
    png = base64.b64encode(shown.render(size=(480, 270)).to_png()).decode("ascii")
    more = len(rows) - MOST_ROWS
    lines = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows[:MOST_ROWS]]
    if more > 0:
        lines.append(f'<td colspan="{len(heads)}">and {more:,} more</td>')
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f"<table><tr>{head}</tr>{body}</table>"
    image = f'<img width="480" height="270" src="data:image/png;base64,{png}"/>'
    return f"<div>{image}<p>{escape(title)}</p>{table}</div>"
