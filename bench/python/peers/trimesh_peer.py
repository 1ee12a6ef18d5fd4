"""trimesh's `mesh.ray`, which is embreex where that is installed; here it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import trimesh
from trimesh.ray.ray_pyembree import RayMeshIntersector

import agreement
from inputs import Mesh, Rays
from race import Subject

NAME = "trimesh"
VERSION = f"trimesh {trimesh.__version__}"


def intersector(mesh: Mesh) -> RayMeshIntersector:
    """Build a mesh's `ray`."""
    return RayMeshIntersector(trimesh.Trimesh(mesh.vertices, mesh.triangles, process=False))


def nearest(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Places of first hits."""
    built = intersector(mesh)

    def run() -> Any:
        return built.intersects_location(rays.origins, rays.directions, multiple_hits=False)

    def read(found: Any) -> Any:
        locations, index, _ = found
        return agreement.distances_to(locations, index, rays)

    return [Subject(NAME, "intersects_location(multiple_hits=False)", run, read)]


def occluded(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Whether rays hit anything."""
    built: Any = intersector(mesh)

    def run() -> Any:
        return built.intersects_any(rays.origins, rays.directions)

    return [Subject(NAME, "intersects_any", run)]


def all_hits(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Places of all hits."""
    built = intersector(mesh)

    def run() -> Any:
        return built.intersects_location(rays.origins, rays.directions, multiple_hits=True)

    def read(found: Any) -> Any:
        locations, index, _ = found
        counts = np.bincount(index, minlength=len(rays))
        times = agreement.times_of(locations, rays.origins[index], rays.directions[index])
        return agreement.summed(counts, index, times)

    return [Subject(NAME, "intersects_location(multiple_hits=True)", run, read)]


def one_by_one(mesh: Mesh, rays: Rays) -> list[Subject]:
    """A call for each ray, which gives the triangle."""
    built = intersector(mesh)
    pairs = list(zip(rays.origins[:, None, :], rays.directions[:, None, :], strict=True))

    def run() -> Any:
        return [built.intersects_first(origin, direction) for origin, direction in pairs]

    def read(answers: Any) -> Any:
        triangles = np.concatenate(answers).astype(np.int64)
        return agreement.times_on_triangles(triangles, mesh, rays)

    return [Subject(NAME, "intersects_first", run, read)]
