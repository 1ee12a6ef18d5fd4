"""The end of a job, `_done.json`: its totals, and the hash of each part."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from ..parts import Receipt

__all__ = ["FILE", "Totals", "done"]

FILE = "_done.json"
_STATED = ("file", "rows", "answers", "hits", "misses", "invalid", "bytes", "sha256")


@dataclass(frozen=True, slots=True)
class Totals:
    """
    What a job has answered.

    Parameters
    ----------
    parts, rows, answers, hits, misses, invalid, bytes : int
        The number of parts, and the sums over them of what their receipts count.
    """

    parts: int
    rows: int
    answers: int
    hits: int
    misses: int
    invalid: int
    bytes: int

    @staticmethod
    def of(receipts: Iterable[Receipt]) -> Totals:
        """
        Add receipts up.

        Parameters
        ----------
        receipts : iterable of Receipt
            The receipts.

        Returns
        -------
        Totals
            Their sums.
        """
        receipts = list(receipts)
        names = [field.name for field in fields(Totals)][1:]
        return Totals(
            len(receipts),
            *(sum(getattr(receipt, name) for receipt in receipts) for name in names),
        )

    def __str__(self) -> str:
        return (
            f"{self.parts} parts, {self.rows:,} rows: {self.hits:,} hits, {self.misses:,} misses, "
            f"{self.invalid:,} invalid; {self.bytes:,} bytes"
        )


def done(job: str, receipts: list[Receipt]) -> dict[str, Any]:
    """
    What `_done.json` holds. No time and no machine is in it: the same job gives the same file.

    Parameters
    ----------
    job : str
        The digest of the job.
    receipts : list of Receipt
        The receipts of all parts, in order.

    Returns
    -------
    dict
        The job, the totals and the parts.
    """
    totals = Totals.of(receipts)
    return {
        "job": job,
        "totals": {field.name: getattr(totals, field.name) for field in fields(Totals)},
        "parts": [{name: getattr(r, name) for name in _STATED} for r in receipts],
    }
