"""The Rust batch call as a subject: a process that casts when it is told to."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import IO, Any

import numpy as np

from inputs import Inputs
from race import Subject


class RustCall:
    """A process with a shape and its rays, pinned as its parent is."""

    def __init__(self, inputs: Inputs, shape: str, t_max: float) -> None:
        command: list[str | Path] = [inputs.program, "cast", shape, str(t_max), inputs.folder]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.folder: Path = inputs.folder
        self._hear("built")

    def __enter__(self) -> RustCall:
        return self

    def __exit__(self, *_: Any) -> None:
        self._end(self.process.stdin).close()
        self.process.wait()

    def subject(self) -> Subject:
        """One call that makes all rays and casts them."""
        return Subject(
            "Rust", "cast_rays", lambda: self.ask("cast"), lambda _: self.times(), self.cpu
        )

    def ask(self, question: str) -> None:
        """Have the process do something, and wait until it has."""
        self._end(self.process.stdin).write(question + "\n")
        self._hear("done")

    def times(self) -> Any:
        """The distances of the last pass, inf of a miss."""
        self.ask("times")
        return np.load(self.folder / "times.npy")[:, 0].astype(np.float64)

    def cpu(self) -> float:
        """The CPU time of the process and all its threads, seconds."""
        # Linux's clock of another process: its number inverted, then the kind of clock.
        scheduled = 2
        return time.clock_gettime((~self.process.pid << 3) | scheduled)

    def _hear(self, expected: str) -> None:
        said = self._end(self.process.stdout).readline().strip()
        if said != expected:
            raise RuntimeError(f"the Rust program said {said!r}, not {expected!r}")

    @staticmethod
    def _end(pipe: IO[str] | None) -> IO[str]:
        if pipe is None:
            raise RuntimeError("the Rust program has no pipe")
        return pipe
