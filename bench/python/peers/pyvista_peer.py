"""pyvista's `multi_ray_trace`, and what VTK's users write: a loop over a cell locator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyvista
from vtkmodules.vtkCommonCore import reference, vtkVersion
from vtkmodules.vtkCommonDataModel import vtkStaticCellLocator

import agreement
from inputs import Mesh, Rays
from race import Subject

NAME = "pyvista"
VERSION = f"pyvista {pyvista.__version__}, VTK {vtkVersion.GetVTKVersion()}"
#: The locator takes segments; this is beyond every mesh that is asked here, in units of the directions.
REACH = 10.0


def nearest(mesh: Mesh, rays: Rays) -> list[Subject]:
    """Places of first hits."""
    triangles: Any = mesh.triangles.astype(np.int64)
    surface = pyvista.PolyData.from_regular_faces(mesh.vertices, triangles)
    locator: Any = vtkStaticCellLocator()
    locator.SetDataSet(surface)
    locator.BuildLocator()
    ends = rays.origins.astype(np.float64) + REACH * rays.directions

    def trace() -> Any:
        return surface.multi_ray_trace(rays.origins, rays.directions, first_point=True)

    def read(found: Any) -> Any:
        locations, index, _ = found
        return agreement.distances_to(locations, index, rays)

    def loop() -> Any:
        t: Any = reference(0.0)
        sub, cell = reference(0), reference(0)
        place, weights = [0.0] * 3, [0.0] * 3
        times = np.full(len(rays), np.inf)
        starts = rays.origins.tolist()
        for index, (start, end) in enumerate(zip(starts, ends.tolist(), strict=True)):
            if locator.IntersectWithLine(start, end, 0.0, t, place, weights, sub, cell):
                times[index] = t.get()
        return times

    return [
        Subject(NAME, "multi_ray_trace", trace, read),
        Subject("VTK", "vtkStaticCellLocator in a loop", loop, lambda times: times * REACH),
    ]
