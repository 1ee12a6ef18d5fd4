"""Jobs run as a user runs them: as a command, with its progress read line by line."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path


class Job:
    """A command that is under way."""

    def __init__(self, *arguments: object, script: Path | None = None) -> None:
        program = ["-m", "hitscan.ray_job"] if script is None else [str(script)]
        command = [sys.executable, *program, *map(str, arguments)]
        self.process = subprocess.Popen(
            [*command, "--progress", "json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.states: list[dict[str, float]] = []
        self.messages: list[str] = []
        self._lines = threading.Condition()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stderr:
            with self._lines:
                if line.startswith('{"parts"'):
                    self.states.append(json.loads(line))
                else:
                    self.messages.append(line)
                self._lines.notify_all()

    def wait_for_parts(self, count: int, timeout: float = 120) -> None:
        """Waits until the run itself has answered `count` parts."""
        with self._lines:
            assert self._lines.wait_for(lambda: len(self.states) >= count, timeout), self.messages
        assert self.process.poll() is None, "the job ended before it could be disturbed"

    def end(self, code: int = 0, timeout: float = 240) -> str:
        """Waits for the end, checks the exit code and returns all messages."""
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self._reader.join()
        said = "".join(self.messages)
        assert self.process.returncode == code, f"{self.process.returncode}: {said}"
        self.output = self.process.stdout.read()
        return said


def run(*arguments: object, code: int = 0, timeout: float = 240) -> Job:
    job = Job(*arguments)
    job.said = job.end(code, timeout)
    return job


def prove(out: Path, reference: Path) -> None:
    """The folder is whole, it has the files of the undisturbed run, and nothing beside them."""
    run("--check", "-o", out)
    assert hashes(out) == hashes(reference)
    assert {path.name for path in out.iterdir()} == {path.name for path in reference.iterdir()}
    assert (out / "_done.json").read_bytes() == (reference / "_done.json").read_bytes()


def hashes(out: Path) -> dict[str, str]:
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(out.glob("part-*"))
    }


def parts(out: Path) -> Iterator[Path]:
    yield from sorted(out.glob("part-*"))
