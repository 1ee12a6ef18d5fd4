"""The bench's own inputs, which a Rust program writes as .npy files when they are first asked for."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Mesh:
    """Vertices (n, 3), float32 unless said, and triangles (m, 3) uint32."""

    vertices: NDArray[Any]
    triangles: NDArray[np.uint32]


@dataclass(frozen=True)
class Rays:
    """Rays as libraries want them: (n, 6) rows, and origins and directions (n, 3), all contiguous."""

    rows: Floats
    origins: Floats
    directions: Floats
    t_max: float

    @classmethod
    def of(cls, rows: Floats, t_max: float = np.inf) -> Rays:
        """Rays from rows of origin and direction."""
        origins, directions = rows[:, :3], rows[:, 3:]
        return cls(rows, np.ascontiguousarray(origins), np.ascontiguousarray(directions), t_max)

    def first(self, count: int) -> Rays:
        """Only the first rays."""
        return Rays.of(self.rows[:count].copy(), self.t_max)

    def __len__(self) -> int:
        return len(self.rows)


class Inputs:
    """What `program` writes to `folder`; rays and places are the first `count` of theirs."""

    def __init__(self, program: Path, folder: Path, count: int) -> None:
        self.program = program
        self.folder = folder
        self.count = count
        self._said: dict[str, str] = {}

    def write(self, name: str) -> str:
        """Have the files of an input written; what the program says of it."""
        if name not in self._said:
            command: list[str | Path] = [self.program, "write", name, str(self.count), self.folder]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            self._said[name] = done.stdout
        return self._said[name]

    def mesh(self, name: str) -> Mesh:
        """A mesh: mesh-small or mesh-big."""
        self.write(name)
        return Mesh(self._load(f"{name}-vertices"), self._load(f"{name}-triangles"))

    def rays(self, name: str) -> Rays:
        """The rays at a mesh or terrain: rays-mesh-small and so on."""
        t_max = float(self.write(name))
        return Rays.of(self._load(name), t_max)

    def array(self, name: str) -> Floats:
        """Heights or places."""
        self.write(name)
        return self._load(name)

    def _load(self, name: str) -> NDArray[Any]:
        return np.asarray(np.load(self.folder / f"{name}.npy"))
