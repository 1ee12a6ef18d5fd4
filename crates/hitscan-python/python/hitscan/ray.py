"""
Queries for Ray Data: ``dataset.map_batches(hitscan.ray.Query, ...)``.

For whole tables on many machines there is `hitscan.ray_job`, which keeps the order of rows, resumes
and checks; ``docs/cluster.md`` says what Ray Data keeps.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import query as asked
from .world import World

if TYPE_CHECKING:
    import pyarrow

__all__ = ["Query"]


class Query:
    """
    What `map_batches` calls in each actor: a batch of questions in, the same with answers out.

    The columns of a batch are carried, in their order, with the answers behind them; both are those
    of the command of the query's name.

    Parameters
    ----------
    world : World, path-like or ray.ObjectRef
        The world, or better what ``ray.put(world)`` gave: then each node holds it once, and all
        its actors borrow it from there. Or the path of a scene file, which each actor reads.
    options : Query
        The query, a `hitscan.query.Query`; the nearest hits of rays by default.
    threads : int, optional
        How many threads answer. By default as many as Ray gives the actor CPUs, at least one.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pyarrow
    >>> scene = pathlib.Path(tempfile.mkdtemp()) / "scene.toml"
    >>> _ = scene.write_text("[[sphere]]\\nname = 'planet'\\ncenter = [0, 0, 0]\\nradius = 2\\n")
    >>> rays = {"id": [7], "ox": [0], "oy": [0], "oz": [5], "dx": [0], "dy": [0], "dz": [-1]}
    >>> answered = Query(scene, threads=1)(pyarrow.table(rays))
    >>> answered.select(["id", "status", "t", "object"]).to_pylist()
    [{'id': 7, 'status': 'hit', 't': 3.0, 'object': 'planet'}]

    On a cluster::

        dataset.map_batches(
            hitscan.ray.Query,
            fn_constructor_args=[ray.put(world), hitscan.query.Query(hits="any")],
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(size=4),
            num_cpus=1,
        )
    """

    def __init__(
        self,
        world: Any,
        options: asked.Query | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        if type(world).__module__.split(".")[0] == "ray":
            import ray

            world = ray.get(world)
        is_path = isinstance(world, (str, os.PathLike))
        self._world: World = World.from_scene(world) if is_path else world
        self._options = options or asked.Query()
        self._threads = threads or _assigned_cpus()

    def __call__(self, batch: pyarrow.Table) -> pyarrow.Table:
        """
        Answer a batch.

        Parameters
        ----------
        batch : pyarrow.Table
            The questions.

        Returns
        -------
        pyarrow.Table
            Their columns and the answers, a row a question (several with ``hits='all'``).

        Raises
        ------
        OSError
            When a column of the questions is missing or has another type.
        """
        import pyarrow

        return pyarrow.table(self._world._answered_query(batch, self._options, self._threads))


def _assigned_cpus() -> int:
    import ray

    if not ray.is_initialized():
        return 1
    resources = ray.get_runtime_context().get_assigned_resources()
    return max(1, int(resources.get("CPU", 1)))
