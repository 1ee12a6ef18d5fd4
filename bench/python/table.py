"""The lines as Markdown."""

from __future__ import annotations

from lines import Figure, TimeLine


def markdown(lines: list[TimeLine | Figure], notes: list[str]) -> str:
    """Tables of times and figures, then what could not be run."""
    times = [line for line in lines if isinstance(line, TimeLine)]
    figures = [line for line in lines if isinstance(line, Figure)]
    parts = []
    if times:
        head = ["row", "call", "wall µs", "CPU µs", "answers differ", "ratio", "aim", ""]
        parts.append(table(head, "llrrrrrl", [time_cells(line) for line in times]))
    if figures:
        head = ["row", "call", "what", "found", "aim", ""]
        cells = [
            [line.row, line.subject, line.what, line.figure, line.aim, mark(line.is_met)]
            for line in figures
        ]
        parts.append(table(head, "lllrrl", cells))
    if notes:
        parts.append("\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts)


def time_cells(line: TimeLine) -> list[str]:
    """The cells of a line of times."""
    differ = "" if line.differ is None else f"{line.differ:,}"
    ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
    aim = ""
    if line.aim is not None:
        aim = f"{'≤' if line.at_most else '≥'} {line.aim:g}"
    met = "void: answers differ" if line.is_void else mark(line.is_met)
    return [line.row, line.subject, f"{line.wall:.3f}", f"{line.cpu:.3f}", differ, ratio, aim, met]


def mark(is_met: bool | None) -> str:
    """Whether an aim is reached, in a word."""
    return {None: "", True: "met", False: "missed"}[is_met]


def table(head: list[str], sides: str, rows: list[list[str]]) -> str:
    """A table whose columns are as wide as their widest cell."""
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    rules = [
        "-" * width if side == "l" else "-" * (width - 1) + ":"
        for width, side in zip((max(width, 3) for width in widths), sides, strict=True)
    ]
    widths = [len(rule) for rule in rules]

    def line(cells: list[str]) -> str:
        padded = [
            cell.ljust(width) if side == "l" else cell.rjust(width)
            for cell, width, side in zip(cells, widths, sides, strict=True)
        ]
        return f"| {' | '.join(padded)} |"

    return "\n".join(line(row) for row in [head, rules, *rows])
