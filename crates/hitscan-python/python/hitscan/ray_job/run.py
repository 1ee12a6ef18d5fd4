"""A job from its plan to its end: parts in passes until all are done or given up."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

from .. import __version__
from ..parts import Part, PartOptions, Receipt, part_name
from .battery import battery
from .job import Job, WorkerRefused
from .plan import FILE as PLAN
from .plan import Plan, make_plan
from .progress import Progress
from .record import LOG, ReceiptLog, remove_staged, write_json
from .resume import continued, finished_parts
from .totals import FILE as DONE
from .totals import Totals, done
from .world import SharedWorld, read_world

__all__ = ["Failed", "run"]


class Failed(Exception):
    """
    Parts could not be answered; all others are.

    Parameters
    ----------
    problems : dict
        What is wrong, by the name of the input.
    strict : bool
        Whether the inputs are all that is wrong: rows that cannot be used, or no file that can be read.
    parts : int
        How many parts the job has.
    """

    def __init__(self, problems: dict[str, str], *, strict: bool, parts: int) -> None:
        self.problems = problems
        self.strict = strict
        self.parts = parts
        super().__init__("\n".join(problems.values()))


def run(job: Job, *, progress: Literal["text", "json", "none"] = "none") -> Totals:
    """
    Run a job, or what is missing of it.

    Parameters
    ----------
    job : Job
        The job.
    progress : {'text', 'json', 'none'}
        What is written to standard error meanwhile.

    Returns
    -------
    Totals
        What it has answered.

    Raises
    ------
    JobError
        When it cannot be run as it is, such as in a folder with the answers of another job.
    WorkerRefused
        When a node has another hitscan or another world than this process.
    Failed
        When some parts could not be answered. The same call tries them again.
    OSError
        When the folder of the answers cannot be written to.
    """
    world, digest = read_world(job.scene)
    out = Path(os.path.abspath(job.out))
    out.mkdir(parents=True, exist_ok=True)
    plan = continued(out, make_plan(job, digest))
    remove_staged(out)
    (out / DONE).unlink(missing_ok=True)
    write_json(out / PLAN, plan.to_json())
    receipts = finished_parts(out, plan)
    problems = {
        file.file: f"{file.file}: {file.unreadable}" for file in plan.inputs if file.unreadable
    }
    rows = sum(receipt.rows for receipt in receipts.values())
    shown = Progress(progress, len(plan.parts), len(receipts), rows)
    # Where nothing can be read, the input is wrong and not a part of it.
    strict = not problems or not plan.parts
    try:
        with ReceiptLog(out, receipts.values()) as log:
            if any(part_name(part) not in receipts for part in plan.parts):
                file = None if job.world_file is None else Path(os.path.abspath(job.world_file))
                passes = _Passes(job, plan, receipts, log, shown)
                passes.run(SharedWorld(world, file), _setup(job, out))
                problems |= passes.problems
                strict = strict and passes.strict
    finally:
        shown.close()
        remove_staged(out)
    if problems:
        raise Failed(problems, strict=strict, parts=len(plan.parts))
    ordered = [receipts[part_name(part)] for part in plan.parts]
    write_json(out / DONE, done(plan.job, ordered))
    (out / LOG).unlink()
    return Totals.of(ordered)


def _setup(job: Job, out: Path) -> dict[str, Any]:
    return {
        "version": __version__,
        "battery": battery(),
        "options": {**asdict(job.query), "out": str(out), "strict": job.strict},
        "rule": job.rule,
    }


class _Passes:
    """Parts given out again until each is done or was tried often enough."""

    def __init__(
        self,
        job: Job,
        plan: Plan,
        receipts: dict[str, Receipt],
        log: ReceiptLog,
        shown: Progress,
    ) -> None:
        self._job = job
        self._plan = plan
        self._receipts = receipts
        self._log = log
        self._shown = shown
        self.problems: dict[str, str] = {}
        self.strict = True

    def run(self, world: SharedWorld, setup: dict[str, Any]) -> None:
        from .engine import Lost, cluster

        paths = [os.path.abspath(path) for path in self._job.inputs]
        tries: Counter[int] = Counter()
        missing = [
            index
            for index, part in enumerate(self._plan.parts)
            if part_name(part) not in self._receipts
        ]
        with cluster(self._job, store_bytes=world.store_bytes) as engine:
            setup["world"] = world.share()
            setup["options"]["threads"] = engine.cpus
            while missing:
                errors = dict.fromkeys(missing, "its worker died")
                given = [(i, self._located(i, paths), self._job_of(i)) for i in missing]
                gone = ""
                # At first one part is answered while another waits. Later they come one by one:
                # a part that kills its worker shall not take others with it.
                try:
                    in_flight = 1 if tries else 2
                    with closing(engine.answers(setup, given, in_flight=in_flight)) as rows:
                        for row in rows:
                            self._take(row, errors)
                except Lost as lost:
                    gone = str(lost)
                # A pass that ends early has tried little of what it leaves.
                counts = not gone or len(errors) == len(missing)
                missing = []
                for index, error in errors.items():
                    tries[index] += counts
                    if tries[index] < self._job.tries:
                        missing.append(index)
                    else:
                        self._give_up(index, gone or error)
                self._shown.retries += len(missing)

    def _take(self, row: dict[str, Any], errors: dict[int, str]) -> None:
        if row["refused"]:
            raise WorkerRefused(row["refused"])
        index = row["index"]
        if row["receipt"]:
            receipt = Receipt(**json.loads(row["receipt"]))
            self._receipts[receipt.file] = receipt
            self._log.add(receipt)
            self._shown.finished(receipt.rows)
            del errors[index]
        elif row["retry"]:
            errors[index] = row["error"]
        else:
            self._problem(index, row["error"])
            del errors[index]

    def _give_up(self, index: int, error: str) -> None:
        self.strict = False
        self._problem(index, f"{error}; tried {self._job.tries} times")

    def _problem(self, index: int, error: str) -> None:
        part = self._plan.parts[index]
        where = f"{part.input}, row group {part.first_row_group}" if part.row_groups else part.input
        self.problems.setdefault(part.input, f"{where}: {error}")

    def _located(self, index: int, paths: list[str]) -> Part:
        part = self._plan.parts[index]
        return replace(part, input=paths[part.file_number]) if paths else part

    def _job_of(self, index: int) -> str:
        return self._plan.part_job(self._plan.parts[index])
