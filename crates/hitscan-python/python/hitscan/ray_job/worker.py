"""What runs on the nodes: an actor that opens the world once and answers parts."""

from __future__ import annotations

import json
import os
import socket
import tempfile
from dataclasses import asdict, replace
from typing import Any

from .. import __version__
from ..parts import Part, PartOptions, Receipt, answer_part
from .battery import battery
from .job import Rule
from .world import open_world

__all__ = ["PartWorker"]


class PartWorker:
    """
    Answers parts in one process of a node.

    Its answers are rows of a table: ``index`` of the part, ``receipt`` (JSON, or nothing),
    ``error``, whether to ``retry``, and ``refused``: why this worker answers no part at all.

    Parameters
    ----------
    setup : dict
        The driver's ``version`` and ``battery``, the ``world`` as `open_world` takes it, the
        ``options`` of a part as a dict, and the ``rule``, if there is one.
    """

    def __init__(self, setup: dict[str, Any]) -> None:
        self._refused = ""
        try:
            self._refused = _difference(setup)
            if not self._refused:
                self._world = open_world(setup["world"])
        except OSError as error:
            self._refused = str(error)
        if self._refused:
            self._refused = f"the node {_node()} is refused: {self._refused}"
            return
        self._options = PartOptions(**setup["options"])
        self._rule: Rule | None = setup["rule"]

    def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
        """
        Answer a part.

        Parameters
        ----------
        row : dict
            The ``index`` of the part, the ``part`` itself as JSON, and its ``job``.

        Returns
        -------
        dict
            What came of it.
        """
        answer = {"index": row["index"], "receipt": "", "error": "", "retry": False}
        answer["refused"] = self._refused
        if self._refused:
            return answer
        part = Part(**json.loads(row["part"]))
        options = replace(self._options, job=row["job"])
        try:
            receipt = self._answer(part, options)
            return {**answer, "receipt": json.dumps(asdict(receipt))}
        except ValueError as error:
            return {**answer, "error": str(error)}
        except Exception as error:
            # Another attempt, perhaps on another node, may find the file or the disk in order.
            name = "" if isinstance(error, OSError) else f"{type(error).__name__}: "
            return {**answer, "error": f"{name}{error} (node {_node()})", "retry": True}

    def _answer(self, part: Part, options: PartOptions) -> Receipt:
        if self._rule is None:
            return answer_part(self._world, part, options)
        from pyarrow import RecordBatchReader, ipc

        with tempfile.TemporaryDirectory(prefix="hitscan-rule-") as folder:
            path = os.path.join(folder, "questions.arrow")
            with RecordBatchReader.from_stream(self._rule.questions(part)) as table:
                with ipc.new_file(path, table.schema) as file:
                    for batch in table:
                        file.write_batch(batch)
            return answer_part(self._world, replace(part, input=path), options)


def _difference(setup: dict[str, Any]) -> str:
    if __version__ != setup["version"]:
        return f"it has hitscan {__version__}, the driver {setup['version']}"
    found = battery()
    if found != setup["battery"]:
        return (
            f"its hitscan {__version__} answers the battery otherwise than the driver's "
            f"(SHA-256 {found[:16]}, expected {setup['battery'][:16]}): it has another wheel"
        )
    return ""


def _node() -> str:
    from ray.util import get_node_ip_address

    return f"{socket.gethostname()} ({get_node_ip_address()})"
