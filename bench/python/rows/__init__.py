"""The rows: each module has the names of its `ROWS` and `run`, which gives one row's lines."""

from __future__ import annotations

from types import ModuleType

from rows import (
    all_hits,
    baked,
    far_away,
    heights,
    in_a_world,
    lost,
    memory,
    nearest,
    occluded,
    one_by_one,
    overhead,
    poses,
    tables,
    vtk,
)

#: In the order of the table.
MODULES: list[ModuleType] = [
    overhead,
    nearest,
    in_a_world,
    tables,
    occluded,
    all_hits,
    vtk,
    one_by_one,
    poses,
    heights,
    lost,
    far_away,
    baked,
    memory,
]


def select(patterns: list[str]) -> list[tuple[str, ModuleType]]:
    """The rows that names or their beginnings mean, all of them without names."""
    rows = [(row, module) for module in MODULES for row in module.ROWS]
    names = [row for row, _ in rows]
    for pattern in patterns:
        if not any(name.startswith(pattern) for name in names):
            raise SystemExit(f"no row is called {pattern}; there are: {' '.join(names)}")
    return [
        (row, module)
        for row, module in rows
        if not patterns or any(means(pattern, row, names) for pattern in patterns)
    ]


def means(pattern: str, row: str, names: list[str]) -> bool:
    """Whether a pattern is a row's name, or its beginning where no row has that name."""
    return row == pattern if pattern in names else row.startswith(pattern)
