"""What rows find: times beside each other, and figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agreement import MOST
from race import Timed

OURS = "hitscan"


@dataclass
class TimeLine:
    """A subject's medians in a row.

    `ratio` is a peer's CPU time divided by that of the call of ours that answers as much; `aim` is what
    it shall be at least. Of the call of a Rust program it is ours divided by its, and at most `aim`.
    """

    row: str
    subject: str
    #: Microseconds.
    wall: float
    cpu: float
    #: Questions answered otherwise than by the row's first peer.
    differ: int | None
    ratio: float | None = None
    aim: float | None = None
    at_most: bool = False
    #: Whether more of ours differ than a row may have.
    is_void: bool = False

    @property
    def is_met(self) -> bool | None:
        """Whether the aim is reached."""
        if self.ratio is None or self.aim is None:
            return None
        return self.ratio <= self.aim if self.at_most else self.ratio >= self.aim


@dataclass
class Figure:
    """A figure that is no time, in words, and what was aimed at."""

    row: str
    subject: str
    what: str
    figure: str
    aim: str = ""
    is_met: bool | None = None


def compared(
    row: str,
    timed: list[Timed],
    queries: int,
    differ: Callable[[Any, Any], int],
    matches: Mapping[str, tuple[str, float | None]],
    at_most: bool = False,
) -> list[TimeLine]:
    """Lines of subjects that raced, times by the query.

    `matches` names for a peer's call the call of ours that answers as much, and the aim. The first subject
    that is a peer is the one with whom answers are held together.
    """
    ours = {one.subject.call: one for one in timed if one.subject.library == OURS}
    peers = [one for one in timed if one.subject.library != OURS]
    lines = []
    for one in timed:
        name = f"{one.subject.library} {one.subject.call}"
        line = TimeLine(row, name, 1e6 * one.wall / queries, 1e6 * one.cpu / queries, None)
        if peers and one is not peers[0]:
            line.differ = differ(one.answers, peers[0].answers)
        if line.differ is not None and one.subject.library == OURS:
            line.is_void = line.differ > MOST * len(one.answers)
        match, aim = matches.get(name, ("", None))
        if match in ours:
            line.ratio = one.cpu / ours[match].cpu
            line.aim, line.at_most = aim, at_most
            if at_most:
                line.ratio = 1.0 / line.ratio
        lines.append(line)
    return lines
