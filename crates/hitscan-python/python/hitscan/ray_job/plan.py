"""The plan of a job, `_job.json`: its world, options and inputs, and all its parts."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from .. import __version__
from ..parts import Part
from .inputs import InputFile, survey
from .job import Job, JobError
from .record import read_json

__all__ = ["FILE", "Plan", "make_plan", "read_plan", "resumed"]

FILE = "_job.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What a job does, whoever does it.

    Parameters
    ----------
    hitscan : str
        The version that answers.
    world : str
        The digest of the scene and of all files that it names.
    options : dict
        What the answers depend on beside world and questions.
    inputs : list of InputFile
        The input files, in order; none where a rule makes the questions.
    rule : dict, optional
        The name of the rule and its number of parts.
    parts : list of Part
        All parts, in the order of the answers. Their inputs are names without folders.
    """

    hitscan: str
    world: str
    options: dict[str, Any]
    inputs: list[InputFile]
    rule: dict[str, Any] | None
    parts: list[Part]

    @property
    def job(self) -> str:
        """The digest of the query: of version, world and options, but of no input."""
        stated = {"hitscan": self.hitscan, "world": self.world, "options": self.options}
        return _digest(json.dumps(stated, sort_keys=True))

    def part_job(self, part: Part) -> str:
        """
        What a part's footer states as its job.

        Parameters
        ----------
        part : Part
            The part.

        Returns
        -------
        str
            The digest of the job and of the one input that the part belongs to. So a part is the
            same file whichever other inputs there are.
        """
        if self.rule is not None:
            return _digest(f"{self.job} rule {self.rule['name']}")
        return _digest(f"{self.job} input {self.inputs[part.file_number].digest}")

    def to_json(self) -> dict[str, Any]:
        """
        What `_job.json` holds.

        Returns
        -------
        dict
            The plan; a part is its file number, first row group, row groups, first row and rows.
        """
        return {
            "format": _FORMAT,
            "job": self.job,
            "hitscan": self.hitscan,
            "world": self.world,
            "options": self.options,
            "rule": self.rule,
            "inputs": [asdict(file) for file in self.inputs],
            "parts": [
                [p.file_number, p.first_row_group, p.row_groups, p.first_row, p.rows]
                for p in self.parts
            ],
        }


def make_plan(job: Job, world: str) -> Plan:
    """
    Plan a job.

    Parameters
    ----------
    job : Job
        The job.
    world : str
        The digest of its world.

    Returns
    -------
    Plan
        The plan. Inputs that cannot be read are among its inputs and have no parts.
    """
    inputs: list[InputFile] = []
    parts: list[Part] = []
    rule = None
    if job.rule is not None:
        rule = {"name": job.rule.name, "parts": job.rule.parts}
        parts = [Part(job.rule.name, number) for number in range(job.rule.parts)]
    for number, path in enumerate(job.inputs):
        file, of_file = survey(
            path, number, rows_per_part=job.rows_per_part, tries=job.tries
        )
        inputs.append(file)
        parts.extend(replace(part, input=file.file) for part in of_file)
    return Plan(__version__, world, job.options(), inputs, rule, parts)


def read_plan(out: Path) -> Plan:
    """
    Read the plan of a folder of answers.

    Parameters
    ----------
    out : Path
        The folder.

    Returns
    -------
    Plan
        The plan.

    Raises
    ------
    JobError
        When there is none, or it is damaged.
    """
    path = out / FILE
    stated = read_json(path)
    try:
        if stated["format"] != _FORMAT:
            raise JobError(f"{path}: expected format {_FORMAT}, found {stated['format']}")
        inputs = [InputFile(**file) for file in stated["inputs"]]
        rule = stated["rule"]
        names = [file.file for file in inputs]
        parts = [
            Part(rule["name"] if rule else names[numbers[0]], *numbers)
            for numbers in stated["parts"]
        ]
        plan = Plan(stated["hitscan"], stated["world"], stated["options"], inputs, rule, parts)
        if plan.job != stated["job"]:
            raise JobError(f"{path}: its digest does not fit what it states: it was changed")
    except (KeyError, TypeError, IndexError) as error:
        raise JobError(f"{path}: expected the plan of a job ({error!r})") from None
    return plan


def resumed(there: Plan, here: Plan) -> Plan:
    """
    Continue a plan: the one that is there, with inputs that could not be read before.

    Parameters
    ----------
    there : Plan
        What `_job.json` states.
    here : Plan
        What the command asks for.

    Returns
    -------
    Plan
        The plan that goes on.

    Raises
    ------
    JobError
        When the command asks for anything else; the message names what differs.
    """
    differences = list(_differences(there, here))
    if differences:
        raise JobError(
            "the answers that are there belong to another job:\n  "
            + "\n  ".join(differences)
            + "\nrepeat that job's command, or choose another folder for this one"
        )
    # A file that was readable before and is not at the moment keeps its parts: they are tried.
    known = [
        before if now.unreadable else now
        for before, now in zip(there.inputs, here.inputs, strict=True)
    ]
    was_read = {part.file_number for part in there.parts}
    new = [part for part in here.parts if part.file_number not in was_read]
    parts = sorted(
        there.parts + (new if there.rule is None else []),
        key=lambda part: (part.file_number, part.first_row_group),
    )
    return replace(there, inputs=known, parts=parts)


def _differences(there: Plan, here: Plan) -> list[str]:
    found: list[str] = []

    def compare(what: str, before: object, now: object) -> None:
        if before != now:
            found.append(f"{what}: {before!r} there, {now!r} here")

    compare("hitscan", there.hitscan, here.hitscan)
    if there.world != here.world:
        found.append(
            f"world: the scene or a file that it names is another "
            f"(digest {there.world[:16]} there, {here.world[:16]} here)"
        )
    for key in sorted(there.options.keys() | here.options.keys()):
        compare(f"option {key}", there.options.get(key), here.options.get(key))
    compare("rule", there.rule, here.rule)
    compare("number of inputs", len(there.inputs), len(here.inputs))
    for number, (before, now) in enumerate(zip(there.inputs, here.inputs, strict=False)):
        compare(f"input {number}", before.file, now.file)
        if before.file == now.file and not before.unreadable and not now.unreadable:
            if (before.bytes, before.digest) != (now.bytes, now.digest):
                found.append(f"input {number}, {now.file}: its content is another")
            elif before.modified_ns != now.modified_ns:
                found.append(f"input {number}, {now.file}: it was changed since")
    return found


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
