"""
Large tables of questions, answered on a Ray cluster.

``python -m hitscan.ray_job SCENE INPUT... -o OUT`` is the command; `run` and `check` are the same
from Python, where a `Rule` can make the questions. Ray is needed to run a job: the extra ``ray``.

Examples
--------
>>> from hitscan.query import Query
>>> job = Job(scene="scene.toml", inputs=("rays.parquet",), out="out", query=Query(hits="any"))
>>> job.options()["hits"], job.tries
('any', 3)
"""

from .check import check
from .job import Job, JobError, NotWhole, Rule, WorkerRefused
from .run import Failed, run
from .totals import Totals

__all__ = ["Failed", "Job", "JobError", "NotWhole", "Rule", "Totals", "WorkerRefused", "check", "run"]
