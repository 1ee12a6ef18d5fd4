"""Exact ray, height, sweep and overlap queries of terrain, meshes and animated glTF models."""

from ._hitscan import __version__

__all__ = ["__version__"]
