"""The files of the program's demo."""

from __future__ import annotations

import os
from pathlib import Path

from . import _hitscan

__all__ = ["write_demo"]


def write_demo(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """Write the scenes of ``hitscan demo``: a valley with animated robots, spheres and crates.

    Everything is made from formulas, so it has the same bytes everywhere.

    Parameters
    ----------
    folder : path-like
        Where to; it is made if need be. Files of these names are replaced.

    Returns
    -------
    dict of str to pathlib.Path
        The files by their names: ``valley.png``, heights; ``robot.glb``, a model with the clips
        ``Walk`` and ``Wave``; ``scene.toml`` and ``crowd.toml``, scenes of them.

    Raises
    ------
    OSError
        Where they cannot be written.

    Examples
    --------
    >>> import hitscan, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = hitscan.write_demo(folder)
    ...     world = hitscan.World.from_scene(files["scene.toml"])
    >>> sorted(files)
    ['crowd.toml', 'robot.glb', 'scene.toml', 'valley.png']
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    files = {}
    for name, content in _hitscan.demo_files():
        files[name] = Path(folder, name)
        files[name].write_bytes(content)
    return files
