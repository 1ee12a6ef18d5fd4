"""hitscan from Python and its peers on the same questions: `cargo xtask bench PY` runs it.

One process, held to one core; libraries take turns (`race.py`), their answers are held together
(`agreement.py`). `rows/` has what is asked, `peers/` who is asked.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

# Before any library starts its threads.
CORE = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {CORE})

import rows  # noqa: E402
import table  # noqa: E402
from bench import Bench, LeftOut  # noqa: E402
from inputs import Inputs  # noqa: E402
from lines import Figure, TimeLine  # noqa: E402
from peers import NAMES, Peers  # noqa: E402

#: Rays and rounds, usual and quick.
COUNTS = (1_000_000, 100_000)
ROUNDS = (7, 3)


def arguments() -> argparse.Namespace:
    """The command line, whose second half xtask adds."""
    parser = argparse.ArgumentParser(prog="cargo xtask bench PY", add_help=True)
    parser.add_argument("row", nargs="*", help="a row's name or the beginning of several")
    parser.add_argument("--quick", action="store_true", help="100,000 rays, 3 rounds")
    parser.add_argument("--without", action="append", default=[], choices=NAMES, metavar="PEER")
    parser.add_argument("--program", type=Path, required=True, help="hitscan-bench-python")
    parser.add_argument("--demo", type=Path, help="the folder of the demo's files")
    parser.add_argument("--table", type=Path, help="where the table is written too")
    return parser.parse_args()


def main() -> int:
    """Run the rows and print the table; 1 where something could not be run."""
    options = arguments()
    chosen = rows.select(options.row)
    peers = Peers(options.without)
    lines: list[TimeLine | Figure] = []
    notes = [f"without {name}" for name in options.without]
    failed = [f"{name} could not be loaded ({reason})" for name, reason in peers.missing.items()]
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(options.program, Path(folder), COUNTS[options.quick])
        bench = Bench(inputs, peers, ROUNDS[options.quick], options.quick, options.demo)
        for row, module in chosen:
            print(f"{row} ...", file=sys.stderr, flush=True)
            try:
                found = module.run(bench, row)
            except LeftOut as reason:
                notes.append(f"{row} was not run: {reason}")
                continue
            # A row that fails is named in the table, and the others are run.
            except Exception as error:
                failed.append(f"{row} was not run: {type(error).__name__}: {error}")
                continue
            lines += found
            print(table.markdown(found, []), file=sys.stderr, flush=True)
    voided = [
        f"{line.row}: answers differ"
        for line in lines
        if isinstance(line, TimeLine) and line.is_void
    ]
    text = table.markdown(lines, notes + failed + [about(options.quick, peers)])
    print(text)
    if options.table is not None:
        options.table.write_text(text + "\n")
    for problem in failed + voided:
        print(problem, file=sys.stderr)
    return 1 if failed or voided else 0


def about(is_quick: bool, peers: Peers) -> str:
    """The machine and what ran on it."""
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    load = os.getloadavg()[0]
    return (
        f"{'quick: ' if is_quick else ''}{COUNTS[is_quick]:,} rays, {ROUNDS[is_quick]} rounds; one core of "
        f"{os.cpu_count()} of {model}, load {load:.1f}; CPython {platform.python_version()}, "
        f"{peers.versions()}"
    )


if __name__ == "__main__":
    sys.exit(main())
