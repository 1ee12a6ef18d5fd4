"""A world on its way to the nodes: in the object store, or in a file that each of them maps."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from .. import _hitscan
from ..world import World
from .job import JobError

__all__ = ["SharedWorld", "open_world", "read_world"]

_SHARE = 0.5
"""Of a node's object store that a world may take: Ray's own objects need room too."""


def read_world(scene: str) -> tuple[World, str]:
    """
    Read a scene.

    Parameters
    ----------
    scene : str
        The path of the scene file.

    Returns
    -------
    tuple of World and str
        The world, and the SHA-256 of the scene file and of all files that it names.

    Raises
    ------
    JobError
        When one of them cannot be used.
    """
    try:
        world = World.from_scene(scene)
    except OSError as error:
        raise JobError(str(error)) from None
    return world, world.scene_digest or ""


class SharedWorld:
    """
    The bytes of a world, given to all nodes.

    Parameters
    ----------
    world : World
        The world.
    file : Path, optional
        Where the bytes are written, on a file system that all nodes see. By default they go through
        the object store.
    """

    def __init__(self, world: World, file: Path | None) -> None:
        self._world = world
        self._bytes = _hitscan.baked_world(world._raw)
        self._file = file
        self.store_bytes = 0 if file is not None else self._bytes.nbytes

    def share(self) -> dict[str, Any]:
        """
        Put the world where the nodes find it, once.

        Returns
        -------
        dict
            What `open_world` takes.

        Raises
        ------
        JobError
            When it is too large for the object store of a node.
        """
        if self._file is not None:
            sha256 = hashlib.sha256(self._bytes.data).hexdigest()
            if not self._file.exists() or _sha256(self._file) != sha256:
                self._world.save(self._file)
            return {"file": str(self._file), "sha256": sha256}
        import ray

        stores = [
            node["Resources"].get("object_store_memory", 0)
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) > 0
        ]
        if self.store_bytes > _SHARE * min(stores):
            raise JobError(
                f"the world has {self.store_bytes:,} bytes, the smallest object store "
                f"{min(stores):,.0f}: give --world-file FILE, which all nodes see and map"
            )
        return {"bytes": ray.put(self._bytes)}


def open_world(shared: dict[str, Any]) -> World:
    """
    Open the driver's world on a node.

    Parameters
    ----------
    shared : dict
        What `SharedWorld.share` returned.

    Returns
    -------
    World
        The world. Its arrays are borrowed from the node's object store, or mapped from the file.

    Raises
    ------
    OSError
        When the file is not what the driver wrote.
    """
    if "bytes" in shared:
        import ray

        return World.from_bytes(ray.get(shared["bytes"]))
    file = Path(shared["file"])
    found = _sha256(file)
    if found != shared["sha256"]:
        raise OSError(f"{file}: expected the SHA-256 {shared['sha256']}, found {found}")
    return World.load(file)


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
