"""Worlds in other processes: polars#3144, raysect/source#226."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

import numpy as np
import oracle
import pytest

import hitscan

MESH = hitscan.TriMesh(*oracle.icosphere(3))
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")

RAYS = np.concatenate(oracle.rays(np.random.default_rng(14), 6000), axis=1)


def answer(mesh=None):
    return (MESH if mesh is None else mesh).cast_rays(RAYS).t


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_new_process_has_threads_of_its_own(method):
    expected = answer()
    with multiprocessing.get_context(method).Pool(2) as pool:
        # In a child of fork() the parent's threads are gone; meshes go to workers by pickle.
        for t in pool.map_async(answer, [None, MESH]).get(timeout=60):
            np.testing.assert_array_equal(t, expected)
    np.testing.assert_array_equal(answer(), expected)


def test_a_fork_of_a_fork():
    expected = answer()
    child = os.fork()
    if child == 0:
        grandchild = os.fork()
        ok = np.array_equal(answer(), expected)
        if grandchild:
            ok = ok and os.waitpid(grandchild, 0)[1] == 0
        os._exit(0 if ok else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            pytest.fail("the child of a fork hangs")
        time.sleep(0.01)
    assert ended == (child, 0)


LONG_CALL = """
import sys, time, threading, os, signal
import numpy as np
import hitscan
rng = np.random.default_rng(0)
heights = np.random.default_rng(0).random((257, 257))
field = hitscan.HeightField(heights)
rays = np.empty((400_000, 6), np.float32)
rays[:, :3] = [0, 0.5, 0]
rays[:, 3:] = rng.uniform([0, -1e-3, 0], [1, 1e-3, 1], (400_000, 3))
sent = []
def interrupt():
    time.sleep(0.3)
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    while True:
        {call}
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""


@pytest.mark.parametrize(
    "call",
    [
        "field.cast_rays(rays)",
        "field.cast_rays(rays, threads=1)",
        "field.cast_rays_all(rays, fields=['t'])",
        "field.cast_shapes(hitscan.Spheres(rays[:, :3], 1.0), rays[:, 3:])",
        "field.contacts(hitscan.Spheres(rays[:, :3] + 50, 20.0))",
    ],
)
def test_ctrl_c_ends_a_long_call(call):
    program = LONG_CALL.replace("{call}", call)
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    assert float(ran.stdout) < 1.0
