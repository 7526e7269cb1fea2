"""Tables that somebody has at hand, as files that only a program can write."""

from __future__ import annotations

import io
from typing import Annotated, Any, Self

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field, model_validator

from honeyguide.serve.serving import Here
from honeyguide.store.export import Table, as_arrow

router = APIRouter(prefix="/tables", tags=["results"])
PARQUET = "application/vnd.apache.parquet"
_FILE: dict[int | str, dict[str, Any]] = {200: {"content": {PARQUET: {"schema": {"type": "string"}}}}}
Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
Cell = str | bool | Whole | float | None


class Given(BaseModel):
    """A table as it is shown somewhere."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"columns": ["site", "pages"], "rows": [["example.org", 12]]}]},
    )

    columns: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]], Field(min_length=1, max_length=100)
    ]
    rows: Annotated[
        list[Annotated[list[Cell], Field(max_length=100)]],
        Field(max_length=100_000, description="Cells in the order of the columns."),
    ]

    @model_validator(mode="after")
    def is_table(self) -> Self:
        """Rows as wide as there are columns, and each column once."""
        if len({*self.columns}) < len(self.columns):
            raise ValueError("each column needs a name of its own")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("each row needs one cell for each column")
        return self


@router.post("/parquet", response_class=Response, responses=_FILE)
def parquet(given: Given, here: Here) -> Response:
    """A table as a Parquet file."""
    kinds = [_kind([row[at] for row in given.rows]) for at in range(len(given.columns))]
    rows = [
        tuple(None if cell is None else kind(cell) for cell, kind in zip(row, kinds, strict=True))
        for row in given.rows
    ]
    with here.heavy():
        table = as_arrow(Table(dict(zip(given.columns, kinds, strict=True)), rows, len(rows)))
        import pyarrow.parquet as pq  # type: ignore[import-untyped]

        file = io.BytesIO()
        pq.write_table(table, file, compression="zstd")
    kept = {"Content-Disposition": 'attachment; filename="table.parquet"'}
    return Response(file.getvalue(), media_type=PARQUET, headers=kept)


def _kind(cells: list[Cell]) -> type:
    """The narrowest type that holds a column; texts hold everything."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds in ({bool}, {int}):
        return kinds.pop()
    return float if kinds and kinds <= {int, float} else str
