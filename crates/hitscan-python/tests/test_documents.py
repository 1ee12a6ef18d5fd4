"""The examples of the documents give what they show."""

import doctest
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[1]
DOCUMENTS = [PACKAGE / "README.md", ROOT / "docs" / "python.md", ROOT / "README.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.parent.name + "/" + path.name)
def test_examples(document: Path) -> None:
    outcome = doctest.testfile(str(document), module_relative=False)
    assert outcome.attempted > 0
    assert outcome.failed == 0
