"""Tables of questions with their scenes and options: the outside cases, and a battery of the demo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import program


@dataclass(frozen=True)
class Question:
    """A table, and how it is asked: as the program's options and as Python's."""

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
