"""First rays: a world of a few shapes, and what a fan of rays hits.

Run it with ``python first_rays.py``.
"""

import numpy as np

import hitscan


def main() -> None:
    """Cast 1,000 rays into a small world and say what they hit."""
    world = hitscan.World()
    world.add(hitscan.HeightField(np.zeros((11, 11)), spacing=10.0), name="ground")
    world.add(hitscan.Sphere([50, 5, 50], 2), name="ball")
    crate = world.add(hitscan.Box([60, 0, 45], [64, 4, 49]), name="crate")
    world.update()

    angles = np.linspace(0, 2 * np.pi, 1000, endpoint=False)
    directions = np.stack([np.cos(angles), np.full(1000, -0.2), np.sin(angles)], axis=-1)
    eye = [45.0, 8.0, 45.0]
    hits = world.cast_rays(eye, directions)
    for name in ("ground", "ball", "crate"):
        print(f"{name}: {np.count_nonzero(hits.object_names == name)} rays")

    # The crate goes away: changes are seen from the next update on.
    world.remove(crate)
    world.update()
    later = world.cast_rays(eye, directions)
    print(f"without the crate: {np.count_nonzero(later.object != hits.object)} rays differ")


if __name__ == "__main__":
    main()
