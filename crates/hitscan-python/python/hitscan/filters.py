"""What queries see, and which fields they answer, as the extension module takes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

__all__ = ["ALL_LAYERS", "Ignored", "field_names", "layer_mask", "seen_objects"]

#: All layers, a bit each.
ALL_LAYERS = 0xFFFF_FFFF

#: Objects that a query passes through: handles or names, or one of them; of a compound's parts a pair of the object
#: and the part's name.
Ignored: TypeAlias = Iterable[int | str | tuple[int | str, str]] | int | str


def layer_mask(layers: int) -> int:
    """Return layers as 32 bits; -1 is all of them, as in C."""
    if not isinstance(layers, int | np.integer):
        raise TypeError(f"layers: expected a whole number, a bit for each layer, found {layers!r}")
    mask = ALL_LAYERS if layers == -1 else int(layers)
    if not 0 <= mask <= ALL_LAYERS:
        raise ValueError(
            f"layers: expected 32 bits, 0 to {ALL_LAYERS:#x}, or -1 for all of them, found {layers}"
        )
    return mask


def seen_objects(layers: int, ignore: Ignored) -> tuple[int, list[Any]]:
    """Return which objects a query sees."""
    if layers is ALL_LAYERS and type(ignore) is tuple and not ignore:
        return ALL_LAYERS, []
    # A name is one name, not its letters.
    one = isinstance(ignore, str | int | np.integer)
    return layer_mask(layers), [ignore] if one else list(ignore)  # type: ignore[arg-type]


def field_names(fields: Iterable[str] | None) -> list[str] | None:
    """Return the fields that a query answers; None is the usual ones."""
    if fields is None:
        return None
    return [fields] if isinstance(fields, str) else list(fields)
