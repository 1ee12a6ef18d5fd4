"""PY-F: a mesh at UTM coordinates, in f64: how far off the points of its hits are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import Bench
from inputs import Mesh
from lines import OURS, Figure

ROWS = ["PY-F"]
#: M1-small's radius, metres: a power of two, so that nothing is rounded.
RADIUS = 64.0
#: Easting, height and northing of its middle.
PLACE = np.array([448_262.0, 120.0, 5_411_932.0])
#: Units in the last place of f32, at the mesh's largest coordinate about its middle.
AIM_ULP = 2.0

Doubles = NDArray[np.float64]


def run(bench: Bench, row: str) -> list[Figure]:
    """Hold points against those of f64 arithmetic about the mesh's middle, over all triangles."""
    mesh, rays = bench.inputs.mesh("mesh-small"), bench.inputs.rays("rays-mesh-small")
    rays = rays.first(200 if bench.is_quick else 1000)
    near = RADIUS * mesh.vertices.astype(np.float64)
    origins = RADIUS * rays.origins.astype(np.float64)
    directions = rays.directions.astype(np.float64)
    exact = np.array(
        [
            first_hit(near[mesh.triangles], origin, direction)
            for origin, direction in zip(origins, directions, strict=True)
        ]
    )
    unit = float(np.spacing(np.abs(near).max().astype(np.float32)))
    lines = []
    for name in ["hitscan", "open3d", "embreex", "trimesh"]:
        module = bench.peers.get(name)
        if module is not None:
            points = POINTS[name](module, near + PLACE, mesh, origins + PLACE, directions) - PLACE
            lines.append(line(row, module.NAME, points, exact, unit))
    return lines


def line(row: str, library: str, points: Doubles, exact: Doubles, unit: float) -> Figure:
    """The largest error of a coordinate, and how many rays only one hits."""
    own, truth = np.isfinite(points[:, 0]), np.isfinite(exact[:, 0])
    error = np.abs(points[own & truth] - exact[own & truth]).max(initial=0.0)
    otherwise = int(np.count_nonzero(own != truth))
    figure = f"{error:.3g} m ({error / unit:.3g} ulp); {otherwise} of {len(own):,} hit otherwise"
    what = "largest error of a hit's coordinate"
    if library != OURS:
        return Figure(row, library, what, figure)
    is_met = error <= AIM_ULP * unit and otherwise == 0
    return Figure(row, library, what, figure, f"{AIM_ULP:g} ulp", is_met)


def first_hit(corners: Doubles, origin: Doubles, direction: Doubles) -> Doubles:
    """The nearest point of a ray on triangles (n, 3, 3), in f64; NaN of a miss.

    Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", 1997, on all of them.
    """
    base = corners[:, 0]
    along, across = corners[:, 1] - base, corners[:, 2] - base
    turned = np.cross(direction, across)
    volume = (along * turned).sum(axis=1)
    offset = origin - base
    other = np.cross(offset, along)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (offset * turned).sum(axis=1) / volume
        v = (other @ direction) / volume
        t = (across * other).sum(axis=1) / volume
        inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t >= 0.0)
    if not inside.any():
        return np.full(3, np.nan)
    return np.asarray(origin + t[inside].min() * direction)


def ours(
    module: Any, vertices: Doubles, mesh: Mesh, origins: Doubles, directions: Doubles
) -> Doubles:
    """A mesh with an origin, which takes f64 and gives f64."""
    middle = (vertices.min(axis=0) + vertices.max(axis=0)) / 2
    built = module.hitscan.TriMesh(vertices, mesh.triangles, origin=middle)
    return np.asarray(built.cast_rays(origins, directions, fields=["point"]).point)


def open3d(
    module: Any, vertices: Doubles, mesh: Mesh, origins: Doubles, directions: Doubles
) -> Doubles:
    """All is f32 here."""
    far = Mesh(vertices.astype(np.float32), mesh.triangles)
    rows = np.concatenate([origins, directions], axis=1).astype(np.float32)
    return along_rays(origins, directions, module.times(module.cast(module.scene(far), rows)))


def embreex(
    module: Any, vertices: Doubles, mesh: Mesh, origins: Doubles, directions: Doubles
) -> Doubles:
    """All is f32 here."""
    built = module.scene(Mesh(vertices.astype(np.float32), mesh.triangles))
    hits = built.run(origins.astype(np.float32), directions.astype(np.float32), output=True)
    return along_rays(origins, directions, np.asarray(module.times(hits)))


def trimesh(
    module: Any, vertices: Doubles, mesh: Mesh, origins: Doubles, directions: Doubles
) -> Doubles:
    """The mesh is moved and scaled before Embree has it, and planes are met in f64."""
    built = module.intersector(Mesh(vertices, mesh.triangles))
    found, index, _ = built.intersects_location(origins, directions, multiple_hits=False)
    points = np.full(origins.shape, np.nan)
    points[index] = found
    return points


def along_rays(origins: Doubles, directions: Doubles, times: Doubles) -> Doubles:
    """Points at these parameters, in f64; NaN of a miss."""
    times = np.where(np.isfinite(times), times, np.nan)
    return origins + times[:, None] * directions


POINTS = {"hitscan": ours, "open3d": open3d, "embreex": embreex, "trimesh": trimesh}
