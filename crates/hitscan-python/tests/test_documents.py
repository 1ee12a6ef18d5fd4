"""The examples of the documents give what they show."""

import doctest
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[1]
DOCUMENTS = [PACKAGE / "README.md", ROOT / "docs" / "python.md", ROOT / "README.md"]
#: The pages for users of other libraries, each with the library that it is run against.
PAGES = {
    "trimesh": "trimesh",
    "open3d": "open3d",
    "rasterio": "rasterio",
    "robotics": "numpy",
    "analytics": "polars",
    "notebooks": "numpy",
    "platform": "numpy",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.parent.name + "/" + path.name)
def test_examples(document: Path) -> None:
    outcome = doctest.testfile(str(document), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_every_page_is_run() -> None:
    pages = {path.stem for path in (ROOT / "docs" / "python").glob("*.md")}
    assert pages == PAGES.keys()


@pytest.mark.parametrize("page", PAGES)
def test_pages(page: str) -> None:
    pytest.importorskip(PAGES[page])
    test_examples(ROOT / "docs" / "python" / f"{page}.md")
