"""The proof of a finished job: no hole, no duplicate, and every hash right."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..parts import Part, Receipt, check_part, part_name
from .job import Job, NotWhole
from .plan import Plan, make_plan, read_plan, resumed
from .record import read_json
from .totals import FILE as DONE
from .totals import Totals, done
from .world import read_world

__all__ = ["check"]


def check(out: str | os.PathLike[str], *, job: Job | None = None) -> Totals:
    """
    Prove that a folder holds all answers of its job, once each and undamaged.

    Every part is read whole; without `job` neither the inputs nor the scene are needed.

    Parameters
    ----------
    out : path-like
        The folder.
    job : Job, optional
        The job that it must be.

    Returns
    -------
    Totals
        What the parts hold together.

    Raises
    ------
    JobError
        When it is another job's, or no job's.
    NotWhole
        When something is missing, too much, damaged or at odds; the message names each.
    """
    folder = Path(out)
    plan = read_plan(folder)
    if job is not None:
        resumed(plan, make_plan(job, read_world(job.scene)[1]))
    problems = [f"{file.file}: {file.unreadable}" for file in plan.inputs if file.unreadable]
    names = [part_name(part) for part in plan.parts]
    there = {path.name for path in folder.glob("part-*")}
    missing = [name for name in names if name not in there]
    problems += [f"{name}: there is no such file" for name in missing]
    problems += [f"{name}: no part of this job" for name in sorted(there - set(names))]
    if len(set(names)) != len(names):
        problems.append("the plan has a part twice")
    if not (folder / DONE).exists():
        problems.append(f"{DONE}: there is no such file: the job is not finished")
    if problems:
        raise _wrong(folder, problems)
    stated = read_json(folder / DONE)
    hashes = {part["file"]: part["sha256"] for part in stated.get("parts", [])}
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda name: _checked(folder / name, hashes.get(name)), names))
    receipts = [receipt for receipt in found if isinstance(receipt, Receipt)]
    problems = [problem for problem in found if isinstance(problem, str)]
    if not problems:
        problems = _holes(plan, receipts)
    if not problems and stated != done(plan.job, receipts):
        problems = [f"{DONE}: it states other parts or totals than the files have"]
    if problems:
        raise _wrong(folder, problems)
    return Totals.of(receipts)


def _checked(path: Path, sha256: str | None) -> Receipt | str:
    if sha256 is None:
        return f"{path.name}: {DONE} does not state it"
    try:
        return check_part(path, sha256=sha256)
    except (OSError, ValueError) as error:
        return str(error)


def _holes(plan: Plan, receipts: list[Receipt]) -> list[str]:
    """Parts that do not begin where the one before them ends, or that answer something else."""
    problems = []
    file_number, row = -1, 0
    for part, receipt in zip(plan.parts, receipts, strict=True):
        if part.file_number != file_number:
            file_number, row = part.file_number, 0
        expected = (plan.part_job(part), part.file_number, part.first_row_group, row)
        stated = (
            receipt.job,
            receipt.file_number,
            receipt.first_row_group,
            receipt.first_row,
        )
        if stated != expected or not _has_rows(part, receipt):
            problems.append(
                f"{receipt.file}: expected job, file, row group, first row and rows "
                f"{(*expected, part.rows)}, found {(*stated, receipt.rows)}"
            )
        row += receipt.rows
    return problems


def _has_rows(part: Part, receipt: Receipt) -> bool:
    return part.rows is None or part.rows == receipt.rows


def _wrong(folder: Path, problems: list[str]) -> NotWhole:
    shown = problems[:20]
    if len(problems) > len(shown):
        shown.append(f"and {len(problems) - len(shown)} more")
    return NotWhole(f"{folder} is not whole:\n  " + "\n  ".join(shown))
