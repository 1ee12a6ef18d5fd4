"""The input files of a job: what identifies them, and the parts that they are divided into."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace

from ..parts import Part, list_parts

__all__ = ["InputFile", "survey"]

_END = 1 << 20
"""The bytes at each end of a file that its digest covers: among them a Parquet file's footer, with
the places and statistics of all its columns."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """
    What distinguishes an input from another at its place.

    Parameters
    ----------
    file : str
        The name of the file, without its folder.
    bytes, modified_ns : int, optional
        Its size, and when it was last changed: nanoseconds since 1970.
    digest : str, optional
        The SHA-256 of its size and of the first and last MiB.
    unreadable : str, optional
        Why it could not be read, in which case the other fields are None.
    """

    file: str
    bytes: int | None = None
    modified_ns: int | None = None
    digest: str | None = None
    unreadable: str | None = None


def survey(path: str, number: int, *, rows_per_part: int, tries: int) -> tuple[InputFile, list[Part]]:
    """
    Identify an input and divide it into parts.

    Only its ends are read. A file that cannot be read is tried again, and has no parts.

    Parameters
    ----------
    path : str
        The file.
    number : int
        Its place among the inputs, from 0.
    rows_per_part : int
        The rows that a part has at most, if the row groups allow it.
    tries : int
        How often it is tried.

    Returns
    -------
    tuple of InputFile and list of Part
        What it is, and its parts in the order of their rows.
    """
    name = os.path.basename(path)
    problem = ""
    for _ in range(tries):
        try:
            parts = list_parts([path], rows_per_part=rows_per_part)
            size, modified, digest = _identity(path)
        except OSError as error:
            problem = str(error)
            continue
        return (
            InputFile(name, size, modified, digest),
            [replace(part, file_number=number) for part in parts],
        )
    return InputFile(name, unreadable=problem), []


def _identity(path: str) -> tuple[int, int, str]:
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        digest = hashlib.sha256(str(status.st_size).encode())
        digest.update(file.read(_END))
        file.seek(max(0, status.st_size - _END))
        digest.update(file.read(_END))
    return status.st_size, status.st_mtime_ns, digest.hexdigest()
