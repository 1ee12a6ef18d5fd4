"""Answers by brute force in f64, which share no code with the library."""

import numpy as np


def nearest_triangle(vertices, triangles, origins, directions):
    """The least t >= 0 at which each ray hits a triangle, and which; inf and -1 for a miss.

    Moller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, in f64 for all
    pairs. Good for rays that do not come within rounding of an edge.
    """
    corners = np.asarray(vertices, np.float64)[np.asarray(triangles)]
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    best = np.full(len(origins), np.inf)
    which = np.full(len(origins), -1)
    for row, (o, d) in enumerate(zip(np.float64(origins), np.float64(directions), strict=True)):
        p = np.cross(d, ac)
        area = np.einsum("ij,ij->i", ab, p)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = np.einsum("ij,ij->i", o - a, p) / area
            q = np.cross(o - a, ab)
            v = q @ d / area
            t = np.einsum("ij,ij->i", ac, q) / area
        meets = (area != 0) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
        if meets.any():
            which[row] = np.flatnonzero(meets)[np.argmin(t[meets])]
            best[row] = t[which[row]]
    return best, which


def sphere_entry(center, radius, origins, directions):
    """The least t >= 0 on the surface of a ball for rays from outside; inf for a miss."""
    o, d = np.float64(origins) - np.float64(center), np.float64(directions)
    a = (d * d).sum(-1)
    b = (o * d).sum(-1)
    c = (o * o).sum(-1) - radius * radius
    root = b * b - a * c
    t = np.where(root >= 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)
    return np.where(t >= 0, t, np.inf)


def terrain_mesh(heights, spacing, origin):
    """The vertices and triangles of terrain with the diagonal "anti"."""
    rows, columns = heights.shape
    j, i = np.mgrid[0:rows, 0:columns]
    vertices = np.stack(
        [
            origin[0] + i * spacing[0],
            origin[1] + np.float64(heights),
            origin[2] + j * spacing[1],
        ],
        axis=-1,
    ).reshape(-1, 3)
    j, i = np.mgrid[0 : rows - 1, 0 : columns - 1]
    corner = (j * columns + i).reshape(-1)
    first = np.stack([corner, corner + columns, corner + 1], axis=-1)
    second = np.stack([corner + 1, corner + columns, corner + columns + 1], axis=-1)
    return vertices, np.stack([first, second], axis=1).reshape(-1, 3)


def soup(rng, count):
    """Triangles here and there in the unit cube."""
    middle = rng.random((count, 1, 3))
    vertices = (middle + 0.2 * rng.standard_normal((count, 3, 3))).reshape(-1, 3)
    return vertices.astype(np.float32), np.arange(3 * count).reshape(-1, 3)


def rays(rng, count):
    """Rays through the unit cube, from around it."""
    origins = 4 * rng.standard_normal((count, 3))
    directions = rng.random((count, 3)) - origins
    return origins.astype(np.float32), directions.astype(np.float32)


def box_mesh(low=(0, 0, 0), high=(1, 1, 1)):
    """A closed box of 12 triangles, counter-clockwise seen from outside."""
    corners = np.array(
        [[(low, high)[k >> axis & 1][axis] for axis in range(3)] for k in range(8)], np.float64
    )
    quads = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)]
    triangles = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    return corners, np.array(triangles)


def icosphere(levels):
    """A closed mesh around 0: an octahedron whose triangles are split so many times."""
    vertices = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    triangles = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    vertices = [np.array(vertex, float) for vertex in vertices]
    for _ in range(levels):
        middles = {}

        def middle(a, b, middles=middles):
            key = (min(a, b), max(a, b))
            if key not in middles:
                point = vertices[a] + vertices[b]
                middles[key] = len(vertices)
                vertices.append(point / np.linalg.norm(point))
            return middles[key]

        finer = []
        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        triangles = finer
    return np.array(vertices), np.array(triangles)
