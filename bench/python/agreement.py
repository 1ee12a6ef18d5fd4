"""Whether answers agree: how many questions two libraries answer otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs import Mesh, Rays

#: How far two distances that agree may be apart, radii of the mesh.
BOUND = 1e-4
#: Ours may differ in this share of answers at most, which peers' lost rays make up; more voids the run.
MOST = 1e-3


def distances_differ(own: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """Count rays that only one hits, or whose distances are more than `BOUND` apart."""
    both = np.isfinite(own) & np.isfinite(other)
    apart = np.abs(np.where(both, own, 0.0) - np.where(both, other, 0.0)) > BOUND
    return int(np.count_nonzero(apart | (np.isfinite(own) != np.isfinite(other))))


def hits_differ(own: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """Count rays with another number of hits, or whose hits' distances differ in sum.

    Both have shape (rays, 2): the number of hits and the sum of their distances.
    """
    apart = np.abs(own[:, 1] - other[:, 1]) > BOUND * np.maximum(own[:, 0], 1.0)
    return int(np.count_nonzero(apart | (own[:, 0] != other[:, 0])))


def flags_differ(own: NDArray[np.bool_], other: NDArray[np.bool_]) -> int:
    """Count rays of which only one says that they hit something."""
    return int(np.count_nonzero(own != other))


def distances_to(
    locations: NDArray[np.float64], index: NDArray[np.int64], rays: Rays
) -> NDArray[np.float64]:
    """The distance of each ray from the places that it hits first; inf of a miss."""
    found = np.full(len(rays), np.inf)
    found[index] = times_of(locations, rays.origins[index], rays.directions[index])
    return found


def times_of(
    locations: NDArray[np.float64], origins: NDArray[np.float32], directions: NDArray[np.float32]
) -> NDArray[np.float64]:
    """The parameter of places on their rays."""
    along = directions.astype(np.float64)
    times: NDArray[np.float64] = ((locations - origins) * along).sum(axis=1) / (along * along).sum(
        axis=1
    )
    return times


def times_on_triangles(triangles: NDArray[np.int64], mesh: Mesh, rays: Rays) -> NDArray[np.float64]:
    """The parameter at which rays meet the planes of these triangles, in f64; inf where it is -1."""
    found = np.full(len(rays), np.inf)
    hit = np.flatnonzero((triangles >= 0) & (triangles < len(mesh.triangles)))
    corners = mesh.vertices[mesh.triangles[triangles[hit]]].astype(np.float64)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    origins, directions = rays.origins[hit], rays.directions[hit].astype(np.float64)
    found[hit] = (normals * (corners[:, 0] - origins)).sum(axis=1) / (normals * directions).sum(
        axis=1
    )
    return found


def summed(
    counts: NDArray[np.int64], rays: NDArray[np.int64], times: NDArray[Any]
) -> NDArray[np.float64]:
    """The number of hits and the sum of their distances for each ray."""
    sums = np.bincount(rays, weights=times.astype(np.float64), minlength=len(counts))
    return np.stack([counts.astype(np.float64), sums], axis=1)
