"""How many threads calls use."""

from __future__ import annotations

from . import _hitscan

__all__ = ["get_num_threads", "set_num_threads"]


def set_num_threads(threads: int | None) -> None:
    """Let calls of this process use so many threads.

    Answers do not depend on it.

    Parameters
    ----------
    threads : int or None
        From 1 to 1024. None is the default: the cores that affinity and cgroup allow.

    Raises
    ------
    ValueError
        For another number.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.set_num_threads(2)
    >>> hitscan.get_num_threads()
    2
    >>> hitscan.set_num_threads(None)
    """
    _hitscan.set_num_threads(threads)


def get_num_threads() -> int:
    """Return how many threads calls may use.

    Returns
    -------
    int
        What `set_num_threads` was given, else the cores that affinity and cgroup allow.

    Examples
    --------
    >>> import hitscan
    >>> hitscan.get_num_threads() >= 1
    True
    """
    return _hitscan.num_threads()
