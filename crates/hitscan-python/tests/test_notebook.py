"""The notebook and the examples run, and the notebook is kept without outputs."""

import os
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_tour_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for package in ("ipykernel", "rasterio", "trimesh"):
        pytest.importorskip(package)
    notebook = nbformat.read(EXAMPLES / "tour.ipynb", as_version=4)
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in codes)
    client = nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(tmp_path)}},
    )
    client.execute(env={**os.environ, "TMPDIR": str(tmp_path)})
    shown = [output for cell in codes for output in cell.outputs]
    assert sum("image/png" in output.get("data", {}) for output in shown) == 3
    assert sum("<table>" in output.get("data", {}).get("text/html", "") for output in shown) == 3
    text = "".join(output.get("text", "") for output in shown)
    assert "samples are seen" in text and "of 25 hit" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("first_rays", "without the crate"),
        ("crowd", "frame 2"),
        ("terrain", "the two see each other"),
    ],
)
def test_examples_run(capsys, name, said):
    if name == "terrain":
        pytest.importorskip("rasterio")
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert said in capsys.readouterr().out


def test_the_example_of_a_picture(capsys, monkeypatch, tmp_path):
    path = tmp_path / "valley.png"
    monkeypatch.setattr(sys, "argv", ["picture.py", str(path)])
    runpy.run_path(str(EXAMPLES / "picture.py"), run_name="__main__")
    assert "15 of 25 rays hit" in capsys.readouterr().out
    assert path.read_bytes().startswith(b"\x89PNG")
