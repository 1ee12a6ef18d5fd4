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
from .closest import ClosestPoints
from .compound import Compound, CompoundPart
from .contacts import Contacts, ContactStatus
from .demo import write_demo
from .distances import Distances, Relation
from .each import cast_rays_each
from .errors import (
    FileError,
    ForbiddenFileError,
    HitscanError,
    MissingFileError,
    PendingChangesError,
    UnknownObjectError,
    UnknownTickError,
)
from .explain import Candidate, Change, RayMiss
from .footprints import Footprints
from .height_field import HeightField
from .heights import GroundStatus, Heights
from .hits import AllRayHits, RayHits, Side, Status
from .mesh import TriMesh
from .model import Clip, Model, Node, Part, Pose
from .object_casts import ObjectHits
from .overlaps import BoxPairs, Impacts, ObjectsIn, OverlapKind, Overlaps, ShapeImpacts
from .picture import Picture
from .posed_model import PosedModel
from .primitives import Box, Capsule, ConvexHull, Cylinder, OrientedBox, Primitive, Sphere
from .shape_arrays import Boxes, Capsules, Cylinders, OrientedBoxes, Spheres
from .sight import Blockers
from .sweeps import AllShapeHits, ShapeHits, StartState
from .threads import get_num_threads, set_num_threads
from .turning_objects import TurningObjectHits
from .turnings import TurningHits, TurningStatus
from .viewsheds import Viewshed, Visibility
from .world import Snapshot, World

__all__ = [
    "AllRayHits",
    "AllShapeHits",
    "Blockers",
    "Box",
    "BoxPairs",
    "Boxes",
    "Camera",
    "Candidate",
    "Capsule",
    "Capsules",
    "Change",
    "Clip",
    "ClosestPoints",
    "Compound",
    "CompoundPart",
    "ContactStatus",
    "Contacts",
    "ConvexHull",
    "Cylinder",
    "Cylinders",
    "Distances",
    "FileError",
    "Footprints",
    "ForbiddenFileError",
    "GroundStatus",
    "HeightField",
    "Heights",
    "HitscanError",
    "Impacts",
    "MissingFileError",
    "Model",
    "Node",
    "ObjectHits",
    "ObjectsIn",
    "OrientedBox",
    "OrientedBoxes",
    "OverlapKind",
    "Overlaps",
    "Part",
    "PendingChangesError",
    "Picture",
    "Pose",
    "PosedModel",
    "Primitive",
    "RayHits",
    "RayMiss",
    "Relation",
    "ShapeHits",
    "ShapeImpacts",
    "Side",
    "Snapshot",
    "Sphere",
    "Spheres",
    "StartState",
    "Status",
    "TriMesh",
    "TurningHits",
    "TurningObjectHits",
    "TurningStatus",
    "UnknownObjectError",
    "UnknownTickError",
    "Viewshed",
    "Visibility",
    "World",
    "__version__",
    "cast_rays_each",
    "get_num_threads",
    "set_num_threads",
    "write_demo",
]
