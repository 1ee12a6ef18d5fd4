"""Ray: the cluster that a job runs on, and parts scheduled over it by Ray Data."""

from __future__ import annotations

import json
import logging
import os
import socket
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from ..parts import Part
from .job import Job, JobError
from .worker import PartWorker

__all__ = ["Engine", "Lost", "cluster"]

_PATIENCE_SECONDS = 10.0
_STORE = 256 << 20
"""Bytes of the object store of a cluster that is started here, beside the world: questions and
answers go by files."""


class Lost(Exception):
    """The workers of a pass are gone; the message is Ray's."""


@contextmanager
def cluster(job: Job, *, store_bytes: int) -> Iterator[Engine]:
    """
    Connect to the job's cluster, or start it.

    Parameters
    ----------
    job : Job
        The job.
    store_bytes : int
        What the job puts into the object store.

    Yields
    ------
    Engine
        The engine. A session of Ray that this process has begun before is used and left as it is.

    Raises
    ------
    JobError
        When there is no such cluster, or none of its nodes has the cores of an actor.
    """
    # Ray reports usage to its makers unless that is disabled before it is imported.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise JobError(f"a job needs Ray: pip install 'hitscan[ray]' ({error})") from None

    began = not ray.is_initialized()
    if began:
        _connect(job, store_bytes)
    try:
        yield Engine(job)
    finally:
        if began:
            ray.shutdown()


def _connect(job: Job, store_bytes: int) -> None:
    import ray

    settings: dict[str, Any] = {
        "logging_level": logging.ERROR,
        "log_to_driver": False,
        "include_dashboard": False,
    }
    address = job.address
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", address)
    _reach(address)
    if address == "local":
        settings["num_cpus"] = max(len(os.sched_getaffinity(0)), job.actor_cpus or 1)
        settings["object_store_memory"] = _STORE + 3 * store_bytes
    else:
        del settings["include_dashboard"]
    if job.wheel is not None:
        settings["runtime_env"] = {"py_modules": [job.wheel]}
    try:
        ray.init(address=address, **settings)
    except ConnectionError as error:
        raise _no_cluster(address, error) from None


def _reach(address: str) -> None:
    """Refuse an address where nothing answers: Ray itself would try for five minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _PATIENCE_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _no_cluster(address, error) from None


def _no_cluster(address: str, error: Exception) -> JobError:
    return JobError(
        f"no Ray cluster at the address {address!r}: {error}\nstart one with `ray start --head`, or "
        "use `--address local` for one on this machine"
    )


class Engine:
    """
    A pool of actors, as many as the cluster has room for at any time.

    Parameters
    ----------
    job : Job
        The job.
    """

    def __init__(self, job: Job) -> None:
        import ray

        nodes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
        nodes = [cpus for cpus in nodes if cpus > 0]
        if not nodes:
            raise JobError("no node of the Ray cluster has a CPU")
        self.cpus = job.actor_cpus or min(nodes)
        self.actors = sum(cpus // self.cpus for cpus in nodes)
        if self.actors == 0:
            raise JobError(
                f"actor_cpus: no node of the Ray cluster has {self.cpus} CPUs (the largest has "
                f"{max(nodes)})"
            )

    def answers(
        self, setup: dict[str, Any], parts: list[tuple[int, Part, str]], *, in_flight: int
    ) -> Generator[dict[str, Any]]:
        """
        Answer parts, each at most once.

        Parameters
        ----------
        setup : dict
            What `PartWorker` takes.
        parts : list of tuple
            The number, the part and its job.
        in_flight : int
            How many parts an actor has at a time. What it has is lost when it dies.

        Yields
        ------
        dict
            What `PartWorker` answers, in the order of arrival. A part whose worker
            died has no answer.

        Raises
        ------
        Lost
            When Ray gives up.
        """
        import ray
        import ray.data

        rows = [
            {"index": index, "part": json.dumps(asdict(part)), "job": part_job}
            for index, part, part_job in parts
        ]
        with _context():
            # A block a part: Ray Data schedules blocks.
            dataset = ray.data.from_items(rows, override_num_blocks=len(rows)).map(
                PartWorker,
                fn_constructor_args=[setup],
                compute=ray.data.ActorPoolStrategy(
                    min_size=1,
                    max_size=max(1, len(rows)),
                    initial_size=min(self.actors, len(rows)),
                    max_tasks_in_flight_per_actor=in_flight,
                ),
                num_cpus=self.cpus,
                # What a dead actor had in hand is given out again by the next pass, and the pool
                # replaces it. Ray's own retries have no end: a part that kills its worker would
                # kill all of them, one after the other.
                max_restarts=0,
                max_task_retries=0,
            )
            try:
                yield from dataset.iter_rows()
            except (ray.exceptions.RayError, ConnectionError) as error:
                raise Lost(_brief(error)) from None


def _brief(error: Exception) -> str:
    """What happened and its cause, without the stack between them."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ... ".join(dict.fromkeys([lines[0], lines[-1]])) if lines else repr(error)


@contextmanager
def _context() -> Iterator[None]:
    import ray.data

    context = ray.data.DataContext.get_current()
    level = logging.getLogger("ray.data").level
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    changed = context.copy()
    changed.enable_progress_bars = False
    changed.max_errored_blocks = -1
    # An actor that is busy requests a further one: nodes that come later get theirs.
    changed.autoscaling_config.actor_pool_util_upscaling_threshold = 1.0
    ray.data.DataContext._set_current(changed)
    try:
        with warnings.catch_warnings():
            # Ray 2.60 has no other way to say how often an actor is restarted.
            warnings.filterwarnings("ignore", message=".*ray_remote_args")
            yield
    finally:
        ray.data.DataContext._set_current(context)
        logging.getLogger("ray.data").setLevel(level)
