"""What is raised beside Python's own exceptions."""

from __future__ import annotations

import os

__all__ = ["FileError"]


class FileError(OSError):
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
