"""Exact ray, height, sweep and overlap queries of terrain, meshes and animated glTF models.

Right-handed, +Y up, metres, seconds, radians.

Examples
--------
>>> import numpy as np, hitscan
>>> world = hitscan.World()
>>> _ = world.add(hitscan.HeightField(np.zeros((11, 11)), spacing=10.0), name="ground")
>>> world.update()
>>> hits = world.cast_rays([50.0, 9.0, 50.0], [0.0, -1.0, 0.0])
>>> float(hits.t)
9.0
"""

from ._hitscan import __version__
from .camera import Camera
from .demo import write_demo
from .errors import FileError
from .height_field import HeightField
from .hits import AllRayHits, RayHits, Side, Status
from .mesh import TriMesh
from .model import Clip, Model, Node, Part, Pose
from .picture import Picture
from .posed_model import PosedModel
from .primitives import Box, Capsule, OrientedBox, Primitive, Sphere
from .threads import get_num_threads, set_num_threads
from .world import Snapshot, World

__all__ = [
    "AllRayHits",
    "Box",
    "Camera",
    "Capsule",
    "Clip",
    "FileError",
    "HeightField",
    "Model",
    "Node",
    "OrientedBox",
    "Part",
    "Picture",
    "Pose",
    "PosedModel",
    "Primitive",
    "RayHits",
    "Side",
    "Snapshot",
    "Sphere",
    "Status",
    "TriMesh",
    "World",
    "__version__",
    "get_num_threads",
    "set_num_threads",
    "write_demo",
]
