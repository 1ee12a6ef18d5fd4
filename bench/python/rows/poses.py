"""PY-K: a new pose of a character and 1,000 rays at it."""

from __future__ import annotations

from typing import Any

import numpy as np

import agreement
from bench import Bench, LeftOut
from inputs import Mesh, Rays
from lines import TimeLine, compared
from race import Subject, race

ROWS = ["PY-K"]
#: Poses of a pass, and rays at each.
POSES = 20
RAYS = 1000
CLIP = "Walk"
MATCHES = {"Open3D RaycastingScene made anew": ("Model.posed", 10.0)}


def run(bench: Bench, row: str) -> list[TimeLine]:
    """Race the demo's robot against a scene of the same vertices, which the peer is given."""
    ours = bench.peers.get("hitscan")
    if ours is None:
        raise LeftOut("the robot is posed by hitscan")
    if bench.peers.get("trimesh") is None:
        raise LeftOut("the peer's vertices are taken from trimesh's meshes")
    if bench.demo is None:
        raise FileNotFoundError("the robot is one of the demo's files, and --demo is not given")
    model = ours.hitscan.Model.from_gltf(bench.demo / "robot.glb")
    poses = [model.pose(CLIP, 0.05 * number) for number in range(POSES)]
    bodies = [model.posed(pose).to_trimesh() for pose in poses]
    meshes = [
        Mesh(np.array(body.vertices, np.float32), np.array(body.faces, np.uint32))
        for body in bodies
    ]
    rays = rays_at(meshes[0], bench.inputs.rays("rays-mesh-small").first(RAYS))

    def posed() -> Any:
        return [
            model.posed(model.pose(CLIP, 0.05 * number)).cast_rays(rays.origins, rays.directions)
            for number in range(POSES)
        ]

    def times(answers: Any) -> Any:
        return np.concatenate([hits.t.astype(np.float64) for hits in answers])

    subjects = [Subject(ours.NAME, "Model.posed", posed, times)]
    open3d = bench.peers.get("open3d")
    if open3d is not None:

        def anew() -> Any:
            return [open3d.cast(open3d.scene(mesh), rays.rows) for mesh in meshes]

        def anew_times(answers: Any) -> Any:
            return np.concatenate([open3d.times(hits) for hits in answers])

        subjects.append(Subject(open3d.NAME, "RaycastingScene made anew", anew, anew_times))
    timed = race(subjects, bench.rounds)
    return compared(row, timed, POSES, agreement.distances_differ, MATCHES)


def rays_at(mesh: Mesh, rays: Rays) -> Rays:
    """Rays at a displaced sphere, moved and scaled to a mesh's box."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    rows = rays.rows.copy()
    rows[:, :3] = rows[:, :3] * (high - low).max() / 2 + (low + high) / 2
    return Rays.of(rows)
