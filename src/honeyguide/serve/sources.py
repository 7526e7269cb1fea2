"""Pages given over the API: urls, documents in the request, and files of the workspace, as words of a command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from honeyguide.serve.serving import Serving
from honeyguide.serve.workspace import Workspace

MOST_SOURCES = 1_000
LONGEST_DOCUMENT = 2_000_000


class Document(BaseModel):
    """A page that is in the request itself."""

    model_config = ConfigDict(extra="forbid")

    html: Annotated[str, Field(max_length=LONGEST_DOCUMENT)] = ""
    text: Annotated[str, Field(max_length=LONGEST_DOCUMENT)] = ""


class Sources(BaseModel):
    """Pages to read."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"documents": [{"text": "The beekeeper opens the hive."}]}]},
    )

    urls: Annotated[
        list[Annotated[str, Field(pattern=r"^https?://[^\s]+$", max_length=4_000)]],
        Field(
            max_length=MOST_SOURCES, description="Taken from the recording, or fetched live with a contact."
        ),
    ] = []
    documents: Annotated[list[Document], Field(max_length=MOST_SOURCES)] = []
    paths: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=1_000)]],
        Field(max_length=MOST_SOURCES, description="Files or folders of the workspace."),
    ] = []

    def places(self, workspace: Workspace, inputs: Path, name: str = "page") -> Iterator[str]:
        """Each as the command line takes it; documents become files among the inputs of a job."""
        yield from self.urls
        yield from (str(workspace.inside(path)) for path in self.paths)
        for number, document in enumerate(self.documents, 1):
            path = inputs / f"{name}-{number}.{'html' if document.html else 'txt'}"
            path.write_text(document.html or document.text, encoding="utf-8")
            yield str(path)


class FromWeb(BaseModel):
    """Where urls are had from."""

    model_config = ConfigDict(extra="forbid")

    recording: Annotated[
        str, Field(max_length=1_000, description="A recorded web of the workspace, such as crawls/bees.")
    ] = ""
    contact: Annotated[str, Field(max_length=200, description="To fetch live: who asks.")] = ""

    def words_of_web(self, here: Serving) -> Iterator[str]:
        """Its options."""
        if self.recording:
            yield f"--recording={here.workspace.inside(self.recording)}"
        if self.contact:
            yield f"--contact={self.contact}"
