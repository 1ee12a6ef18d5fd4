"""What a job queries in which world, for which inputs, and how it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..parts import Part
from ..query import Query

__all__ = ["Job", "JobError", "NotWhole", "Rule", "WorkerRefused"]


class JobError(Exception):
    """A job that cannot be run as it is; the message says why and what to do."""


class WorkerRefused(Exception):
    """A node that would not give the driver's bits; the message names it and what differs."""


class NotWhole(Exception):
    """Answers that are missing, too many, damaged or at odds; the message names each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """
    Questions that are made where they are answered, and stored nowhere.

    Parameters
    ----------
    name : str
        What the rule is called. It is the identity of the questions: a rule that makes other
        questions must have another name.
    parts : int
        How many parts there are.
    questions : callable
        Takes a `Part`, whose `file_number` counts the parts from 0, and gives its questions: a
        table with ``__arrow_c_stream__``, such as a ``pyarrow.Table``. It is sent to the workers
        and must give the same table wherever it is called.
    """

    name: str
    parts: int
    questions: Callable[[Part], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """
    A job: the query, and how it is run.

    Parameters
    ----------
    scene : str
        The path of the scene file, or of a baked one. Only the driver reads it.
    out : str
        The folder of the answers, likewise. It is made if it is not there.
    inputs : tuple of str
        The tables: Parquet, Arrow IPC or CSV files that all nodes see, in the order of the answers.
    rule : Rule, optional
        What makes the questions, in place of `inputs`.
    query : Query
        The query, and which columns are kept.
    rows_per_part : int
        The rows that a part has at most, if the row groups of its file allow it.
    strict : bool
        Whether a row that cannot be used is an error; by default it is answered ``invalid``.
    address : str
        The Ray cluster: ``'auto'`` for the one that this machine belongs to, ``'local'`` for one
        that is started on this machine and ends with the job, or ``HOST:PORT``.
    actor_cpus : int, optional
        The cores, and so the threads, of an actor. None: all of a node, by the smallest node.
    tries : int
        How often a part is tried.
    wheel : str, optional
        The wheel of hitscan that the workers use. By default it is installed on every node.
    world_file : str, optional
        Where the world is written for the nodes to map, on a file system that all of them see: for
        one that is too large for the object store.
    """

    scene: str
    out: str
    inputs: tuple[str, ...] = ()
    rule: Rule | None = None
    query: Query = Query()
    rows_per_part: int = 1_000_000
    strict: bool = False
    address: str | Literal["auto", "local"] = "auto"
    actor_cpus: int | None = None
    tries: int = 3
    wheel: str | None = None
    world_file: str | None = None

    def __post_init__(self) -> None:
        for name in ("rows_per_part", "tries", "actor_cpus"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise JobError(f"{name}: expected at least 1, found {value}")
        if (self.rule is None) == (not self.inputs):
            raise JobError("expected either inputs or a rule that makes questions")
        if self.rule is not None and not 1 <= self.rule.parts <= 1_000_000:
            raise JobError(f"rule: expected 1 to 1000000 parts, found {self.rule.parts}")

    def options(self) -> dict[str, Any]:
        """
        What the answers depend on beside world and questions, as JSON has it.

        Words with an alias are recorded as one of the two, since they mean the same: a job goes on
        whichever it is started with again.

        Returns
        -------
        dict
            The options by their names.
        """
        options = asdict(self.query)
        if options["columns"] is not None:
            options["columns"] = list(options["columns"])
        if options["shape"] == "obb":
            options["shape"] = "turned_box"
        initial_overlap = options.pop("initial_overlap")
        if initial_overlap is not None and options["overlaps"] is None:
            options["overlaps"] = "leave" if initial_overlap == "escape" else initial_overlap
        options["overlaps"] = options["overlaps"] or "stop"
        return {**options, "strict": self.strict, "rows_per_part": self.rows_per_part}
