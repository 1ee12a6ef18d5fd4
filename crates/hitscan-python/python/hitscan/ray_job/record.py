"""Files beside the parts: written whole or not at all, and the log of receipts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from ..parts import Receipt
from .job import JobError

__all__ = ["LOG", "ReceiptLog", "read_json", "read_log", "remove_staged", "write_json"]

LOG = "_receipts.jsonl"


def write_json(path: Path, value: dict[str, Any]) -> None:
    """
    Write a JSON file that appears whole.

    Parameters
    ----------
    path : Path
        The file.
    value : dict
        What it holds.
    """
    staged = path.with_name(f".hitscan-{os.getpid()}-{path.name}.tmp")
    try:
        with staged.open("w", encoding="utf-8") as file:
            json.dump(value, file, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        staged.replace(path)
    finally:
        staged.unlink(missing_ok=True)


def read_json(path: Path) -> dict[str, Any]:
    """
    Read a JSON file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    dict
        What it holds.

    Raises
    ------
    JobError
        When it cannot be read or holds something else.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise JobError(f"{path}: {error}") from None
    if not isinstance(value, dict):
        raise JobError(f"{path}: expected an object of JSON")
    return value


def read_log(out: Path) -> dict[str, Receipt]:
    """
    Read the receipts that earlier runs have logged.

    Parameters
    ----------
    out : Path
        The folder of the answers.

    Returns
    -------
    dict
        The last receipt of each part, by the name of its file. A line that a crash has cut off is
        skipped.
    """
    receipts: dict[str, Receipt] = {}
    try:
        lines = (out / LOG).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return receipts
    for line in lines:
        try:
            receipt = Receipt(**json.loads(line))
        except (ValueError, TypeError):
            continue
        receipts[receipt.file] = receipt
    return receipts


class ReceiptLog:
    """
    The receipts of a run that is under way, a line of JSON each.

    It only saves work: a receipt that is not in it is made again from its part. So a line that
    cannot be written, as the disk is full, is no error.

    Parameters
    ----------
    out : Path
        The folder of the answers.
    receipts : iterable of Receipt
        Those of the parts that are kept: the log begins with them.
    """

    def __init__(self, out: Path, receipts: Iterable[Receipt]) -> None:
        self._file = (out / LOG).open("wb", buffering=0)
        for receipt in receipts:
            self.add(receipt)

    def add(self, receipt: Receipt) -> None:
        """
        Log a receipt.

        Parameters
        ----------
        receipt : Receipt
            The receipt.
        """
        with suppress(OSError):
            self._file.write(json.dumps(asdict(receipt)).encode() + b"\n")

    def __enter__(self) -> ReceiptLog:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()


def remove_staged(out: Path) -> None:
    """
    Remove what workers that were killed have begun and not finished.

    Parameters
    ----------
    out : Path
        The folder of the answers. A worker that still writes there fails, and its part is tried
        again.
    """
    for staged in out.glob(".hitscan-*.tmp"):
        staged.unlink(missing_ok=True)
