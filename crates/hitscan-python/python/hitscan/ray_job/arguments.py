"""The command line: ``python -m hitscan.ray_job SCENE INPUT... -o OUT``."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Literal

from ..query import Query
from .job import Job

__all__ = ["Command", "parse"]

_ABOUT = """\
Answers tables of rays, points or moving shapes on a Ray cluster: for each input file one or more
files part-<file>-<first row group>.parquet in OUT, with the input's columns and the answer's.

The same command resumes a job that was interrupted: only missing parts are done again. Every node
must see the inputs and OUT by the same paths, and have hitscan installed (or take --wheel).
"""

_CODES = """\
exit codes: 0 answered, 1 some parts could not be (they are named, all others are done), 2 wrong
input or usage, 130 stopped by Ctrl-C
"""


@dataclass(frozen=True, slots=True)
class Command:
    """
    What a command line asks for.

    Parameters
    ----------
    out : str
        The folder of the answers.
    check : bool
        Whether a finished job is proved, and nothing answered.
    progress : {'text', 'json'}
        How progress is shown.
    job : Job, optional
        The job; None for a check without one.
    """

    out: str
    check: bool
    progress: Literal["text", "json"]
    job: Job | None


def parse(arguments: list[str]) -> Command:
    """
    Read a command line.

    Parameters
    ----------
    arguments : list of str
        The arguments, without the program's name. Wrong ones end the process with code 2.

    Returns
    -------
    Command
        What they ask for.
    """
    parser = _parser()
    given = parser.parse_args(arguments)
    job = None
    if given.scene is None:
        if not given.check:
            parser.error("expected SCENE and INPUT...")
    elif not given.inputs:
        parser.error("expected an INPUT behind SCENE")
    else:
        query = Query(
            query=given.query,
            hits=given.hits,
            sides=given.sides,
            bind=given.bind,
            method=given.method,
            radius=given.radius,
            shape=given.shape,
            initial_overlap=given.initial_overlap,
            contact=given.contact,
            columns=given.columns,
            row_number=given.row_number,
        )
        job = Job(
            scene=given.scene,
            out=given.out,
            inputs=tuple(given.inputs),
            query=query,
            rows_per_part=given.rows_per_part,
            strict=given.strict,
            address=given.address,
            actor_cpus=given.actor_cpus,
            tries=given.tries,
            wheel=given.wheel,
            world_file=given.world_file,
        )
    return Command(given.out, given.check, given.progress, job)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hitscan.ray_job",
        description=_ABOUT,
        epilog=_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("scene", metavar="SCENE", nargs="?", help="the scene file")
    add("inputs", metavar="INPUT", nargs="*", help="tables: .parquet, .arrow or .csv")
    add("-o", dest="out", metavar="OUT", required=True, help="the folder of the answers")
    asked = parser.add_argument_group("what is asked, as by `hitscan ray`, `height` and `sweep`")
    add = asked.add_argument
    add("--query", choices=("ray", "height", "sweep"), default="ray")
    add("--hits", choices=("nearest", "all", "any"), default="nearest")
    add("--sides", choices=("both", "front", "back"), default="both")
    add("--bind", action="store_true", help="the joint and rest pose of hits on models too")
    add("--method", choices=("exact", "max", "mean"), default="exact")
    add("--radius", type=float, metavar="METRES")
    add("--shape", type=_word, choices=("box", "obb", "sphere", "capsule"), default="box")
    add(
        "--initial-overlap",
        "--overlaps",
        type=_word,
        choices=("stop", "escape"),
        default="stop",
        help="whether a shape is stopped by what it overlaps at the start, or may escape from it",
    )
    add("--contact", action="store_true", help="the contacts of moving shapes too")
    add("--strict", action="store_true", help="a row that cannot be used is an error")
    kept = parser.add_argument_group("what is kept")
    add = kept.add_argument
    add("--columns", type=_names, metavar="t,object,...", help="only these answers")
    add("--row-number", action="store_true", help="a column `row` in front of the answers")
    add(
        "--rows-per-part",
        type=int,
        default=1_000_000,
        metavar="N",
        help="rows of a part at most, in whole row groups of Parquet (default 1000000); CSV and "
        "Arrow files are a part each",
    )
    runs = parser.add_argument_group("how it is run")
    add = runs.add_argument
    add(
        "--address",
        default="auto",
        metavar="auto|local|HOST:PORT",
        help="auto: the Ray cluster that this machine belongs to (the default); local: one that "
        "is started on this machine and ends with the job",
    )
    add(
        "--actor-cpus",
        type=_cpus,
        metavar="N|node",
        help="cores of an actor; node (the default): all of the smallest node",
    )
    add("--wheel", metavar="FILE", help="the wheel of hitscan that is sent to the workers")
    add(
        "--world-file",
        metavar="FILE",
        help="where the world is written for the nodes to map: one that is too large for Ray's "
        "object store",
    )
    add("--tries", type=int, default=3, metavar="N", help="tries of a part (default 3)")
    add("--progress", choices=("text", "json"), default="text", help="json: a line for each part")
    add("--check", action="store_true", help="prove a finished OUT; nothing is answered")
    return parser


_ALIASES = {"turned_box": "obb", "leave": "escape"}
"""Words of commands that are written already, and what they mean."""


def _word(text: str) -> str:
    return _ALIASES.get(text, text)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _cpus(text: str) -> int | None:
    return None if text == "node" else int(text)
