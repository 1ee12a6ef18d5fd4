"""Processes whose memory is measured: `python processes.py TASK ...` prints what it finds as JSON.

Each does one thing and measures itself, so that no other library's memory is counted.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from inputs import Mesh, Rays

#: Worlds that stay open until the process ends.
KEPT: list[Any] = []


def answer_of(*arguments: str | Path) -> dict[str, Any]:
    """Run a task in a process of its own; what it found."""
    command = [sys.executable, __file__, *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    """Start a task that waits for a line after its first answer."""
    command = [sys.executable, __file__, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def status(name: str) -> int:
    """A figure of this process's memory, bytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1]) * 1024


def share() -> int:
    """This process's memory, what it shares divided among those that share it (PSS), bytes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("Pss:")).split()[1]) * 1024


def built(library: str, name: str, folder: Path) -> dict[str, int]:
    """Build a mesh, and ask it once, as some libraries build when they are first asked."""
    module = importlib.import_module(f"peers.{library}_peer")
    file = f"{name}-{{}}.npy"
    mesh = Mesh(*(np.load(folder / file.format(what)) for what in ("vertices", "triangles")))
    one = Rays.of(np.array([[0, 0, 3, 0, 0, -1]], np.float32))
    # What the library starts with is there before, as far as a small mesh brings it.
    small = Mesh(mesh.vertices[:3].copy(), np.array([[0, 1, 2]], np.uint32))
    before_all = [subject.run() for subject in module.occluded(small, one)]
    Path("/proc/self/clear_refs").write_text("5")
    before = status("VmRSS")
    subjects = module.occluded(mesh, one)
    answers = [subject.run() for subject in subjects]
    found = {"held": status("VmRSS") - before, "peak": status("VmHWM") - before}
    del before_all, answers
    if hasattr(module, "memory_bytes"):
        found["own"] = module.memory_bytes(mesh)
    return found


def baked(file: Path, rays: Path) -> dict[str, int]:
    """Open a baked world and cast rays at it, which touches its memory."""
    import hitscan

    world = hitscan.World.load(file, mmap=True)
    # What is asked is not part of the world's memory.
    world.cast_rays_any(np.load(rays))
    KEPT.append(world)
    return {"share": share()}


def main() -> None:
    """Do a task, print what it found, and wait for a line if there is somebody to send one."""
    match sys.argv[1:]:
        case ["built", library, name, folder]:
            print(json.dumps(built(library, name, Path(folder))))
        case ["baked", file, rays]:
            # The first line says that memory is touched, each next one what it is when that is asked.
            print(json.dumps(baked(Path(file), Path(rays))), flush=True)
            while sys.stdin.readline():
                print(json.dumps({"share": share()}), flush=True)
        case other:
            raise SystemExit(f"no such task: {other}")


if __name__ == "__main__":
    main()
