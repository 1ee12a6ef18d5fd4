"""What every installation must do, with nothing but the package: run as a script."""

import sys

import numpy as np

import hitscan

heights = np.fromfunction(lambda z, x: np.sin(x / 9) + np.cos(z / 7), (200, 300))
world = hitscan.World()
ground = world.add(hitscan.HeightField(heights, spacing=1.0), name="ground")
ball = world.add(hitscan.Sphere([150, 6, 100], 2), name="ball")
world.update()
hits = world.cast_rays([[150, 40, 100], [10, 40, 10], [-5, 40, 10]], [0, -1, 0])
if hits.object.tolist() != [ball, ground, -1] or float(hits.t[0]) != 32.0:
    sys.exit(f"wrong answers: {hits.object}, {hits.t}")
python = ".".join(map(str, sys.version_info[:3]))
print(f"hitscan {hitscan.__version__} answers on Python {python} with numpy {np.__version__}")
