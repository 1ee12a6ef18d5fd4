"""``python -m hitscan.ray_job``: messages and exit codes."""

from __future__ import annotations

import signal
import sys

from .arguments import parse
from .check import check
from .job import JobError, NotWhole, WorkerRefused
from .run import Failed, run


def main(arguments: list[str]) -> int:
    """
    Run a command line.

    Parameters
    ----------
    arguments : list of str
        The arguments, without the program's name.

    Returns
    -------
    int
        The exit code.
    """
    try:
        command = parse(arguments)
        if command.check:
            print(f"whole: {check(command.out, job=command.job)}")
        elif command.job is not None:
            print(run(command.job, progress=command.progress))
    except Failed as failed:
        for problem in failed.problems.values():
            print(problem, file=sys.stderr)
        rest = "all other parts are answered" if failed.parts else "no input can be read"
        print(f"{rest}; the same command tries again", file=sys.stderr)
        return 2 if failed.strict else 1
    except (NotWhole, WorkerRefused, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    except JobError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    # Schedulers end a job by SIGTERM: it is as harmless as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main(sys.argv[1:]))
