"""The libraries that race: each module imports one, and makes its subjects.

A library that cannot be imported is named with the reason, and its rows go on without it.
"""

from __future__ import annotations

import importlib
from types import ModuleType

#: Names as --without takes them, and the modules.
NAMES = ["hitscan", "open3d", "embreex", "trimesh", "pyvista", "rasterio", "scipy"]


class Peers:
    """The libraries that are there, by name; `missing` says why others are not."""

    def __init__(self, without: list[str]) -> None:
        self.missing: dict[str, str] = {}
        self.without = without
        self._found: dict[str, ModuleType] = {}
        for name in NAMES:
            if name in without:
                continue
            try:
                self._found[name] = importlib.import_module(f"peers.{name}_peer")
            # Loading shared libraries fails in ways of its own.
            except Exception as error:
                self.missing[name] = f"{type(error).__name__}: {error}"

    def get(self, name: str) -> ModuleType | None:
        """The module of a library, None where it is not there."""
        return self._found.get(name)

    def versions(self) -> str:
        """What races, with versions."""
        return ", ".join(module.VERSION for module in self._found.values())
