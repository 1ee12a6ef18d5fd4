"""Timing: subjects in turns, round after round, and the median of each."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Subject:
    """A call that answers all of a row's questions.

    `run` is what is timed; `read` turns its answer into what compares, afterwards. `cpu` is the clock
    of the process that works: this one with all its threads, unless told.
    """

    library: str
    call: str
    run: Callable[[], Any]
    read: Callable[[Any], Any] = lambda answer: answer
    cpu: Callable[[], float] = time.process_time


@dataclass
class Timed:
    """A subject's medians, seconds, and its answers."""

    subject: Subject
    wall: float
    cpu: float
    answers: Any


def race(subjects: list[Subject], rounds: int) -> list[Timed]:
    """Run every subject once a round, in turns.

    A pass before the rounds, which is not timed, fills caches that a library makes once and gives the
    answers. Collections of garbage do not fall into a pass.
    """
    answers = [subject.read(subject.run()) for subject in subjects]
    walls: list[list[float]] = [[] for _ in subjects]
    cpus: list[list[float]] = [[] for _ in subjects]
    for _ in range(rounds):
        for place, subject in enumerate(subjects):
            gc.collect()
            gc.disable()
            cpu, wall = subject.cpu(), time.perf_counter()
            answer = subject.run()
            walls[place].append(time.perf_counter() - wall)
            cpus[place].append(subject.cpu() - cpu)
            gc.enable()
            del answer
    return [
        Timed(subject, statistics.median(wall), statistics.median(cpu), own)
        for subject, wall, cpu, own in zip(subjects, walls, cpus, answers, strict=True)
    ]
