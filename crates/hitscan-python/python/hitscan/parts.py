"""
Parts of large tables: a run of rows in, a Parquet file of answers out.

A part depends on no engine: it is answered by one call in one process, `answer_part`, and gives the
same bytes wherever and however often it is answered. Whoever schedules parts, be it a loop, a
process pool, Dask or Ray, needs no lock: a part that is done twice is the same file.

Examples
--------
>>> import pathlib, tempfile
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "scene.toml").write_text(
...     "[[sphere]]\\nname = 'planet'\\ncenter = [0, 0, 0]\\nradius = 2\\n"
... )
>>> _ = (folder / "rays.csv").write_text("ox,oy,oz,dx,dy,dz\\n0,0,5,0,0,-1\\n0,3,5,0,0,-1\\n")
>>> parts = list_parts([folder / "rays.csv"])
>>> receipt = answer_part(folder / "scene.toml", parts[0], PartOptions(out=str(folder)))
>>> receipt.file, receipt.rows, receipt.hits, receipt.misses
('part-000000-000000.parquet', 2, 1, 1)
>>> check_part(folder / receipt.file) == receipt
True
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from . import _hitscan
from .query import Query
from .world import Snapshot, World

__all__ = [
    "Part",
    "PartOptions",
    "Receipt",
    "answer_part",
    "check_part",
    "list_parts",
    "part_name",
    "row_groups",
]

_DIGITS = 6
"""Of the numbers in a part's name, so that sorted names are in the input's order."""


@dataclass(frozen=True, slots=True)
class Part:
    """
    Some rows of one input file: a run of row groups of Parquet, or a whole file.

    Parameters
    ----------
    input : str
        The path of the file: Parquet, Arrow IPC or CSV, by its ending.
    file_number : int
        The place of the file among all inputs, from 0.
    first_row_group : int
        The first row group, from 0; 0 for a whole file.
    row_groups : int, optional
        How many row groups; None for a whole file.
    first_row : int
        The number of the part's first row in the file.
    rows : int, optional
        How many rows; None where only reading the file would show it.
    """

    input: str
    file_number: int = 0
    first_row_group: int = 0
    row_groups: int | None = None
    first_row: int = 0
    rows: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOptions(Query):
    """
    The query of all parts of a job, and where their answers go.

    Parameters
    ----------
    out : str
        The folder of the answers. It must exist.
    job : str
        What the footers state as the job. The bytes of a part depend on it: name a job by what it
        queries, not by when it runs.
    threads : int, optional
        How many threads answer; all that the machine has by default. Answers do not depend on it.
    strict : bool
        Whether a row that cannot be used is an error; by default it is answered ``invalid``.
    **query
        The parameters of `Query`.
    """

    out: str
    job: str = ""
    threads: int | None = None
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Receipt:
    """
    What came of a part.

    Receipts are equal when their files are: the seconds do not count.

    Parameters
    ----------
    file : str
        The name of the part's file.
    job : str
        The job that its footer states.
    file_number, first_row_group : int
        Which part it is.
    first_row, rows : int
        The number of the part's first row in its file, and how many rows were read.
    answers : int
        How many rows were written: more than `rows` where a question has several answers.
    hits, misses, invalid : int
        How many answers are hits (heights: ``ok``), how many are misses (heights: ``outside``,
        ``hole``, ``empty``), and how many rows could not be used.
    bytes : int
        The size of the file.
    sha256 : str
        Its SHA-256, in hexadecimal digits.
    read_seconds, trace_seconds, write_seconds : float
        How long threads read, answered and wrote, summed over the threads.
    """

    file: str
    job: str
    file_number: int
    first_row_group: int
    first_row: int
    rows: int
    answers: int
    hits: int
    misses: int
    invalid: int
    bytes: int
    sha256: str
    read_seconds: float = field(default=0.0, compare=False)
    trace_seconds: float = field(default=0.0, compare=False)
    write_seconds: float = field(default=0.0, compare=False)


def row_groups(path: str | os.PathLike[str]) -> list[int]:
    """
    The rows of each row group of a Parquet file.

    Parameters
    ----------
    path : str or os.PathLike
        The file. Only its footer is read.

    Returns
    -------
    list of int
        The number of rows of each row group, in order.

    Raises
    ------
    FileError
        When the file cannot be read or is no Parquet.
    """
    return _hitscan.parquet_footer(path)[0]


def list_parts(
    inputs: Iterable[str | os.PathLike[str]], *, rows_per_part: int = 1_000_000
) -> list[Part]:
    """
    Divide tables into parts.

    Row groups of a Parquet file are put together until a part has `rows_per_part` rows; a larger
    row group is a part of its own. CSV and Arrow IPC files are a part each.

    Parameters
    ----------
    inputs : iterable of path-like
        The tables, in the order of the answers.
    rows_per_part : int
        The rows that a part has at most, if its row groups allow it.

    Returns
    -------
    list of Part
        The parts, in the order of their rows.

    Raises
    ------
    FileError
        When the footer of a Parquet file cannot be read.
    ValueError
        When `rows_per_part` is less than 1.
    """
    if rows_per_part < 1:
        raise ValueError(f"rows_per_part: expected at least 1, found {rows_per_part}")
    parts: list[Part] = []
    for number, file in enumerate(inputs):
        path = os.fspath(file)
        if path.lower().endswith(".parquet"):
            parts.extend(_parquet_parts(path, number, row_groups(path), rows_per_part))
        else:
            parts.append(Part(path, number))
    return parts


def _parquet_parts(path: str, number: int, groups: list[int], limit: int) -> Iterator[Part]:
    first, first_row, rows = 0, 0, 0
    for group, count in enumerate(groups):
        if group > first and rows + count > limit:
            yield Part(path, number, first, group - first, first_row, rows)
            first, first_row, rows = group, first_row + rows, 0
        rows += count
    # A table without rows has a part as well: its answers are a table without rows.
    yield Part(path, number, first, len(groups) - first, first_row, rows)


def part_name(part: Part) -> str:
    """
    The name of a part's file: ``part-<file>-<first row group>.parquet``.

    Parameters
    ----------
    part : Part
        The part.

    Returns
    -------
    str
        The name. Sorted names are in the order of the inputs and their rows.

    Raises
    ------
    ValueError
        When one of the numbers has more than six digits.
    """
    numbers = part.file_number, part.first_row_group
    if not all(0 <= number < 10**_DIGITS for number in numbers):
        raise ValueError(
            f"file {numbers[0]}, row group {numbers[1]}: expected numbers below {10**_DIGITS}"
        )
    return "part-{:0{d}}-{:0{d}}.parquet".format(*numbers, d=_DIGITS)


def answer_part(
    world: World | Snapshot | str | os.PathLike[str], part: Part, options: PartOptions
) -> Receipt:
    """
    Answer a part into a file of its own.

    The file is written beside its name, flushed to the disk and renamed: it appears whole or not
    at all, and one that is there is replaced. It holds the part's rows in their order, the input's
    columns in front of the answer's. Its bytes depend on the world, the part, the options and the
    version of hitscan alone. The GIL is released meanwhile.

    Parameters
    ----------
    world : World, Snapshot or path-like
        What is queried, or the path of a scene file, which is then read for this part alone.
    part : Part
        The rows.
    options : PartOptions
        The query, and where the answers go.

    Returns
    -------
    Receipt
        What came of it.

    Raises
    ------
    FileError
        When the input, the scene or the output cannot be used, with the file, the place in it and
        what was expected.
    ValueError
        When the options contradict each other, and for an invalid row if `options.strict`.
    """
    if isinstance(world, (str, os.PathLike)):
        world = World.from_scene(world)
    name = part_name(part)
    groups = None if part.row_groups is None else (part.first_row_group, part.row_groups)
    stated = {
        "job": options.job,
        "file_number": str(part.file_number),
        "first_row_group": str(part.first_row_group),
    }
    written = _hitscan.answer_part(
        world._view(),
        part.input,
        groups,
        os.path.join(options.out, name),
        options,
        [(f"hitscan.{key}", value) for key, value in stated.items()],
    )
    return Receipt(
        file=name,
        job=options.job,
        file_number=part.file_number,
        first_row_group=part.first_row_group,
        **written,
    )


def check_part(path: str | os.PathLike[str], *, sha256: str | None = None) -> Receipt:
    """
    Read the receipt of a finished part back from its file.

    Parameters
    ----------
    path : str or os.PathLike
        The part's file. All of it is read, for its hash.
    sha256 : str, optional
        The hash that the file must have, in hexadecimal digits.

    Returns
    -------
    Receipt
        What its footer states, without seconds.

    Raises
    ------
    FileError
        When the file cannot be read, or is cut off or otherwise damaged.
    ValueError
        When it is no part, when its rows are not as many as its footer states, or when its hash is
        another.
    """
    path = Path(path)
    groups, pairs = _hitscan.parquet_footer(path)
    stated = {key: value for key, value in pairs if key.startswith("hitscan.")}

    def number(key: str) -> int:
        value = stated.get(f"hitscan.{key}", "")
        if not value.isascii() or not value.isdecimal():
            raise ValueError(f"{path}: its footer: expected a number hitscan.{key}, found {value!r}")
        return int(value)

    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = file.tell()
    receipt = Receipt(
        file=path.name,
        job=stated.get("hitscan.job", ""),
        file_number=number("file_number"),
        first_row_group=number("first_row_group"),
        first_row=number("first_row"),
        rows=number("rows"),
        answers=number("answers"),
        hits=number("hits"),
        misses=number("misses"),
        invalid=number("invalid"),
        bytes=size,
        sha256=digest,
    )
    if receipt.answers != sum(groups):
        raise ValueError(
            f"{path}: expected {receipt.answers} rows as its footer states, found {sum(groups)}"
        )
    if sha256 is not None and digest != sha256:
        raise ValueError(f"{path}: expected the SHA-256 {sha256}, found {digest}")
    return receipt
