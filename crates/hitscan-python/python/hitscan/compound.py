"""Compounds: several solids with names that are one object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import _hitscan
from .primitives import Primitive

__all__ = ["Compound", "CompoundPart"]


@dataclass(frozen=True, slots=True)
class CompoundPart:
    """A solid of a `Compound`, with a name.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.CompoundPart("head", hitscan.Sphere([0, 1.75, 0], 0.25), user_data=4)
    CompoundPart(name='head', solid=Sphere([0.0, 1.75, 0.0], 0.25), user_data=4)
    """

    #: The part's name: not empty, without ``;``, and no other part's.
    name: str
    #: The solid, in the compound's own space.
    solid: Primitive
    #: A number of the caller's: what a hit box counts, say.
    user_data: int = 0


class Compound:
    """Several solids with names that are one object: a character's hit boxes, or a vehicle's body and wheels.

    Hits name the part by its number as `part`; `World.part_names` has the names. A part is passed through by
    ``ignore=[(object, name)]``. Parts may overlap; of several with the same t the lowest number answers.

    Parameters
    ----------
    parts : mapping of str to Primitive, or iterable of CompoundPart
        The solids by their names, numbered in this order.

    Raises
    ------
    ValueError
        Without parts, and for a name that is empty, has a ``;`` in it or is that of an earlier part.
    TypeError
        For what is no solid.

    Examples
    --------
    >>> import hitscan
    >>> guard = hitscan.Compound(
    ...     {"head": hitscan.Sphere([0, 1.75, 0], 0.25), "chest": hitscan.Box([-0.25, 0.75, -0.25], [0.25, 1.5, 0.25])}
    ... )
    >>> world = hitscan.World()
    >>> at_8 = [[1, 0, 0, 8], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    >>> bruno = world.add(guard, name="bruno", transform=at_8)
    >>> hit = world.cast_rays([0, 1.75, 0], [1, 0, 0])
    >>> float(hit.t), world.part_names(bruno)[int(hit.part)]
    (7.75, 'head')
    >>> bool(world.cast_rays_any([0, 1.75, 0], [1, 0, 0], ignore=[(bruno, "head")]))
    False
    """

    __slots__ = ("_raw", "parts")

    _raw: _hitscan.Compound
    #: The parts, by their numbers.
    parts: tuple[CompoundPart, ...]

    def __init__(self, parts: Mapping[str, Primitive] | Iterable[CompoundPart]) -> None:
        if isinstance(parts, Mapping):
            parts = [CompoundPart(name, solid) for name, solid in parts.items()]
        self.parts = tuple(parts)
        for part in self.parts:
            if not isinstance(part, CompoundPart) or not isinstance(part.solid, Primitive):
                raise TypeError(f"parts: expected solids by name, or CompoundPart, found {part!r}")
        self._raw = _hitscan.Compound(
            [(part.name, part.solid._raw, part.user_data) for part in self.parts]
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.parts,)

    def __eq__(self, other: object) -> bool:
        return self.parts == other.parts if isinstance(other, Compound) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Compound({', '.join(part.name for part in self.parts)})"
