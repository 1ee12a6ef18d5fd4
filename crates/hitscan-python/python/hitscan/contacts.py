"""What resting solids overlap, touch or are near to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _hitscan
from .answers import FlatAnswer, Invalid
from .filters import ALL_LAYERS, Ignored, seen_objects
from .georeference import Coordinates, is_map, onto_map
from .map_shapes import shapes_of
from .past import view_at
from .shape_arrays import Shapes

__all__ = ["ContactQueries", "ContactStatus", "Contacts"]


class ContactStatus(IntEnum):
    """How a resting solid and an obstacle lie.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.ContactStatus.OVERLAP
    <ContactStatus.OVERLAP: 2>
    """

    #: They are apart, by no more than the margin.
    NEAR = 0
    #: They only touch.
    TOUCHING = 1
    #: They overlap.
    OVERLAP = 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Contacts(FlatAnswer):
    """Contacts of resting solids, those of the first solid first.

    Of one solid they are in the order of objects, parts and triangles.

    Attributes
    ----------
    question : numpy.ndarray of int64
        The index of each contact's solid among the flattened questions.
    status : numpy.ndarray of int8
        A `ContactStatus` each, decided exactly.
    separation : numpy.ndarray of float32
        How far apart they are, metres. Where they overlap it is minus the depth: the least
        distance by which the solid must be moved until they only touch.
    normal : numpy.ndarray of float32, (n, 3)
        The unit direction of that move, from the obstacle to the solid.
    point : numpy.ndarray of float32, or of float64 as the shapes, (n, 3)
        The obstacle's nearest point where they are apart, else a common point of both, metres.
    object : numpy.ndarray of int64
        The handle of the obstacle; -1 without a world.
    part : numpy.ndarray of int32
        The part of a model; -1 for solids.
    triangle : numpy.ndarray of int64
        The triangle of the part; -1 for solids.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([-9, -1, -9], [9, 0, 9]), name="floor")
    >>> world.update()
    >>> contacts = world.contacts(hitscan.Spheres([[0, 0.75, 0], [0, 9, 0]], 0.5), margin=1)
    >>> contacts.separation, contacts.question, contacts.object_names
    (array([0.25], dtype=float32), array([0]), array(['floor'], dtype=object))
    """

    status: NDArray[np.int8]
    separation: NDArray[np.float32]
    normal: NDArray[np.float32]
    point: NDArray[np.float64] | NDArray[np.float32]
    object: NDArray[np.int64]
    part: NDArray[np.int32]
    triangle: NDArray[np.int64]

    @property
    def object_names(self) -> NDArray[np.object_]:
        """The names of the obstacles, an array of str."""
        return self._names_of(self.object)


class ContactQueries:
    """Queries about resting solids, which worlds, meshes and terrain have alike."""

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def contacts(
        self,
        shapes: Shapes,
        *,
        margin: ArrayLike = 0.0,
        each: Literal["object", "triangle"] = "object",
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> Contacts:
        """Return what each resting solid overlaps, touches or is within a margin of.

        An object's contact is that of least separation and clears one of its triangles; it is not
        the shortest way out of a whole mesh, which is not convex. To leave it, move, and repeat.

        Parameters
        ----------
        shapes : Primitive, sequence of Primitive, Spheres, Boxes, OrientedBoxes or Capsules
            The solids.
        margin : array_like, optional
            How far apart things may be, metres: one for all or one for each solid.
        each : {"object", "triangle"}, optional
            One contact for each object, or for each triangle and solid, without those with an
            edge or a corner that a neighbouring triangle contradicts.
        coordinates : {"world", "map"}, optional
            What the solids and the answers are in: the world's axes, or those of a map (easting,
            northing, height), as for `height`. Of a map a turned box is turned about these too.
        layers : int, optional
            Only objects in one of these layers count, a bit each; worlds only.
        ignore : iterable of int or str, optional
            Handles or names of objects that do not count; worlds only.
        ticks : array_like, optional
            The time of each query, in ticks of a world's history: one for all or one for each row; they
            broadcast with the other arrays. See `World.at`; worlds only.
        invalid : {"raise", "mark"}, optional
            What becomes of rows that are no question: a `ValueError`, or no contacts.
        threads : int, optional
            How many threads share the work at most; see `set_num_threads`.

        Returns
        -------
        Contacts
            A flat array for each field, those of the first solid first.

        Raises
        ------
        ValueError
            For arrays of other shapes, and for a row that is no question, with its index.
        TypeError
            For what is no array of real numbers, and no solid.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> floor = world.add(hitscan.Box([-9, -1, -9], [9, 0, 9]))
        >>> world.update()
        >>> guard = hitscan.Capsule([0, 0.625, 0], [0, 1.5, 0], 0.5)
        >>> contacts = world.contacts(guard, margin=0.25)
        >>> contacts.separation.tolist(), contacts.normal.tolist()
        ([0.125], [[0.0, 1.0, 0.0]])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        columns = _hitscan.contacts(
            view,
            shapes_of(view, shapes, on_map),
            margin,
            each,
            seen_objects(layers, ignore),
            invalid,
            threads,
        )
        *fields, question, splits = columns
        found = Contacts(view.names, question, len(splits) - 1, *fields)
        if on_map:
            onto_map(view, found.point, found.normal)
        return found

    def overlaps_shapes(
        self,
        shapes: Shapes,
        *,
        coordinates: Coordinates = "world",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
        ticks: ArrayLike | None = None,
        invalid: Invalid = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Return whether each resting solid overlaps anything, exactly.

        What it only touches it does not overlap.

        Parameters
        ----------
        shapes, coordinates, layers, ignore, ticks, threads
            As for `contacts`.
        invalid : {"raise", "mark"}, optional
            As for `contacts`; a row that is no question overlaps nothing.

        Returns
        -------
        numpy.ndarray of bool
            In the shape of the questions.

        Raises
        ------
        ValueError, TypeError, KeyError
            As `contacts`.

        Examples
        --------
        >>> import numpy as np, hitscan
        >>> ground = hitscan.HeightField(np.zeros((9, 9)))
        >>> ground.overlaps_shapes(hitscan.Spheres([[4, 1, 4], [4, 0.9, 4]], 1))
        array([False,  True])
        """
        view = view_at(self, ticks)
        on_map = is_map(coordinates)
        return _hitscan.overlaps_shapes(
            view, shapes_of(view, shapes, on_map), seen_objects(layers, ignore), invalid, threads
        )
