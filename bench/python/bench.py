"""What every row is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inputs import Inputs
from peers import Peers
from race import Subject


class LeftOut(Exception):
    """A row cannot be run without a library that is not there, which is named elsewhere."""


@dataclass
class Bench:
    """The inputs, the libraries, and how much is measured."""

    inputs: Inputs
    peers: Peers
    rounds: int
    is_quick: bool
    #: The folder of the demo's files.
    demo: Path | None

    def subjects(self, names: list[str], question: str, *arguments: Any) -> list[Subject]:
        """The subjects of those libraries that are there, in this order."""
        found = [self.peers.get(name) for name in names]
        modules = [module for module in found if module is not None]
        return [one for module in modules for one in getattr(module, question)(*arguments)]
