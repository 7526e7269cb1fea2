"""Making topics better, as jobs: what `honeyguide topic` does, in its words and with its results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, model_validator

from honeyguide.serve.api.jobs import OF_JOB
from honeyguide.serve.api.shapes import Words
from honeyguide.serve.api.topics import TopicName
from honeyguide.serve.jobs import Job, file_for
from honeyguide.serve.serving import Here, Serving
from honeyguide.serve.sources import FromWeb, Sources
from honeyguide.serve.workspace import NAME

router = APIRouter(tags=["topics"])
# Without "=", which separates it from what follows on a command line.
ClassPath = Annotated[
    str, Field(pattern=r"^[^=\x00-\x1f]*$", min_length=1, max_length=1_000, examples=["Home/Bees"])
]
Short = Annotated[str, Field(max_length=200)]
Paths = Annotated[list[ClassPath], Field(max_length=200)]
Numbers = Annotated[list[Annotated[int, Field(ge=0, le=10**9)]], Field(min_length=1, max_length=1_000)]


class NewTopic(FromWeb):
    """A topic of words, of a name and examples, of an ontology, or of other topics."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "bees", "words": "beekeeping, honey bees"}]}
    )

    name: Annotated[str, Field(pattern=f"^{NAME}$", max_length=100)]
    words: Words = ""
    expand: Sources = Sources()
    meaning: bool = False
    language: Annotated[str, Field(pattern=r"^([a-z]{2})?$")] = ""
    title: Annotated[str, Field(max_length=200, description="Its name in the built-in taxonomy.")] = ""
    examples: Sources = Sources()
    under: Short = ""
    ontology: Annotated[str, Field(max_length=1_000, description="A topic map of the workspace.")] = ""
    focus: Annotated[list[Short], Field(max_length=100)] = Field(default=[])
    all_languages: bool = False
    limit: Annotated[float, Field(allow_inf_nan=False)] | None = None
    weights: Annotated[list[float], Field(max_length=4)] = Field(default=[])
    idf: Literal["", "background", "running"] = ""
    hierarchy: Annotated[list[Short], Field(max_length=100)] = Field(default=[])
    combine: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=20)] = Field(default=[])
    rule: Literal["", "mean", "any", "all"] = ""
    replace: bool = False

    def command(self, here: Serving, inputs: Path) -> Iterator[str]:
        """As the command line has it."""
        yield from ("topic", "new")
        ontology = str(here.workspace.inside(self.ontology)) if self.ontology else ""
        single = {
            "words": self.words,
            "language": self.language,
            "name": self.title,
            "under": self.under,
            "ontology": ontology,
            "limit": "" if self.limit is None else repr(self.limit),
            "weights": ",".join(map(repr, self.weights)),
            "idf": self.idf,
            "rule": self.rule,
        }
        yield from (f"--{option}={value}" for option, value in single.items() if value)
        flags = {"meaning": self.meaning, "all-languages": self.all_languages, "force": self.replace}
        yield from (f"--{option}" for option, is_set in flags.items() if is_set)
        several = {
            "expand": self.expand.places(here.workspace, inputs, "expand"),
            "example": self.examples.places(here.workspace, inputs, "example"),
            "focus": self.focus,
            "hierarchy": self.hierarchy,
            "combine": (str(here.workspace.topic_file(name)) for name in self.combine),
        }
        yield from (f"--{option}={value}" for option, values in several.items() for value in values)
        yield from self.words_of_web(here)
        yield str(here.workspace.new_topic_file(self.name))


class Labeled(FromWeb):
    """Pages on a topic and pages that are not."""

    positive: Sources = Sources()
    negative: Sources = Sources()

    def places(self, here: Serving, inputs: Path) -> Iterator[str]:
        """As options."""
        for option, sources in (("positive", self.positive), ("negative", self.negative)):
            yield from (f"--{option}={place}" for place in sources.places(here.workspace, inputs, option))
        yield from self.words_of_web(here)


class Training(Labeled):
    """What a topic is learned from."""

    model: Literal["svm", "naive-bayes", "network", "majority"] = "svm"
    replace: bool = False


class Testing(Labeled):
    """What a topic is tested with: labeled pages, or others that are only judged."""

    pages: Sources = Sources()


class Suggesting(FromWeb):
    """What suggestions are made from."""

    examples: Sources = Sources()
    crawl: Annotated[str, Field(max_length=100)] = ""
    pages: Annotated[int, Field(ge=10, le=100_000)] = 1000


