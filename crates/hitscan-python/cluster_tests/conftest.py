"""A scene, tables of rays, the undisturbed answers, and a cluster of two nodes."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
sys.path.insert(0, str(Path(__file__).parent))

import jobs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from nodes import Nodes

SEED = 20260
ROWS = int(os.environ.get("HITSCAN_CLUSTER_ROWS", "2000000"))
FILES = 4


def pytest_configure() -> None:
    bring_up_loopback()
    # A shell has its background jobs ignore Ctrl-C, and they hand that on to the jobs of the tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def bring_up_loopback() -> None:
    """Brings up the loopback of a network namespace of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        name = struct.pack("16sH14s", b"lo", 0, b"")
        flags = struct.unpack("16sH14s", fcntl.ioctl(link, 0x8913, name))[1]
        if not flags & 1:
            fcntl.ioctl(link, 0x8914, struct.pack("16sH14s", b"lo", flags | 1, b""))


def rays(rows: int, seed: int) -> pa.Table:
    """Rays from above and beside the scene, most of which hit; a few cannot be used."""
    random = np.random.default_rng(seed)
    origin = random.uniform((0, 8, 0), (200, 60, 200), (rows, 3)).astype(np.float32)
    toward = random.uniform((0, -5, 0), (200, 12, 200), (rows, 3)).astype(np.float32)
    direction = toward - origin
    direction[:: 50_000] = 0
    columns = dict(zip(("ox", "oy", "oz"), origin.T.copy(), strict=True))
    columns |= dict(zip(("dx", "dy", "dz"), direction.T.copy(), strict=True))
    return pa.table({"id": pa.array(np.arange(rows) + seed * rows), **columns})


def make_scene(folder: Path) -> Path:
    """A terrain of 201 x 201 samples, a mesh, and 40 spheres."""
    folder.mkdir(exist_ok=True)
    random = np.random.default_rng(SEED)
    z, x = np.mgrid[0:201, 0:201]
    heights = 4 * np.sin(x / 9) * np.cos(z / 7) + random.uniform(0, 0.5, x.shape)
    np.save(folder / "heights.npy", heights.astype(np.float32))
    corners = random.uniform((60, 5, 60), (140, 25, 140), (3000, 3))
    near = corners[:, None] + random.uniform(-2, 2, (3000, 3, 3))
    lines = [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in near.reshape(-1, 3)]
    lines += [f"f {i} {i + 1} {i + 2}" for i in range(1, 9001, 3)]
    (folder / "leaves.obj").write_text("\n".join(lines))
    text = "[[terrain]]\nheights = 'heights.npy'\nspacing = 1.0\n[[model]]\nfile = 'leaves.obj'\n"
    for x, y, z in random.uniform((0, 5, 0), (200, 15, 200), (40, 3)):
        text += f"[[sphere]]\ncenter = [{x:.2f}, {y:.2f}, {z:.2f}]\nradius = 2.5\n"
    (folder / "scene.toml").write_text(text)
    return folder / "scene.toml"


def make_tables(folder: Path, all_rows: int) -> list[Path]:
    """Rays in files of ten row groups each."""
    folder.mkdir(exist_ok=True)
    rows = all_rows // FILES
    paths = [folder / f"rays-{number}.parquet" for number in range(FILES)]
    for number, path in enumerate(paths):
        pq.write_table(rays(rows, number), path, row_group_size=rows // 10)
    return paths


@pytest.fixture(scope="session")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_scene(tmp_path_factory.mktemp("scene"))


@pytest.fixture(scope="session")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return make_tables(tmp_path_factory.mktemp("rays"), ROWS)


@pytest.fixture(scope="session")
def asked(scene: Path, tables: list[Path]) -> list[object]:
    """The job's command but for where it runs and writes: 40 parts."""
    return [scene, *tables, "--rows-per-part", ROWS // FILES // 10]


@pytest.fixture(scope="session")
def reference(asked: list[object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers of a run that nobody disturbed, on a cluster of this machine alone."""
    out = tmp_path_factory.mktemp("reference") / "out"
    jobs.run(*asked, "-o", out, "--address", "local")
    return out


@pytest.fixture(scope="session")
def _nodes() -> Iterator[Nodes]:
    nodes = Nodes()
    yield nodes
    left = nodes.close()
    assert not left, f"processes are left behind: {left}"


@pytest.fixture
def two_nodes(_nodes: Nodes) -> Nodes:
    """Two nodes of one CPU each, whatever the test before did."""
    _nodes.keep(2)
    return _nodes


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"
