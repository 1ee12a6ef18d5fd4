"""Why an answer is the answer: for one question at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _hitscan
from .arcs import GRAVITY
from .filters import ALL_LAYERS, Ignored, seen_objects
from .primitives import Primitive
from .rays import Sides, Start, point_of

__all__ = ["Candidate", "Change", "ExplainQueries", "RayMiss"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A triangle or solid that a question reaches, or an object of which it reaches nothing.

    Attributes
    ----------
    object : int
        The handle of the object.
    name : str or None
        Its name.
    part, triangle : int
        The triangle; -1 for solids, and where nothing is reached.
    t : float or None
        When it is reached, of contacts the separation, of closest points the distance, metres; None
        where nothing is reached.
    verdict : str
        What became of it: "answer", "farther", "tie", "out_of_range", "wrong_side", "parts",
        "left_out", "hole", "missed", "box_missed" or "filtered".
    why : str
        The reason, a clause for people.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([2, -1, -1], [3, 1, 1]), name="near")
    >>> world.update()
    >>> candidate = world.explain_ray([0, 0, 0], [1, 0, 0])[0]
    >>> candidate.name, candidate.t, candidate.verdict
    ('near', 2.0, 'answer')
    """

    object: int
    name: str | None
    part: int
    triangle: int
    t: float | None
    verdict: str
    why: str


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a question with which its ray hits.

    Attributes
    ----------
    what : str
        What to change: "sides", "layers", "ignored", "t_max" or "t_min".
    to : float or None
        The new end of the range; None of other changes.
    object : int
        The handle of the object that is hit then.
    name : str or None
        Its name.
    part, triangle : int
        The triangle that is hit; -1 of solids.
    t : float
        The t of that hit.
    why : str
        The change and what it does, a clause for people.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([4, -1, -1], [5, 1, 1]), name="wall")
    >>> world.update()
    >>> world.explain_miss([0, 0, 0], [1, 0, 0], t_max=3).changes[0].why
    'with t_max = 4, it hits at t = 4'
    """

    what: str
    to: float | None
    object: int
    name: str | None
    part: int
    triangle: int
    t: float
    why: str


@dataclass(frozen=True, slots=True)
class RayMiss:
    """Why a ray hits nothing.

    Attributes
    ----------
    passed : list of dict
        The near misses: the objects that it passes ahead of its origin, nearest first, as of
        `nearest_approaches`; at distance 0 it hits them from a side that is not admitted.
    changes : list of Change
        The changes each of which would make it hit by itself, the smallest first.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World()
    >>> _ = world.add(hitscan.Box([4, -1, -1], [5, 1, 1]), name="wall")
    >>> world.update()
    >>> miss = world.explain_miss([0, 0, 0], [1, 0, 0], t_max=3)
    >>> miss.passed[0]["name"], miss.passed[0]["distance"]
    ('wall', 1.0)
    """

    passed: list[dict[str, Any]]
    changes: list[Change]


class ExplainQueries:
    """Explanations of single answers, which worlds have.

    They take many times as long as the plain queries: for looking into one answer.
    """

    __slots__ = ()

    def _view(self) -> _hitscan.View:
        raise NotImplementedError

    def explain_ray(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        hits: Literal["nearest", "all"] = "nearest",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[Candidate]:
        """Return what of each object a ray hits, and why it is the answer or is not.

        Parameters
        ----------
        origin, direction : array_like, (3,)
            The ray, metres.
        t_min, t_max : float, optional
            The range of t.
        sides, start, layers, ignore
            As for `cast_rays`.
        hits : {"nearest", "all"}, optional
            Whether the nearest hit answers, or all do.

        Returns
        -------
        list of Candidate
            What is hit in order of t, object, part and triangle; then the objects of which nothing
            is hit.

        Raises
        ------
        ValueError
            For what is no ray.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for name, x in (("near", 2), ("far", 7), ("behind", -3)):
        ...     _ = world.add(hitscan.Box([x, -1, -1], [x + 1, 1, 1]), name=name)
        >>> world.update()
        >>> [(one.name, one.t, one.verdict) for one in world.explain_ray([0, 0, 0], [1, 0, 0])]
        [('behind', -2.0, 'out_of_range'), ('near', 2.0, 'answer'), ('far', 7.0, 'farther')]
        """
        view = self._view()
        ray = _ray(origin, direction, t_min, t_max)
        seen = seen_objects(layers, ignore)
        found = _hitscan.explain_ray(view, ray, (sides, start), _is_all(hits), seen)
        return _candidates(view, found)

    def explain_arc(
        self,
        origin: ArrayLike,
        velocity: ArrayLike,
        *,
        acceleration: ArrayLike = GRAVITY,
        t_min: float = 0.0,
        t_max: float = np.inf,
        sides: Sides = "both",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[Candidate]:
        """Return what of each object an arc hits, and why it is the answer or is not.

        Parameters
        ----------
        origin, velocity, acceleration : array_like, (3,)
            The arc, as for `cast_arcs`.
        t_min, t_max : float, optional
            The range of t, seconds.
        sides, layers, ignore
            As for `cast_arcs`.

        Returns
        -------
        list of Candidate
            As of `explain_ray`.

        Raises
        ------
        ValueError
            For what is no arc.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([10, 0, -5], [11, 3, 5]), name="wall")
        >>> world.update()
        >>> world.explain_arc([0, 1, 0], [10, 5, 0])[0].verdict
        'answer'
        """
        view = self._view()
        arc = (
            point_of("origin", origin),
            point_of("velocity", velocity),
            point_of("acceleration", acceleration),
        )
        seen = seen_objects(layers, ignore)
        found = _hitscan.explain_arc(view, arc, (t_min, t_max), sides, seen)
        return _candidates(view, found)

    def explain_shape(
        self,
        shape: Primitive,
        motion: ArrayLike,
        *,
        sides: Sides = "both",
        initial_overlap: Literal["stop", "escape"] | None = None,
        overlaps: Literal["stop", "leave"] | None = None,
        hits: Literal["nearest", "all"] = "nearest",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[Candidate]:
        """Return what of each object a moving solid hits, and why it is the answer or is not.

        Parameters
        ----------
        shape : Primitive
            The solid at t = 0.
        motion : array_like, (3,)
            How far it moves while t goes from 0 to 1, metres.
        sides, initial_overlap, overlaps, layers, ignore
            As for `cast_shapes`.
        hits : {"nearest", "all"}, optional
            Whether the first hit answers, or the first with each object.

        Returns
        -------
        list of Candidate
            As of `explain_ray`.

        Raises
        ------
        ValueError
            For a motion that is not finite.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, 0, 0], [5, 9, 9]), name="wall")
        >>> world.update()
        >>> world.explain_shape(hitscan.Sphere([0, 1, 1], 1), [6, 0, 0])[0].t
        0.5
        """
        view = self._view()
        found = _hitscan.explain_shape(
            view,
            shape._raw,
            point_of("motion", motion),
            (sides, initial_overlap, overlaps),
            _is_all(hits),
            seen_objects(layers, ignore),
        )
        return _candidates(view, found)

    def explain_contacts(
        self,
        shape: Primitive,
        *,
        margin: float = 0.0,
        each: Literal["object", "triangle"] = "object",
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[Candidate]:
        """Return what of each object a resting solid is near to, and why it counts or does not.

        Parameters
        ----------
        shape : Primitive
            The solid.
        margin, each, layers, ignore
            As for `contacts`.

        Returns
        -------
        list of Candidate
            As of `explain_ray`; `t` is the separation.

        Raises
        ------
        ValueError
            For another `each`.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([-9, -1, -9], [9, 0, 9]), name="floor")
        >>> world.update()
        >>> world.explain_contacts(hitscan.Sphere([0, 0.75, 0], 0.5), margin=1)[0].t
        0.25
        """
        view = self._view()
        if each not in ("object", "triangle"):
            raise ValueError(f'each: expected "object" or "triangle", found {each!r}')
        is_triangle = each == "triangle"
        seen = seen_objects(layers, ignore)
        found = _hitscan.explain_contacts(view, shape._raw, margin, is_triangle, seen)
        return _candidates(view, found)

    def explain_closest_point(
        self,
        point: ArrayLike,
        *,
        max_distance: float = np.inf,
        signed: bool = False,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> list[Candidate]:
        """Return how far each object is from a point, and why it is the answer or is not.

        Parameters
        ----------
        point : array_like, (3,)
            Metres.
        max_distance, signed, layers, ignore
            As for `closest_points`.

        Returns
        -------
        list of Candidate
            One for each object; `t` is the distance.

        Raises
        ------
        ValueError
            For what is no point.
        KeyError
            For an object in `ignore` that there is not.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> for name, x in (("near", 3), ("far", 9)):
        ...     _ = world.add(hitscan.Sphere([x, 0, 0], 1), name=name)
        >>> world.update()
        >>> [(one.name, one.t, one.verdict) for one in world.explain_closest_point([0, 0, 0])]
        [('near', 2.0, 'answer'), ('far', 8.0, 'farther')]
        """
        view = self._view()
        place = point_of("point", point)
        seen = seen_objects(layers, ignore)
        found = _hitscan.explain_closest_point(view, place, max_distance, signed, seen)
        return _candidates(view, found)

    def explain_miss(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        *,
        t_min: float = 0.0,
        t_max: float = np.inf,
        sides: Sides = "both",
        start: Start = "solid",
        at_most: int = 8,
        layers: int = ALL_LAYERS,
        ignore: Ignored = (),
    ) -> RayMiss | None:
        """Return why a ray hits nothing: what it passes, and what would make it hit.

        Parameters
        ----------
        origin, direction, t_min, t_max, sides, start, layers, ignore
            As for `explain_ray`.
        at_most : int, optional
            How many objects are named.

        Returns
        -------
        RayMiss or None
            None where it hits. Each change was tried.

        Raises
        ------
        ValueError, KeyError
            As `explain_ray`.

        Examples
        --------
        >>> import hitscan
        >>> world = hitscan.World()
        >>> _ = world.add(hitscan.Box([4, -1, -1], [5, 1, 1]), name="wall")
        >>> glass = world.add(hitscan.Box([2, -1, -1], [2.5, 1, 1]), name="glass")
        >>> world.update()
        >>> miss = world.explain_miss([0, 0, 0], [1, 0, 0], t_max=3, ignore=[glass])
        >>> [(change.what, change.name) for change in miss.changes]
        [('ignored', 'glass'), ('t_max', 'wall')]
        """
        view = self._view()
        ray = _ray(origin, direction, t_min, t_max)
        seen = seen_objects(layers, ignore)
        found = _hitscan.explain_miss(view, ray, (sides, start), at_most, seen)
        if found is None:
            return None
        passed, changes = found
        names = view.names.of([change[2][0] for change in changes])
        told = zip(changes, names, strict=True)
        return RayMiss(
            approaches(view, passed),
            [
                Change(what, to, object, name, part, triangle, t, why)
                for (what, to, (object, part, triangle), t, why), name in told
            ],
        )


def _is_all(hits: str) -> bool:
    if hits not in ("nearest", "all"):
        raise ValueError(f'hits: expected "nearest" or "all", found {hits!r}')
    return hits == "all"


def _ray(
    origin: ArrayLike, direction: ArrayLike, t_min: float, t_max: float
) -> _hitscan._Ray:
    return point_of("origin", origin), point_of("direction", direction), t_min, t_max


def _candidates(view: _hitscan.View, found: list[_hitscan._Candidate]) -> list[Candidate]:
    names = view.names.of([feature[0] for feature, *_ in found])
    return [
        Candidate(object, name, part, triangle, t, verdict, why)
        for ((object, part, triangle), t, verdict, why), name in zip(found, names, strict=True)
    ]


def approaches(view: _hitscan.View, passed: list[_hitscan._Passed]) -> list[dict[str, Any]]:
    """Return what a ray passes, a dictionary each."""
    names = view.names.of([feature[0] for feature, *_ in passed])
    return [
        {
            "object": object,
            "name": name,
            "part": part,
            "triangle": triangle,
            "distance": distance,
            "t": t,
            "on_ray": np.array(on_ray),
            "on_object": np.array(on_object),
        }
        for ((object, part, triangle), distance, t, on_ray, on_object), name in zip(
            passed, names, strict=True
        )
    ]
