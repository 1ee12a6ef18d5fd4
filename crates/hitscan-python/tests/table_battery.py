"""Tables of questions with their scenes and options: the outside cases, and a battery of the demo."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import program


@dataclass(frozen=True)
class Question:
    """A table, and its options: as the program's and as Python's."""

    command: str
    scene: Path
    table: Path
    options: dict[str, Any] = field(default_factory=dict)

    def arguments(self) -> Iterator[str]:
        """The program's options."""
        for name, value in self.options.items():
            if value is True:
                yield f"--{name}"
            else:
                yield from (f"--{name.replace('_', '-')}", str(value))


def of_cases(folder: Path) -> Iterator[Question]:
    """All tables of rays, points and moves among the cases with known answers."""
    for terrain in sorted((folder / "terrain").iterdir()):
        scene = terrain / "scene.toml"
        yield Question("ray", scene, terrain / "rays.csv")
        points = terrain / "points.csv"
        yield Question("height", scene, points)
        expected = program.read_text(terrain / "points_expected.csv")
        radius = float(expected["radius"][0].as_py())
        for method in ("max", "mean"):
            yield Question("height", scene, points, {"method": method, "radius": radius})
    yield Question("sweep", folder / "sweep/scene.toml", folder / "sweep/moves.csv")
    for queries in sorted((folder / "queries").iterdir()):
        closest = queries / "closest.csv"
        if closest.exists():
            yield Question("closest", queries / "scene.toml", closest)
            yield Question("closest", queries / "scene.toml", closest, {"signed": True})
        for name in ("box", "turned_box", "sphere", "capsule"):
            table = queries / f"sweep_{name}.csv"
            if not table.exists():
                continue
            for options in _MOVES:
                shape = {"shape": name} | options
                yield Question("sweep", queries / "scene.toml", table, shape)
            if name == "turned_box":
                yield Question("sweep", queries / "scene.toml", table, {"shape": "obb"})


_MOVES: list[dict[str, Any]] = [
    {},
    {"hits": "all"},
    {"hits": "any"},
    {"sides": "front"},
    {"sides": "back"},
    {"overlaps": "leave"},
    {"initial_overlap": "escape"},
    {"contact": True},
]


def of_demo(folder: Path) -> Iterator[Question]:
    """The demo's tables, each with all options that change its columns or rows."""
    scene = folder / "scene.toml"
    for hits in ("nearest", "all", "any"):
        for sides in ("both", "front", "back"):
            yield Question("ray", scene, folder / "rays.csv", {"hits": hits, "sides": sides})
    yield Question("ray", scene, folder / "rays.csv", {"bind": True})
    yield Question("ray", scene, folder / "rays.csv", {"bind": True, "hits": "all"})
    yield Question("height", scene, folder / "points.csv")
    for method in ("max", "mean"):
        options = {"method": method, "radius": 3.5}
        yield Question("height", scene, folder / "points.csv", options)
    for options in _MOVES:
        yield Question("sweep", scene, folder / "moves.csv", options)
    for signed in ({}, {"signed": True}):
        yield Question("closest", scene, folder / "probes.csv", signed)
    pairs = folder / "pairs.csv"
    _write_pairs(pairs)
    for blocker in ({}, {"blocker": True}):
        yield Question("sight", scene, pairs, blocker)


def _write_pairs(path: Path) -> None:
    """Write eyes and targets over the demo's valley."""
    rng = random.Random(5)
    heads = "x,y,z,target_x,target_y,target_z"
    rows = [[rng.uniform(-30, 30), 4, rng.uniform(60, 90)] * 2 for _ in range(200)]
    for row in rows:
        row[3], row[5] = rng.uniform(-30, 30), rng.uniform(60, 90)
    path.write_text("\n".join([heads, *(",".join(map(str, row)) for row in rows)]) + "\n")
