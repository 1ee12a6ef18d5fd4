"""A Ray cluster on this machine, whose nodes come and go."""

from __future__ import annotations

import os
import signal
import time
import uuid
from pathlib import Path

from ray.cluster_utils import Cluster

MARK = "HITSCAN_TEST_CLUSTER"
"""The variable that marks every process of these tests, however it was started."""


class Nodes:
    """A head without a CPU, and nodes of one CPU each, with small object stores."""

    def __init__(self) -> None:
        self.mark = uuid.uuid4().hex
        os.environ[MARK] = self.mark
        # What a wheel needs that is sent is there, and no index can be reached.
        os.environ["PIP_NO_DEPS"] = "1"
        self.cluster = Cluster()
        self._workers: list[object] = []
        self._add(num_cpus=0)

    @property
    def address(self) -> str:
        return self.cluster.address

    def keep(self, count: int) -> None:
        """Adds nodes until there are `count`, or removes some."""
        while len(self._workers) < count:
            self.add()
        while len(self._workers) > count:
            self.cluster.remove_node(self._workers.pop())

    def add(self, **settings: object) -> None:
        self._workers.append(self._add(num_cpus=1, **settings))

    def kill(self) -> None:
        """Ends the last node's processes as a power failure does."""
        self.cluster.remove_node(self._workers.pop(), allow_graceful=False)

    def close(self) -> list[str]:
        """Ends all nodes, and names the processes that are left."""
        self.cluster.shutdown()
        # Agents of a node notice its end after 10 s, and then look for the cluster's head for a while.
        deadline = time.monotonic() + 120
        while (left := self._processes()) and time.monotonic() < deadline:
            time.sleep(0.2)
        return left

    def actors(self) -> list[int]:
        """The processes of actors that answer parts."""
        return [int(line.split()[0]) for line in self._processes() if "PartWorker" in line]

    def _add(self, **settings: object) -> object:
        # Ray gives a node 30 s to start, which a busy machine may not.
        for attempt in range(4):
            try:
                return self.cluster.add_node(
                    object_store_memory=150 << 20, include_dashboard=False, **settings
                )
            except Exception:
                if attempt == 3:
                    raise
        raise AssertionError

    def _processes(self) -> list[str]:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            if int(folder.name) == os.getpid():
                continue
            try:
                if f"{MARK}={self.mark}".encode() in (folder / "environ").read_bytes():
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    if command.strip():
                        found.append(f"{folder.name} {command.strip()[:120]}")
            except OSError:
                continue
        return found


def kill(process: int) -> None:
    os.kill(process, signal.SIGKILL)
