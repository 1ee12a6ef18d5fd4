"""Ours."""

from __future__ import annotations

from typing import Any

import hitscan
import numpy as np
from numpy.typing import NDArray

import agreement
from inputs import Mesh, Rays
from lines import OURS
from race import Subject

NAME = OURS
VERSION = f"hitscan {hitscan.__version__}"

#: What Open3D answers.
AS_OPEN3D = ["t", "triangle", "uv", "normal"]
#: What trimesh answers.
AS_TRIMESH = ["hit", "point", "triangle"]


def tri_mesh(mesh: Mesh) -> hitscan.TriMesh:
    """Build a mesh."""
    return hitscan.TriMesh(mesh.vertices, mesh.triangles)


def memory_bytes(mesh: Mesh) -> int:
    """What a mesh says that it holds, bytes."""
    return int(tri_mesh(mesh).memory_bytes)


def call(fields: list[str] | None) -> str:
    """How a call with these fields is named in the table."""
    return "cast_rays" if fields is None else f"cast_rays({', '.join(fields)})"


def times(hits: Any) -> Any:
    """The distances of the hits, inf of a miss."""
    return hits.t.astype(np.float64)


def cast(shape: Any, rays: Rays, fields: list[str] | None = None) -> Subject:
    """First hits, with these fields."""

    def run() -> Any:
        return shape.cast_rays(rays.origins, rays.directions, t_max=rays.t_max, fields=fields)

    return Subject(NAME, call(fields), run, times)


def nearest(mesh: Mesh, rays: Rays) -> list[Subject]:
    """First hits with the fields of each peer."""
    built = tri_mesh(mesh)

    def by_place(hits: Any) -> Any:
        index = np.flatnonzero(hits.hit)
        return agreement.distances_to(hits.point[index].astype(np.float64), index, rays)

    def by_triangle(hits: Any) -> Any:
        return agreement.times_on_triangles(hits.triangle, mesh, rays)

    as_trimesh, as_run = cast(built, rays, AS_TRIMESH), cast(built, rays, ["triangle"])
    as_trimesh.read, as_run.read = by_place, by_triangle
    return [cast(built, rays), cast(built, rays, AS_OPEN3D), as_trimesh, as_run]


def in_a_world(mesh: Mesh, rays: Rays) -> list[Subject]:
    """First hits at a mesh, and at a world that holds it alone."""
    built = tri_mesh(mesh)
    world = hitscan.World()
    world.add(built)
    world.update()
    alone, placed = cast(built, rays), cast(world, rays)
    alone.call, placed.call = "TriMesh.cast_rays", "World.cast_rays"
    return [alone, placed]


def occluded(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Whether rays hit anything."""
    built = tri_mesh(mesh)
    return [
        Subject(NAME, "cast_rays_any", lambda: built.cast_rays_any(rays.origins, rays.directions))
    ]


def all_hits(mesh: Mesh, rays: Rays) -> list[Subject]:
    """All hits, with the fields of each peer."""
    built = tri_mesh(mesh)

    def subject(fields: list[str]) -> Subject:
        def run() -> Any:
            return built.cast_rays_all(rays.origins, rays.directions, fields=fields)

        def read(hits: Any) -> Any:
            found = (
                hits.t
                if "t" in fields
                else agreement.times_of(
                    hits.point, rays.origins[hits.ray], rays.directions[hits.ray]
                )
            )
            return agreement.summed(hits.count, hits.ray, found)

        return Subject(NAME, call(fields).replace("cast_rays", "cast_rays_all"), run, read)

    return [subject(["t", "triangle", "uv"]), subject(["point", "triangle"])]


def one_by_one(mesh: Mesh, rays: Rays) -> list[Subject]:
    """A call for each ray."""
    built = tri_mesh(mesh)
    pairs = list(zip(rays.origins, rays.directions, strict=True))

    def subject(fields: list[str], read: Any) -> Subject:
        def run() -> Any:
            return [
                built.cast_rays(origin, direction, fields=fields) for origin, direction in pairs
            ]

        return Subject(NAME, call(fields), run, read)

    def by_triangle(answers: Any) -> Any:
        triangles = np.array([hits.triangle for hits in answers], dtype=np.int64)
        return agreement.times_on_triangles(triangles.reshape(-1), mesh, rays)

    def by_time(answers: Any) -> Any:
        return np.array([hits.t for hits in answers], dtype=np.float64).reshape(-1)

    return [subject(AS_OPEN3D, by_time), subject(["triangle"], by_triangle)]


def height_field(samples: NDArray[np.float32]) -> hitscan.HeightField:
    """Build a terrain with a sample a metre."""
    return hitscan.HeightField(samples, spacing=1.0)


def heights(samples: NDArray[np.float32], places: NDArray[np.float32]) -> list[Subject]:
    """Heights at places (x, z)."""
    built: Any = height_field(samples)

    def subject(call: str, *fields: str) -> Subject:
        def run() -> Any:
            return built.height(places, fields=fields or None)

        return Subject(NAME, call, run, lambda found: found.height)

    return [subject("height(height)", "height"), subject("height")]
