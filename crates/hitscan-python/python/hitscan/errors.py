"""What is raised beside Python's own exceptions.

Wrong arguments are a `ValueError` or a `TypeError`, as numpy's are. All else is a `HitscanError`, which is Python's own
exception of that kind as well:

| exception | is also | raised for |
|---|---|---|
| `FileError` | `OSError` | a file that cannot be used |
| `MissingFileError`, `ForbiddenFileError` | `FileError`, `FileNotFoundError` or `PermissionError` | a file that is not there, or may not be read |
| `UnknownObjectError` | `KeyError` | a handle, name or clip that there is not |
| `UnknownTickError` | `LookupError` | a tick that a world does not keep |
| `PendingChangesError` | `ValueError` | a question to a world with changes that no `update` has made |
"""

from __future__ import annotations

import errno as system
import os
from typing import Self, cast

__all__ = [
    "FileError",
    "ForbiddenFileError",
    "HitscanError",
    "MissingFileError",
    "PendingChangesError",
    "UnknownObjectError",
    "UnknownTickError",
]


class HitscanError(Exception):
    """What this package raises where nothing is wrong with the arguments themselves.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.World().handle("ball")
    ... except hitscan.HitscanError as error:
    ...     print(error)
    no object is called "ball"
    """


class UnknownObjectError(HitscanError, KeyError):
    """A handle of no object, or a name that nothing has.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.World().remove(7)
    ... except KeyError as error:
    ...     print(error)
    object 7 is not in this world: it was removed, or never was
    """

    def __str__(self) -> str:
        """Return the message, without the quotes of `KeyError`."""
        return Exception.__str__(self)


class UnknownTickError(HitscanError, LookupError):
    """A tick that a world does not keep.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.World().at(7)
    ... except hitscan.UnknownTickError as error:
    ...     print(error)
    tick 7 is not kept: no tick is (`keep_history`, then `record`)
    """


class PendingChangesError(HitscanError, ValueError):
    """A question to a world with changes that no `update` has made, where it makes none by itself.

    Examples
    --------
    >>> import hitscan
    >>> world = hitscan.World(auto_update=False)
    >>> ball = world.add(hitscan.Sphere([0, 0, 0], 1))
    >>> try:
    ...     world.cast_rays_any([0, 0, 5], [0, 0, -1])
    ... except hitscan.PendingChangesError as error:
    ...     print(error)
    the world has changes that no update() has made: call update() first, or ask now()
    """


class FileError(HitscanError, OSError):
    """A file that could not be used: what is wrong where, and what is valid there.

    The parameters are its attributes; `message` is what ``str`` gives.

    Parameters
    ----------
    file : path-like
        The file.
    place : str, optional
        Where in the file, such as ``"line 3, column 7"`` or ``"accessor 4"``.
    expectation : str, optional
        What is valid there.
    message : str, optional
        File, place and what is wrong, in one sentence.
    errno : int, optional
        The system's reason, where the file could not be read.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.TriMesh.read("no such file.obj")
    ... except hitscan.FileError as error:
    ...     print(error.file)
    no such file.obj
    """

    file: str
    place: str | None
    expectation: str | None

    def __new__(
        cls,
        file: str | os.PathLike[str],
        place: str | None = None,
        expectation: str | None = None,
        message: str = "",
        errno: int | None = None,
    ) -> Self:
        """Make the kind of error that the system's reason says."""
        kind = _KINDS.get(errno) if cls is FileError else None
        return super().__new__(cast("type[Self]", kind or cls), message)

    def __init__(
        self,
        file: str | os.PathLike[str],
        place: str | None = None,
        expectation: str | None = None,
        message: str = "",
        errno: int | None = None,
    ) -> None:
        super().__init__(message)
        self.file = os.fspath(file)
        self.filename = self.file
        self.place = place
        self.expectation = expectation
        self.errno = errno
        self.strerror = message

    def __str__(self) -> str:
        """Return the message, which names file and place."""
        return str(self.strerror)

    def __reduce__(
        self,
    ) -> tuple[
        type[FileError], tuple[str, str | None, str | None, str | None, int | None]
    ]:
        return type(self), (
            self.file,
            self.place,
            self.expectation,
            self.strerror,
            self.errno,
        )


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there.

    Examples
    --------
    >>> import hitscan
    >>> try:
    ...     hitscan.World.load("no such file.baked")
    ... except FileNotFoundError as error:
    ...     print(error.filename)
    no such file.baked
    """


class ForbiddenFileError(FileError, PermissionError):
    """A file that may not be read or written.

    Examples
    --------
    >>> import hitscan
    >>> issubclass(hitscan.ForbiddenFileError, PermissionError)
    True
    """


#: The errors of the system's reasons.
_KINDS: dict[int | None, type[FileError]] = {
    system.ENOENT: MissingFileError,
    system.EACCES: ForbiddenFileError,
    system.EPERM: ForbiddenFileError,
}
