"""That a wheel or a source package holds the licence texts of all that is linked.

Needs nothing but Python: ``python packed_licences.py FILE``, or the folder of one.
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

OWN = ("LICENSE-APACHE", "LICENSE-MIT")
LINKED = "THIRD-PARTY-LICENSES.txt"
# What each wheel links, with words of its own licence.
SOME = {
    "parquet": "Apache Software Foundation",
    "pyo3": "Permission is hereby granted",
    "rayon": "Permission is hereby granted",
    "zlib-rs": "misrepresented as being the original software",
    "zstd-sys": "Redistributions in binary form must reproduce",
}


def contents(package: Path) -> dict[str, bytes]:
    """Give the files of a package by their paths in it."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            return {name: wheel.read(name) for name in wheel.namelist()}
    with tarfile.open(package) as source:
        members = [one for one in source.getmembers() if one.isfile()]
        return {one.name: source.extractfile(one).read() for one in members}


def texts_of_crate(linked: str, crate: str) -> str:
    """Give the texts that the list of crates names for one."""
    line = re.search(rf"^{re.escape(crate)} \S+: .*; texts? ([0-9, ]+)$", linked, re.MULTILINE)
    assert line, f"{LINKED} does not list {crate}"
    rule = "=" * 80
    found = []
    for number in line[1].split(", "):
        head, _, rest = linked.partition(f"\n{rule}\nText {number}, of ")
        assert rest, f"{LINKED} has no text {number} for {crate}"
        found.append(rest.partition(f"\n{rule}\n")[2].partition(f"\n{rule}\n")[0])
    return "\n".join(found)


def check(package: Path) -> None:
    """Fail where a text is missing."""
    files = contents(package)
    held = [name for name in files if package.suffix != ".whl" or ".dist-info/licenses/" in name]
    metadata = [name for name in files if name.endswith((".dist-info/METADATA", "PKG-INFO"))]
    assert metadata, f"{package}: no METADATA or PKG-INFO"
    said = files[metadata[0]].decode()
    for name in (*OWN, LINKED):
        paths = [path for path in held if path.rpartition("/")[2] == name]
        assert paths, f"{package} lacks {name}"
        assert f"License-File: {name}" in said, f"{package}: {metadata[0]} does not name {name}"
    linked = files[next(path for path in held if path.endswith(LINKED))].decode()
    for crate, words in SOME.items():
        assert words in texts_of_crate(linked, crate), f"{LINKED}: the text of {crate} is another"
    print(f"{package.name}: the licence texts of {linked.count('; text ')} crates")


if __name__ == "__main__":
    given = Path(sys.argv[1])
    packages = [given] if given.is_file() else sorted(given.iterdir())
    assert packages, f"nothing in {given}"
    for package in packages:
        check(package)
