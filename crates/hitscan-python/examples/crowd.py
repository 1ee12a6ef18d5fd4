"""A crowd of animated models: posed in one call a frame, and shot at.

Run it with ``python crowd.py``.
"""

import tempfile

import numpy as np

import hitscan


def main() -> None:
    """Let a hundred robots walk for a few frames, and say which joints rays hit."""
    with tempfile.TemporaryDirectory() as folder:
        robot = hitscan.Model.from_gltf(hitscan.write_demo(folder)["robot.glb"])
    walk = next(clip for clip in robot.clips if clip.name == "Walk")

    world = hitscan.World()
    places = np.tile(np.eye(4), (100, 1, 1))
    places[:, 0, 3], places[:, 2, 3] = np.divmod(np.arange(100), 10)
    places[:, :3, 3] *= 2.0
    crowd = [world.add(robot, transform=place) for place in places]

    random = np.random.default_rng(1)
    origins = random.uniform([0, 0.2, -5], [18, 1.8, -5], (1000, 3))
    for frame in range(3):
        times = (frame / 60 + 0.037 * np.arange(100)) % walk.end
        world.set_poses(crowd, "Walk", times)
        world.update()
        hits = world.cast_rays(origins, [0, 0, 1], fields=["hit", "object", "joint"])
        struck = hits[hits.hit]
        joints, counts = np.unique(struck.joint, return_counts=True)
        most = robot.nodes[int(joints[np.argmax(counts)])].name
        robots = len(np.unique(struck.object))
        print(f"frame {frame}: {len(struck)} hits on {robots} robots, most on {most}")


if __name__ == "__main__":
    main()
