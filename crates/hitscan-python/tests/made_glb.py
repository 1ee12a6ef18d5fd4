"""A small glTF file with what the demo's robot has not: a mirroring node, steps and splines, a skin that
is morphed, and a matrix."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

_KINDS = {"f4": 5126, "u2": 5123, "u1": 5121}
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class _Buffer:
    def __init__(self) -> None:
        self.bytes = b""
        self.accessors: list[dict] = []
        self.views: list[dict] = []

    def add(self, values, kind: str = "f4", width: int = 1) -> int:
        rows = np.asarray(values, dtype="<" + kind).reshape(-1, width)
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.views.append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": rows.nbytes})
        self.bytes += rows.tobytes()
        limits = {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(
            {
                "bufferView": len(self.views) - 1,
                "componentType": _KINDS[kind],
                "count": len(rows),
                "type": _TYPES[width],
                **limits,
            }
        )
        return len(self.accessors) - 1


def unit(random: np.random.Generator, count: int) -> np.ndarray:
    """Random rotations."""
    rows = random.normal(size=(count, 4))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def write(path: Path, seed: int) -> None:
    """Write it."""
    random = np.random.default_rng(seed)
    buffer = _Buffer()
    count = 30
    points = buffer.add(random.normal(size=(count, 3)), width=3)
    corners = random.permuted(np.tile(np.arange(count), (20, 1)), axis=1)[:, :3]
    triangles = buffer.add(corners, "u2")
    morphs = [buffer.add(0.3 * random.normal(size=(count, 3)), width=3) for _ in range(2)]
    joints = buffer.add(random.integers(0, 3, (count, 4)), "u1", 4)
    weights = random.dirichlet(np.ones(4), count).astype(np.float32)
    weights = buffer.add(weights / weights.sum(axis=1, keepdims=True), width=4)
    binds = np.tile(np.eye(4), (3, 1, 1))
    binds[:, 3, :3] = random.normal(size=(3, 3))
    binds = buffer.add(binds, width=16)
    times = buffer.add([0.0, 0.5, 1.25, 2.0])
    channels = [
        (1, "rotation", "LINEAR", buffer.add(unit(random, 4), width=4)),
        (2, "translation", "STEP", buffer.add(random.normal(size=(4, 3)), width=3)),
        (3, "rotation", "CUBICSPLINE", buffer.add(unit(random, 12), width=4)),
        (3, "scale", "CUBICSPLINE", buffer.add(random.uniform(0.5, 2, (12, 3)), width=3)),
        (4, "weights", "LINEAR", buffer.add(random.uniform(-1, 1, 8))),
        (5, "weights", "CUBICSPLINE", buffer.add(random.uniform(-1, 1, 24))),
    ]
    matrix = np.eye(4)
    matrix[:3, :3] = random.normal(size=(3, 3)) + 2 * np.eye(3)
    matrix[:3, 3] = [1, 2, 3]
    plain = {"POSITION": points}
    skinned = {**plain, "JOINTS_0": joints, "WEIGHTS_0": weights}
    targets = [{"POSITION": morph} for morph in morphs]
    content = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "root", "matrix": matrix.T.reshape(-1).tolist(), "children": [1, 4, 5, 6]},
            {"name": "a", "children": [2], "scale": [1, -1, 1]},
            {"name": "b", "children": [3], "mesh": 0, "translation": [0, 1, 0]},
            {"name": "c", "mesh": 0, "scale": [-1, 2, 1], "rotation": [0, 0.6, 0, 0.8]},
            {"name": "d", "mesh": 1, "weights": [0.25, 0.5]},
            {"name": "e", "mesh": 2, "skin": 0},
            {"name": "f", "mesh": 0, "scale": [1, 1, -1]},
        ],
        "meshes": [
            {"primitives": [{"attributes": plain, "indices": triangles}] * 2},
            {"primitives": [{"attributes": plain, "indices": triangles, "targets": targets}]},
            {"primitives": [{"attributes": skinned, "indices": triangles, "targets": targets}]},
        ],
        "skins": [{"joints": [1, 2, 3], "inverseBindMatrices": binds}],
        "animations": [
            {
                "name": "all",
                "samplers": [
                    {"input": times, "output": output, "interpolation": kind}
                    for _, _, kind, output in channels
                ],
                "channels": [
                    {"sampler": number, "target": {"node": node, "path": path}}
                    for number, (node, path, _, _) in enumerate(channels)
                ],
            }
        ],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": len(buffer.bytes)}],
    }
    text = json.dumps(content).encode()
    text += b" " * (-len(text) % 4)
    binary = buffer.bytes + b"\0" * (-len(buffer.bytes) % 4)
    size = 12 + 8 + len(text) + 8 + len(binary)
    path.write_bytes(
        struct.pack("<4sII", b"glTF", 2, size)
        + struct.pack("<I4s", len(text), b"JSON")
        + text
        + struct.pack("<I4s", len(binary), b"BIN\0")
        + binary
    )
