"""The recipes of docs/cluster.md for those who have another engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import jobs
from hitscan.parts import PartOptions, answer_part, list_parts

PAGE = Path(__file__).parents[3] / "docs" / "cluster.md"


def recipe(word: str) -> str:
    blocks = [block.split("```", 1)[0] for block in PAGE.read_text().split("```python\n")[1:]]
    (found,) = [block for block in blocks if word in block]
    return found


def test_dask_gives_the_parts_of_a_loop(scene: Path, tables: list[Path], tmp_path: Path) -> None:
    shutil.copytree(scene.parent, tmp_path, dirs_exist_ok=True)
    (tmp_path / "rays").mkdir()
    for table in tables[:2]:
        shutil.copy(table, tmp_path / "rays")
    (tmp_path / "recipe.py").write_text(recipe("import dask"))
    subprocess.run([sys.executable, "recipe.py"], cwd=tmp_path, check=True)
    loop = tmp_path / "loop"
    loop.mkdir()
    options = PartOptions(out=str(loop), job="rays of the survey")
    for part in list_parts(sorted((tmp_path / "rays").iterdir()), rows_per_part=100_000):
        answer_part(scene, part, options)
    assert jobs.hashes(tmp_path / "out") == jobs.hashes(loop) != {}
