"""Ctrl-C ends what takes long, and builds are not left running."""

import subprocess
import sys

import pytest

# The call grows until it takes a second, also of the processor; then a thread sends the signal after a
# fifth of that time. What was done by then is seconds of the processor, which do not depend on what else
# the machine does.
PROGRAM = """
import os, signal, threading, time
import numpy as np
import hitscan
{setup}
size = {size}
while True:
    call = prepared(size)
    begun, worked = time.monotonic(), time.process_time()
    call()
    whole, work = time.monotonic() - begun, time.process_time() - worked
    if min(whole, work) > 1:
        break
    size *= 2
sent = []
def interrupt():
    time.sleep(whole / 5)
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    call()
    print("not interrupted")
except KeyboardInterrupt:
    before = time.process_time()
    late = before - sent[0]
    # A thread that builds on would take time of the processor.
    time.sleep(0.2)
    busy = time.process_time() - before
    print(work, late, busy)
"""

MESH = """
def prepared(count):
    side = int(count**0.5)
    x, z = np.meshgrid(np.arange(side + 1.0), np.arange(side + 1.0))
    vertices = np.stack([x, np.sin(x) * np.cos(z), z], axis=-1).reshape(-1, 3)
    at = (np.arange(side)[:, None] * (side + 1) + np.arange(side)).reshape(-1)
    first = np.stack([at, at + side + 1, at + 1], axis=-1)
    second = np.stack([at + 1, at + side + 1, at + side + 2], axis=-1)
    triangles = np.concatenate([first, second])
    return lambda: hitscan.TriMesh(vertices, triangles)
"""

TERRAIN = """
def prepared(count):
    heights = np.zeros((int(count**0.5),) * 2, np.float32)
    return lambda: hitscan.HeightField(heights)
"""

GROUND = """
world = hitscan.World()
world.add(hitscan.HeightField(np.random.default_rng(0).random((257, 257))), name="ground")
world.update()
def rays_of(count):
    rng = np.random.default_rng(1)
    return np.concatenate(
        [rng.random((count, 3)) * [257, 1, 257], rng.normal(size=(count, 3)) * [1, 1e-2, 1]], axis=1)
"""

BATCH = """
def prepared(count):
    rays = rays_of(count)
    return lambda: world.cast_rays_all(rays)
"""

TABLE = """
import pyarrow as pa
def prepared(count):
    table = pa.table(dict(zip(("ox", "oy", "oz", "dx", "dy", "dz"), rays_of(count).T)))
    return lambda: world.cast_rays_table(table).to_pyarrow()
"""

VIEWSHED = """
def prepared(count):
    side = int(count**0.5)
    ground = hitscan.HeightField(np.random.default_rng(0).random((side, side)))
    return lambda: ground.viewshed([side / 2, side / 2], above=1)
"""

SCENE = """
import pathlib, tempfile
folder = tempfile.TemporaryDirectory()
def prepared(count):
    path = pathlib.Path(folder.name) / f"{count}.toml"
    spheres = (f"[[sphere]]\\ncenter = [{at}, 0, 0]\\nradius = 0.25\\n" for at in range(count))
    path.write_text("".join(spheres))
    return lambda: hitscan.World.from_scene(path)
"""

CALLS = {
    "mesh": (MESH, 20_000),
    "terrain": (TERRAIN, 1_000_000),
    "batch": (GROUND + BATCH, 10_000),
    # Several times what is answered at once.
    "table": (GROUND + TABLE, 400_000),
    "viewshed": (VIEWSHED, 20_000),
    "scene": (SCENE, 100_000),
}


@pytest.mark.parametrize("name", CALLS)
def test_ctrl_c_comes_during(name):
    setup, size = CALLS[name]
    program = PROGRAM.replace("{setup}", setup).replace("{size}", str(size))
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=300, check=True
    )
    assert "not interrupted" not in ran.stdout, ran.stderr
    work, late, busy = map(float, ran.stdout.split())
    print(f"{name}: {work:.2f} s of work, {late:.3f} s of it after the signal, then {busy:.3f} s busy")
    # Seconds of the processor. What is left of the call would take four fifths of its own.
    assert late < 0.6 * work
    if name in ("mesh", "terrain"):
        assert busy < 0.15, "the build goes on"