class Footprint(BaseModel):
    """One page, or two to compare."""

    model_config = ConfigDict(extra="forbid")

    pages: Sources


class Importing(BaseModel):
    """A taxonomy that others made."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["dmoz", "folders", "tsv", "bookmarks"]
    sources: Sources
    good: Paths = Field(default=[])
    under: Short = ""
    depth: Annotated[int, Field(ge=1, le=100)] = 16
    per_topic: Annotated[int, Field(ge=1, le=10_000)] = 200
    replace: bool = False


class Exporting(BaseModel):
    """How a topic is written for other programs."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"kind": "tsv"}]})

    kind: Literal["xtm", "ttl", "tsv"] = Field(
        description="XTM 2.0 or SKOS, of an ontology; a table, of a taxonomy.", examples=["xtm"]
    )
    crawl: Annotated[
        str, Field(max_length=100, description="Its relevant pages go into the ontology.", examples=["bees"])
    ] = ""


class Against(BaseModel):
    """What a topic is compared with: another one, or a revision of a crawl's topic."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"topic": "hives"}]})

    topic: Annotated[str, Field(max_length=100, description="Another topic.", examples=["hives"])] = ""
    crawl: Annotated[
        str, Field(max_length=100, description="Whose pages both are to judge.", examples=["bees"])
    ] = ""
    revision: Annotated[
        int, Field(ge=0, le=10**9, description="Of the crawl's topic, unless another is named.", examples=[0])
    ] = 0
    most: Annotated[int, Field(ge=1, le=1_000, description="So many words and pages.", examples=[20])] = 20

    @model_validator(mode="after")
    def is_something(self) -> Against:
        """Something must be there to compare with."""
        if not self.topic and not self.crawl:
            raise ValueError("give a topic, or a crawl")
        return self


class Moved(BaseModel):
    """From one path to a name or place."""

    model_config = ConfigDict(extra="forbid")

    path: ClassPath
    to: ClassPath


class Chosen(BaseModel):
    """Examples by their numbers, and a class."""

    model_config = ConfigDict(extra="forbid")

    numbers: Numbers
    path: ClassPath


class Added(BaseModel):
    """New examples of a class."""

    model_config = ConfigDict(extra="forbid")

    path: ClassPath
    examples: Sources


class Editing(FromWeb):
    """Changes to a taxonomy, all of them or none, in the order of this list; the topic is then trained again."""

    add: Paths = Field(default=[])
    rename: Annotated[list[Moved], Field(max_length=200)] = Field(default=[])
    move: Annotated[list[Moved], Field(max_length=200)] = Field(default=[])
    move_example: Annotated[list[Chosen], Field(max_length=200)] = Field(default=[])
    refine: Annotated[list[Chosen], Field(max_length=200)] = Field(default=[])
    not_good: Paths = Field(default=[])
    good: Paths = Field(default=[])
    remove: Paths = Field(default=[])
    remove_example: Annotated[list[Annotated[int, Field(ge=0, le=10**9)]], Field(max_length=1_000)] = Field(
        default=[]
    )
    add_example: Annotated[list[Added], Field(max_length=200)] = Field(default=[])

    def command(self, here: Serving, inputs: Path) -> Iterator[str]:
        """As the command line has it."""
        for option in ("add", "not_good", "good", "remove"):
            yield from (f"--{option.replace('_', '-')}={path}" for path in getattr(self, option))
        yield from (f"--rename={one.path}={one.to}" for one in self.rename)
        yield from (f"--move={one.path}={one.to}" for one in self.move)
        yield from (f"--move-example={_listed(one.numbers)}={one.path}" for one in self.move_example)
        yield from (f"--refine={one.path}={_listed(one.numbers)}" for one in self.refine)
        if self.remove_example:
            yield f"--remove-example={_listed(self.remove_example)}"
        for number, one in enumerate(self.add_example):
            places = one.examples.places(here.workspace, inputs, f"example-{number}")
            yield from (f"--add-example={one.path}={place}" for place in places)
        yield from self.words_of_web(here)


def _listed(numbers: list[int]) -> str:
    return ",".join(map(str, numbers))


@router.post("/topics", status_code=202, responses=OF_JOB)
def new_topic(wanted: NewTopic, here: Here) -> Job:
    """Make a topic. Of an ontology without a focus, the job tells what is in the map."""
    return here.jobs.start("topic new", wanted.name, lambda inputs: [*wanted.command(here, inputs)])


@router.post("/topics/{topic}/train", status_code=202, responses=OF_JOB)
def train(topic: TopicName, given: Training, here: Here) -> Job:
    """Learn a topic from examples, and tell how well it is told from others."""
    file = str(here.workspace.new_topic_file(topic))
    force = ["--force"] if given.replace else []
    return here.jobs.start(
        "topic train",
        topic,
        lambda inputs: [
            "topic",
            "train",
            f"--model={given.model}",
            *force,
            *given.places(here, inputs),
            file,
        ],
    )


@router.post("/topics/{topic}/test", status_code=202, responses=OF_JOB)
def test(topic: TopicName, given: Testing, here: Here) -> Job:
    """Tell how well a topic does on labeled examples; the output is JSON."""
    file = str(here.workspace.topic_file(topic))

    def words(inputs: Path) -> list[str]:
        pages = given.pages.places(here.workspace, inputs)
        return ["topic", "test", "--json", *given.places(here, inputs), file, *pages]

    return here.jobs.start("topic test", topic, words)


@router.post("/topics/{topic}/suggest", status_code=202, responses=OF_JOB)
def suggest(topic: TopicName, given: Suggesting, here: Here) -> Job:
    """Suggest what would make a topic better, from examples or from a crawl; the output is JSON."""
    file = str(here.workspace.topic_file(topic))
    crawl = [f"--crawl={here.workspace.crawl(given.crawl).folder}"] if given.crawl else []

    def words(inputs: Path) -> list[str]:
        places = [f"--for={place}" for place in given.examples.places(here.workspace, inputs)]
        options = [f"--pages={given.pages}", *crawl, *places, *given.words_of_web(here)]
        return ["topic", "suggest", "--json", *options, file]

    return here.jobs.start("topic suggest", topic, words)


@router.post("/topics/{topic}/footprint", status_code=202, responses=OF_JOB)
def footprint(topic: TopicName, given: Footprint, here: Here) -> Job:
    """Show the part of an ontology that a page touches, or compare two pages."""
    file = str(here.workspace.topic_file(topic))
    return here.jobs.start(
        "topic footprint",
        topic,
        lambda inputs: ["topic", "footprint", file, *given.pages.places(here.workspace, inputs)],
    )


@router.post("/topics/{topic}/tree", status_code=202, responses=OF_JOB)
def edit(topic: TopicName, given: Editing, here: Here) -> Job:
    """Change a taxonomy, and train it again."""
    file = str(here.workspace.topic_file(topic))
    return here.jobs.start(
        "topic tree", topic, lambda inputs: ["topic", "tree", *given.command(here, inputs), file]
    )


@router.post("/topics/{topic}/import", status_code=202, responses=OF_JOB)
def import_topic(topic: TopicName, given: Importing, here: Here) -> Job:
    """Make a topic of a directory, of folders or of bookmarks, in which some topics are good."""
    options = [f"--depth={given.depth}", f"--per-topic={given.per_topic}"]
    options += [f"--good={path}" for path in given.good]
    options += [f"--under={given.under}"] * bool(given.under) + ["--force"] * given.replace
    file = str(here.workspace.new_topic_file(topic))

    def words(inputs: Path) -> list[str]:
        return ["topic", "import", *options, given.kind, *given.sources.places(here.workspace, inputs), file]

    return here.jobs.start("topic import", topic, words)


@router.post("/topics/{topic}/export", status_code=202, responses=OF_JOB)
def export_topic(topic: TopicName, given: Exporting, here: Here) -> Job:
    """Write an ontology as XTM or SKOS, or a taxonomy as a table; the job has the file."""
    file = str(here.workspace.topic_file(topic))
    crawl = [f"--crawl={here.workspace.crawl(given.crawl).folder}"] if given.crawl else []
    return here.jobs.start(
        "topic export",
        topic,
        lambda inputs: ["topic", "export", *crawl, file, file_for(inputs, f"{topic}.{given.kind}")],
    )


@router.post("/topics/{topic}/diff", status_code=202, responses=OF_JOB)
def diff_topic(topic: TopicName, given: Against, here: Here) -> Job:
    """Tell what is different between a topic and another, or a revision of a crawl's; the output is JSON."""
    folder = here.workspace.crawl(given.crawl).folder if given.crawl else None
    other = str(here.workspace.topic_file(given.topic)) if given.topic else f"{folder}:{given.revision}"
    crawl = [f"--crawl={folder}"] if folder else []
    file = str(here.workspace.topic_file(topic))
    words = ["topic", "diff", "--json", f"--most={given.most}", *crawl, file, other]
    return here.jobs.start("topic diff", topic, words)
