"""`hitscan.ray.Query` in a pipeline of Ray Data's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import ray
import ray.data
from conftest import rays
from hitscan import World
from hitscan.query import Query
from hitscan.ray import Query as Answer
from nodes import Nodes


@pytest.fixture
def session(two_nodes: Nodes) -> Iterator[None]:
    ray.init(address=two_nodes.address, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.mark.parametrize("is_put", [False, True])
def test_answers_stand_behind_the_columns_of_the_batches(
    scene: Path, session: None, is_put: bool
) -> None:
    questions = rays(20_000, 3)
    query = Query(columns=("status", "t", "object"))
    expected = Answer(World.from_scene(scene), query, threads=1)(questions)
    assert expected.column_names == [*questions.column_names, "status", "t", "object"]
    world = ray.put(World.from_scene(scene)) if is_put else str(scene)
    answered = ray.data.from_arrow([questions.slice(i, 5000) for i in range(0, 20_000, 5000)])
    answered = answered.map_batches(
        Answer,
        fn_constructor_args=[world, query],
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=2),
        num_cpus=1,
    )
    # Ray Data keeps no order unless it is requested: a column of their own identifies rows.
    found = pa.concat_tables(ray.get(answered.to_arrow_refs())).sort_by("id")
    assert found.cast(expected.schema).equals(expected.combine_chunks())
