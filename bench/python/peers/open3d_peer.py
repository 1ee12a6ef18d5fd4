"""Open3D's `RaycastingScene`, which is Embree; numpy arrays in and out without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import open3d
from open3d.core import Tensor
from open3d.t.geometry import RaycastingScene

import agreement
from inputs import Mesh, Rays
from race import Subject

NAME = "Open3D"
VERSION = f"Open3D {open3d.__version__}"


def scene(mesh: Mesh) -> RaycastingScene:
    """Build a scene of a mesh."""
    built = RaycastingScene(nthreads=1)
    built.add_triangles(Tensor.from_numpy(mesh.vertices), Tensor.from_numpy(mesh.triangles))
    return built


def cast(built: RaycastingScene, rows: Any) -> dict[str, Any]:
    """Everything that a first hit has, as numpy arrays."""
    hits = built.cast_rays(Tensor.from_numpy(rows), nthreads=1)
    return {name: values.numpy() for name, values in hits.items()}


def times(hits: dict[str, Any]) -> Any:
    """The distances of the hits, inf of a miss."""
    return hits["t_hit"].astype(np.float64)


def nearest(mesh: Mesh, rays: Rays) -> list[Subject]:
    """First hits."""
    built = scene(mesh)
    return [Subject(NAME, "cast_rays", lambda: cast(built, rays.rows), times)]


def occluded(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Whether rays hit anything."""
    built = scene(mesh)

    def run() -> Any:
        return built.test_occlusions(Tensor.from_numpy(rays.rows), nthreads=1).numpy()

    return [Subject(NAME, "test_occlusions", run)]


def all_hits(mesh: Mesh, rays: Rays) -> list[Subject]:
    """All hits."""
    built = scene(mesh)

    def run() -> dict[str, Any]:
        hits = built.list_intersections(Tensor.from_numpy(rays.rows), nthreads=1)
        return {name: values.numpy() for name, values in hits.items()}

    def read(hits: dict[str, Any]) -> Any:
        counts = np.diff(hits["ray_splits"].astype(np.int64))
        return agreement.summed(counts, hits["ray_ids"].astype(np.int64), hits["t_hit"])

    return [Subject(NAME, "list_intersections", run, read)]


def one_by_one(mesh: Mesh, rays: Rays) -> list[Subject]:
    """A call for each ray."""
    built = scene(mesh)
    rows = list(rays.rows[:, None, :])

    def run() -> Any:
        return [cast(built, row)["t_hit"] for row in rows]

    return [
        Subject(NAME, "cast_rays", run, lambda answers: np.concatenate(answers).astype(np.float64))
    ]
