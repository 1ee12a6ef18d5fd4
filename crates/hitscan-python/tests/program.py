"""The program `hitscan`, whose answers are those that Python must give."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as parquet
import pytest

_ROOT = Path(__file__).resolve().parents[3]


def program() -> str:
    """The path of the program: `HITSCAN_PROGRAM`, or else what the workspace has built."""
    if named := os.environ.get("HITSCAN_PROGRAM"):
        return named
    target = Path(os.environ.get("CARGO_TARGET_DIR", _ROOT / "target"))
    for profile in ("release", "debug"):
        if found := shutil.which("hitscan", path=target / profile):
            return found
    pytest.fail(f"no program in {target}: build it with `cargo build`, or set HITSCAN_PROGRAM")


def run(*arguments: object) -> None:
    """Run the program; what it says goes into the error."""
    done = subprocess.run(
        [program(), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def answers(out: Path, command: str, scene: Path, table: Path, *options: object) -> pa.Table:
    """What the program answers, written to `out`, which is Parquet."""
    run(command, scene, table, "-o", out, *options)
    return parquet.read_table(out)


def outside_data() -> Path:
    """The folder `HITSCAN_DATA` with `data` and `cases` in it; without the variable, not run."""
    folder = os.environ.get("HITSCAN_DATA")
    if folder is None:
        pytest.skip("outside data")
    for part in ("data", "cases"):
        assert any(Path(folder, part).iterdir()), f"HITSCAN_DATA is set, but has no {part}/"
    return Path(folder)


def read_text(path: Path) -> pa.Table:
    """A table of CSV as text, so that its numbers are rounded once, where they are answered."""
    with path.open() as file:
        names = file.readline().rstrip("\r\n").split(",")
    options = csv.ConvertOptions(
        column_types={name: pa.string() for name in names}, strings_can_be_null=True
    )
    return csv.read_csv(path, convert_options=options)
