"""What scheduling costs: many parts with next to nothing in them."""

from __future__ import annotations

import os
from pathlib import Path

import jobs
import pyarrow.parquet as pq
from conftest import rays
from nodes import Nodes

PARTS = 5000
LIMIT_SECONDS = 0.020
"""Of the driver's processor time for a part."""


def test_five_thousand_parts_of_one_row(
    scene: Path, tmp_path: Path, out: Path, two_nodes: Nodes
) -> None:
    table = tmp_path / "rays.parquet"
    pq.write_table(rays(PARTS, 1), table, row_group_size=1)
    command = [scene, table, "-o", out, "--rows-per-part", 1, "--address", two_nodes.address]
    job = jobs.Job(*command)
    # The reaper of `subprocess` would take the times away.
    _, status, times = os.wait4(job.process.pid, 0)
    job.process.returncode = os.waitstatus_to_exitcode(status)
    job.end()
    seconds = (times.ru_utime + times.ru_stime) / PARTS
    wall = job.states[-1]["seconds"] / PARTS
    print(f"\n{seconds * 1e3:.1f} ms of driver a part, {wall * 1e3:.1f} ms of wall time")
    jobs.run("--check", "-o", out)
    assert len(job.states) == PARTS
    assert seconds <= LIMIT_SECONDS
