"""embreex, the bindings of Embree that trimesh uses."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

import agreement
from inputs import Mesh, Rays
from race import Subject

NAME = "embreex"
VERSION = f"embreex {version('embreex')}"


def scene(mesh: Mesh) -> EmbreeScene:
    """Build a scene of a mesh, which the first query commits."""
    built = EmbreeScene()
    TriangleMesh(built, mesh.vertices, mesh.triangles.astype(np.int32))
    return built


def times(hits: dict[str, Any]) -> Any:
    """The distances of the hits, inf of a miss."""
    return np.where(hits["primID"] >= 0, hits["tfar"].astype(np.float64), np.inf)


def nearest(mesh: Mesh, rays: Rays) -> list[Subject]:
    """First hits: their triangles alone, and everything."""
    built = scene(mesh)

    def triangles() -> Any:
        return built.run(rays.origins, rays.directions)

    def everything() -> Any:
        return built.run(rays.origins, rays.directions, output=True)

    def read(found: Any) -> Any:
        return agreement.times_on_triangles(found.astype(np.int64), mesh, rays)

    return [
        Subject(NAME, "run", triangles, read),
        Subject(NAME, "run(output=True)", everything, times),
    ]


def occluded(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Whether rays hit anything."""
    built = scene(mesh)

    def run() -> Any:
        return built.run(rays.origins, rays.directions, query="OCCLUDED")

    return [Subject(NAME, 'run(query="OCCLUDED")', run, lambda found: found >= 0)]
