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


def tables_of_rays(mesh: Mesh, rays: Rays) -> list[Subject]:
    """First hits in a world by arrays and by a table, with all that is answered and with t alone."""
    import pyarrow as pa

    world = hitscan.World()
    world.add(tri_mesh(mesh), name="mesh")
    world.update()
    columns = {
        f"{letter}{axis}": values[:, place].copy()
        for letter, values in (("o", rays.origins), ("d", rays.directions))
        for place, axis in enumerate("xyz")
    }
    columns["t_max"] = np.full(len(rays), rays.t_max, dtype=np.float32)
    questions = pa.table(columns)

    def by_table(only: list[str] | None) -> Any:
        return pa.table(world.cast_rays_table(questions, columns=only))

    def table_times(answers: Any) -> Any:
        t = answers["t"].to_numpy().astype(np.float64)
        return np.where(np.isnan(t), np.inf, t)

    whole, t_alone = cast(world, rays), cast(world, rays, ["t"])
    return [
        whole,
        Subject(NAME, "cast_rays_table", lambda: by_table(None), table_times),
        t_alone,
        Subject(NAME, "cast_rays_table(t)", lambda: by_table(["t"]), table_times),
    ]


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


def tables_of_heights(samples: NDArray[np.float32], places: NDArray[np.float32]) -> list[Subject]:
    """Heights in a world by arrays and by a table, with all that is answered and alone."""
    import pyarrow as pa

    world = hitscan.World()
    world.add(height_field(samples), name="ground")
    world.update()
    questions = pa.table({"x": places[:, 0].copy(), "z": places[:, 1].copy()})

    def subjects(name: str, only: list[str] | None) -> list[Subject]:
        def by_arrays() -> Any:
            return world.height(places, fields=only)

        def by_table() -> Any:
            return pa.table(world.heights_table(questions, columns=only))

        def table_heights(answers: Any) -> Any:
            return answers["height"].to_numpy()

        return [
            Subject(NAME, f"height{name}", by_arrays, lambda found: found.height),
            Subject(NAME, f"heights_table{name}", by_table, table_heights),
        ]

    return [*subjects("", None), *subjects("(height)", ["height"])]
