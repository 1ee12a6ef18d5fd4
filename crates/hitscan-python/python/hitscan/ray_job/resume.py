"""What earlier runs of a job have left: which parts are kept, and which are missing."""

from __future__ import annotations

from pathlib import Path

from .. import _hitscan
from ..parts import Part, Receipt, check_part, part_name
from .job import JobError
from .plan import FILE, Plan, read_plan, resumed
from .record import read_log

__all__ = ["continued", "finished_parts"]


def continued(out: Path, plan: Plan) -> Plan:
    """
    Compare a plan with what its folder holds.

    Parameters
    ----------
    out : Path
        The folder of the answers.
    plan : Plan
        What the command asks for.

    Returns
    -------
    Plan
        The plan that is carried out: `plan` in an empty folder, else the one that is there.

    Raises
    ------
    JobError
        When the folder belongs to another job, or holds parts of a job that is unknown.
    """
    if (out / FILE).exists():
        return resumed(read_plan(out), plan)
    stray = next(iter(sorted(out.glob("part-*"))), None)
    if stray is not None:
        raise JobError(f"{stray}: there is no {FILE} beside it: choose an empty folder")
    return plan


def finished_parts(out: Path, plan: Plan) -> dict[str, Receipt]:
    """
    Find the parts that need not be done again.

    Parameters
    ----------
    out : Path
        The folder of the answers.
    plan : Plan
        The plan.

    Returns
    -------
    dict
        The receipts of the parts whose file is there, is whole and has a footer that fits, by the
        name of the file.
    """
    logged = read_log(out)
    kept: dict[str, Receipt] = {}
    for part in plan.parts:
        name = part_name(part)
        path = out / name
        try:
            size = path.stat().st_size
            footer = dict(_hitscan.parquet_footer(path)[1])
            receipt = logged.get(name)
            # A crash of the driver loses the receipts of the last parts: their hashes are taken
            # again. What the log states is believed here, and proved by `--check`.
            if receipt is None or receipt.bytes != size:
                receipt = check_part(path)
        except (OSError, ValueError):
            continue
        if _fits(footer, receipt, part, plan):
            kept[name] = receipt
    return kept


def _fits(footer: dict[str, str], receipt: Receipt, part: Part, plan: Plan) -> bool:
    job = plan.part_job(part)
    return (
        footer.get("hitscan.job") == job == receipt.job
        and footer.get("hitscan.rows") == str(receipt.rows)
        and footer.get("hitscan.first_row") == str(part.first_row) == str(receipt.first_row)
        and part.rows in (None, receipt.rows)
    )
