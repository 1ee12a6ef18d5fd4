"""A picture: the demo's valley with a fan of rays drawn over it.

Run it with ``python picture.py valley.png``.
"""

import sys
import tempfile

import numpy as np

import hitscan


def main(path: str) -> None:
    """Write the picture, and say what its rays hit."""
    with tempfile.TemporaryDirectory() as folder:
        files = hitscan.write_demo(folder)
        world = hitscan.World.from_scene(files["scene.toml"])

    angles = np.linspace(-0.45, 0.45, 25)
    directions = np.stack([np.sin(angles), np.full(25, -0.045), -np.cos(angles)], axis=-1)
    hits = world.cast_rays([2.4, 3.6, 90.0], directions, t_max=60.0)
    picture = world.render(
        eye=[1.6, 4.81, 93.0], look=[-0.7, 4.41, 80.0], size=(560, 315), overlay=hits
    )
    picture.save(path)
    shown = np.unique(picture.object[picture.object >= 0])
    print(f"{np.count_nonzero(hits.hit)} of 25 rays hit; {len(shown)} objects are in the picture")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "valley.png")
