"""`help()` of each public name has an example, which runs as a doctest."""

import doctest
import inspect
import types

import pytest

import hitscan

def public():
    """All public names, and the methods of classes, each once."""
    seen = set()
    for name in sorted(hitscan.__all__):
        if name == "__version__":
            continue
        value = getattr(hitscan, name)
        yield name, value
        if not inspect.isclass(value) or issubclass(value, Exception):
            continue
        for member in dir(value):
            if member.startswith("_"):
                continue
            found = inspect.getattr_static(value, member)
            if isinstance(found, classmethod | staticmethod):
                found = found.__func__
            if isinstance(found, types.FunctionType) and found not in seen:
                seen.add(found)
                yield f"{name}.{member}", found


NAMES = dict(public())


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example(name):
    documentation = inspect.getdoc(NAMES[name])
    assert documentation, "no docstring"
    assert doctest.DocTestParser().get_examples(documentation), "no example"
