import os
from typing import Any

__version__: str

class Scene:
    @staticmethod
    def read(path: str | os.PathLike[str]) -> Scene: ...
    @property
    def digest(self) -> str: ...
    def warnings(self) -> list[str]: ...

def answer_part(
    scene: Scene,
    input: str,
    row_groups: tuple[int, int] | None,
    output: str,
    options: object,
    stated: list[tuple[str, str]],
) -> dict[str, Any]: ...
def parquet_footer(
    path: str | os.PathLike[str],
) -> tuple[list[int], list[tuple[str, str]]]: ...

class AnsweredTable:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def columns(self) -> list[tuple[str, str]]: ...

def answer_table(
    scene: Scene, questions: object, options: object, threads: int | None
) -> AnsweredTable: ...
