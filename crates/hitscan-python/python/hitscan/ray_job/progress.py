"""How far a job is, on standard error."""

from __future__ import annotations

import json
import sys
import time
from typing import Literal, TextIO

__all__ = ["Progress"]

_EVERY = 10.0
"""Seconds between two lines where standard error is no terminal."""


class Progress:
    """
    Parts, rows, rows a second, the time that is left, and retries.

    Parameters
    ----------
    form : {'text', 'json', 'none'}
        Lines for people, an object of JSON for each part, or nothing.
    parts : int
        All parts of the job.
    kept : int
        Those that earlier runs have finished.
    kept_rows : int
        Their rows.
    stream : TextIO, optional
        Where it is written: standard error by default.
    """

    def __init__(
        self,
        form: Literal["text", "json", "none"],
        parts: int,
        kept: int,
        kept_rows: int,
        stream: TextIO | None = None,
    ) -> None:
        self._form = form
        self._parts = parts
        self._kept = kept
        self._kept_rows = kept_rows
        self._done = 0
        self._rows = 0
        self.retries = 0
        self._start = time.monotonic()
        self._shown = self._start
        self._stream = stream or sys.stderr
        self._terminal = form == "text" and self._stream.isatty()
        if kept and form == "text":
            self._stream.write(f"{kept} of {parts} parts are kept from an earlier run\n")

    def finished(self, rows: int) -> None:
        """
        Count a part.

        Parameters
        ----------
        rows : int
            Its rows.
        """
        self._done += 1
        self._rows += rows
        now = time.monotonic()
        if self._form == "json":
            self._stream.write(json.dumps(self._state(now)) + "\n")
            self._stream.flush()
        elif self._form == "text":
            last = self._kept + self._done == self._parts
            if last or now - self._shown >= (0.2 if self._terminal else _EVERY):
                self._shown = now
                self._line(now)

    def close(self) -> None:
        """End the line that a terminal shows."""
        if self._terminal and self._done:
            self._stream.write("\n")
            self._stream.flush()

    def _state(self, now: float) -> dict[str, int | float]:
        seconds = now - self._start
        left = self._parts - self._kept - self._done
        return {
            "parts": self._kept + self._done,
            "of": self._parts,
            "rows": self._kept_rows + self._rows,
            "rows_per_second": round(self._rows / seconds) if seconds > 0 else 0,
            "seconds": round(seconds, 3),
            "seconds_left": round(seconds / self._done * left, 1),
            "retries": self.retries,
        }

    def _line(self, now: float) -> None:
        state = self._state(now)
        minutes, seconds = divmod(round(state["seconds_left"]), 60)
        hours, minutes = divmod(minutes, 60)
        line = (
            f"{state['parts']}/{state['of']} parts  {state['rows']:,} rows  "
            f"{state['rows_per_second']:,} rows/s  {hours}:{minutes:02}:{seconds:02} left"
        )
        if self.retries:
            line += f"  {self.retries} tried again"
        self._stream.write(f"\r{line}\x1b[K" if self._terminal else line + "\n")
        self._stream.flush()
