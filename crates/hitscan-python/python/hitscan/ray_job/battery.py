"""Fixed questions that show whether a worker gives the driver's bits."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..parts import Part, PartOptions, answer_part
from ..world import World

__all__ = ["QUESTIONS", "battery"]

QUESTIONS = 10_000
"""How many rays a worker answers before its first part."""

_SCENE = """
[[terrain]]
heights = "heights.npy"
spacing = 1.0
[[model]]
file = "triangles.obj"
[[sphere]]
center = [5.0, 6.0, 7.0]
radius = 2.5
[[box]]
min = [20.0, 3.0, 20.0]
max = [24.0, 9.0, 22.0]
[[capsule]]
a = [12.0, 4.0, 25.0]
b = [16.0, 9.0, 27.0]
radius = 1.25
[[turned_box]]
center = [25.0, 7.0, 8.0]
half_size = [2.0, 1.0, 3.0]
rotation = [0.0, 0.383, 0.0, 0.924]
"""


def battery() -> str:
    """
    Answer the fixed questions about a fixed world in this process.

    The world has a terrain, a mesh and solids; the questions are read from a table, and their
    answers are written as those of a part are. Whatever could make another file of a part on this
    machine makes another file here.

    Returns
    -------
    str
        The SHA-256 of the answers' file.
    """
    with tempfile.TemporaryDirectory(prefix="hitscan-battery-") as name:
        folder = Path(name)
        rows, columns = np.indices((33, 33))
        np.save(folder / "heights.npy", (rows * 7919 + columns * 104729) % 97 / np.float32(32))
        (folder / "triangles.obj").write_text("\n".join(_triangles()), encoding="ascii")
        (folder / "scene.toml").write_text(_SCENE, encoding="ascii")
        (folder / "rays.csv").write_text("\n".join(_rays()) + "\n", encoding="ascii")
        world = World.from_scene(folder / "scene.toml")
        receipt = answer_part(
            world, Part(str(folder / "rays.csv")), PartOptions(out=name, threads=1, job="battery")
        )
    return receipt.sha256


def _numbers() -> Iterator[int]:
    """Whole numbers from 0 to 2047: the high bits of a linear congruential generator (Knuth, MMIX)."""
    state = 1
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield state >> 53


def _triangles() -> Iterator[str]:
    numbers = _numbers()
    for triangle in range(400):
        corner = [next(numbers) / 64 for _ in range(3)]
        for _ in range(3):
            x, y, z = (at + next(numbers) / 512 for at in corner)
            yield f"v {x} {y / 4} {z}"
        first = 3 * triangle + 1
        yield f"f {first} {first + 1} {first + 2}"


def _rays() -> Iterator[str]:
    yield "ox,oy,oz,dx,dy,dz"
    numbers = _numbers()
    for _ in range(QUESTIONS):
        origin = [next(numbers) / 64 for _ in range(3)]
        direction = [(next(numbers) - 1023.5) / 128 for _ in range(3)]
        yield ",".join(map(str, origin + direction))
