"""What glTF says about vertices in a pose, computed in numpy in f64 from the file itself."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np

_KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Glb:
    """A binary glTF file whose accessors are plain: not sparse, one buffer."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        length = struct.unpack_from("<I", data, 12)[0]
        self.json = json.loads(data[20 : 20 + length])
        self.buffer = data[28 + length :]

    def accessor(self, index: int) -> np.ndarray:
        """Rows of numbers, normalised ones as f64."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind = np.dtype(_KINDS[accessor["componentType"]])
        width = _WIDTHS[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        rows = np.ndarray(
            (accessor["count"], width), kind, self.buffer, start, (stride, kind.itemsize)
        )
        if accessor.get("normalized"):
            return rows / float(np.iinfo(kind).max)
        return rows.astype(np.float64)

    def clip(self, name: str) -> dict:
        """The animation of this name."""
        return next(clip for clip in self.json["animations"] if clip.get("name") == name)

    def locals(self, clip: dict | None, time: float) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The matrix of each node in its parent's space, and the weights of its morph targets."""
        values = []
        for node in self.json["nodes"]:
            mesh = self.json["meshes"][node["mesh"]] if "mesh" in node else {"primitives": [{}]}
            rest = mesh.get("weights", [0.0] * len(mesh["primitives"][0].get("targets", [])))
            values.append(
                {
                    "translation": np.array(node.get("translation", [0.0, 0, 0])),
                    "rotation": np.array(node.get("rotation", [0.0, 0, 0, 1])),
                    "scale": np.array(node.get("scale", [1.0, 1, 1])),
                    "weights": np.array(node.get("weights", rest)),
                }
            )
        for channel in clip["channels"] if clip else []:
            target, sampler = channel["target"], clip["samplers"][channel["sampler"]]
            before = values[target["node"]][target["path"]]
            values[target["node"]][target["path"]] = self.sample(
                sampler, time, target["path"] == "rotation", before.size
            )
        matrices = []
        for node, value in zip(self.json["nodes"], values, strict=True):
            matrix = np.eye(4)
            matrix[:3, :3] = rotation_matrix(value["rotation"]) * value["scale"]
            matrix[:3, 3] = value["translation"]
            matrices.append(np.array(node["matrix"]).reshape(4, 4).T if "matrix" in node else matrix)
        return matrices, [value["weights"] for value in values]

    def sample(self, sampler: dict, time: float, is_rotation: bool, width: int) -> np.ndarray:
        """A channel's value: glTF 2.0, appendix C."""
        times = self.accessor(sampler["input"])[:, 0]
        kind = sampler.get("interpolation", "LINEAR")
        rows = self.accessor(sampler["output"])
        keys = rows.reshape(len(times), 3 if kind == "CUBICSPLINE" else 1, width)
        time = min(max(time, times[0]), times[-1])
        place = min(int(np.searchsorted(times, time, side="right")) - 1, len(times) - 1)
        if place == len(times) - 1 or kind == "STEP":
            return keys[place, keys.shape[1] // 2]
        step = times[place + 1] - times[place]
        part = (time - times[place]) / step
        if kind == "CUBICSPLINE":
            _, start, out = keys[place]
            into, end, _ = keys[place + 1]
            t, t2, t3 = part, part**2, part**3
            value = (
                (2 * t3 - 3 * t2 + 1) * start
                + step * (t3 - 2 * t2 + t) * out
                + (-2 * t3 + 3 * t2) * end
                + step * (t3 - t2) * into
            )
            return value / np.linalg.norm(value) if is_rotation else value
        start, end = keys[place, 0], keys[place + 1, 0]
        return slerp(start, end, part) if is_rotation else start + (end - start) * part

    def model_from_nodes(self, matrices: list[np.ndarray]) -> list[np.ndarray]:
        """From each node's space to the model's."""
        parents = {
            child: number
            for number, node in enumerate(self.json["nodes"])
            for child in node.get("children", [])
        }

        def chained(node: int) -> np.ndarray:
            above = parents.get(node)
            return matrices[node] if above is None else chained(above) @ matrices[node]

        return [chained(node) for node in range(len(matrices))]

    def vertices(self, node: int, primitive: int, clip: dict | None, time: float) -> np.ndarray:
        """A primitive's vertices in the model's space."""
        matrices, weights = self.locals(clip, time)
        nodes = self.model_from_nodes(matrices)
        of_node = self.json["nodes"][node]
        shape = self.json["meshes"][of_node["mesh"]]["primitives"][primitive]
        points = self.accessor(shape["attributes"]["POSITION"])
        for weight, target in zip(weights[node], shape.get("targets", []), strict=True):
            points = points + weight * self.accessor(target["POSITION"])
        points = np.column_stack([points, np.ones(len(points))])
        if "skin" not in of_node:
            return (points @ nodes[node].T)[:, :3]
        skin = self.json["skins"][of_node["skin"]]
        binds = self.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        joints = np.array(
            [nodes[joint] @ bind for joint, bind in zip(skin["joints"], binds, strict=True)]
        )
        attributes = shape["attributes"]
        chosen = self.accessor(attributes["JOINTS_0"]).astype(int)
        shares = self.accessor(attributes["WEIGHTS_0"])
        shares = shares / shares.sum(axis=1, keepdims=True)
        moved = np.einsum("nk,nkij,nj->ni", shares, joints[chosen], points)
        return moved[:, :3]

    def triangles(self, node: int, primitive: int) -> np.ndarray:
        """A primitive's triangles."""
        mesh = self.json["meshes"][self.json["nodes"][node]["mesh"]]
        shape = mesh["primitives"][primitive]
        return self.accessor(shape["indices"])[:, 0].astype(np.int64).reshape(-1, 3)


def rotation_matrix(quaternion: np.ndarray) -> np.ndarray:
    """Of a quaternion x, y, z, w of unit length."""
    x, y, z, w = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def slerp(start: np.ndarray, end: np.ndarray, part: float) -> np.ndarray:
    """Along the shorter arc, at an even speed."""
    start, end = start / np.linalg.norm(start), end / np.linalg.norm(end)
    cosine = float(start @ end)
    if cosine < 0:
        end, cosine = -end, -cosine
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-9:
        return start
    return (np.sin((1 - part) * angle) * start + np.sin(part * angle) * end) / np.sin(angle)
