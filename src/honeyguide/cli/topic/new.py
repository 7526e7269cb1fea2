"""`honeyguide topic new`: a topic from words, from a name and examples, from an ontology, or from other topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honeyguide import wording
from honeyguide.cli import terminal
from honeyguide.cli.options import Assignments
from honeyguide.cli.told_words import tell_of_words
from honeyguide.cli.topic.files import check_is_new, save
from honeyguide.cli.topic.given import Web, read_given, warn_of_languages
from honeyguide.cli.topic.map_view import print_candidates, print_weights
from honeyguide.cli.topic.options import Contact, Force, Recording, TopicFile
from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from honeyguide.topics.base import TopicModel
    from honeyguide.topics.combined import CombinedTopic
    from honeyguide.topics.keywords import KeywordTopic
    from honeyguide.topics.meaning.topic import MeaningTopic
    from honeyguide.topics.ontology import OntologyTopic
    from honeyguide.topics.taxonomy import TaxonomyTopic

EXAMPLES = """Examples:
  honeyguide topic new bees.topic --words "beekeeping, honey bees"
  honeyguide topic new bees.topic --words beekeeping --expand pages/bees
  honeyguide topic new gods.topic --words "greek gods" --meaning
  honeyguide topic new bees.topic --name Beekeeping --example hives.html \\
      --words "bee honey hive apiary beekeeper swarm nectar queen"
  honeyguide topic new cars.topic --ontology cars.xtm --focus Toyota
  honeyguide topic new both.topic --combine bees.topic --combine farm.topic --rule all"""


class Idf(StrEnum):
    """How rare the topics of a map are."""

    BACKGROUND = "background"
    RUNNING = "running"


class Rule(StrEnum):
    """How topics are combined."""

    MEAN = "mean"
    ANY = "any"
    ALL = "all"


_WEB = {"--recording", "--contact", "--set"}
_WAYS = {
    "--combine": {"--rule"},
    "--ontology": {
        "--focus",
        "--language",
        "--all-languages",
        "--limit",
        "--weights",
        "--idf",
        "--hierarchy",
    },
    "--name": {"--words", "--example", "--under", *_WEB},
    "--words": {"--expand", "--language", "--meaning", "--vectors", *_WEB},
}
"""What a topic is made of, and the options that go with it; the first one given decides."""


def new(
    file: TopicFile,
    words: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The topic in words: a phrase or a paragraph.")
    ] = None,
    expand: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Add words that these files or urls share. Repeatable."),
    ] = None,
    meaning: Annotated[
        bool, typer.Option("--meaning", help="Count words that mean nearly the same, too (extra: meaning).")
    ] = False,
    vectors: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Vectors of words for --meaning [default: those of the extra]."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Put a topic of this name into the built-in taxonomy.")
    ] = None,
    example: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="A page on it: file, folder or url. Repeatable."),
    ] = None,
    under: Annotated[
        str | None, typer.Option(metavar="PATH", help="Where it goes, as in Home [default: where it fits].")
    ] = None,
    ontology: Annotated[
        Path | None, typer.Option(metavar="MAP", help="A topic map (XTM), or SKOS, OWL or RDFS.")
    ] = None,
    focus: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="What you want of the map: name or identifier. Repeatable."),
    ] = None,
    language: Annotated[
        str | None, typer.Option(metavar="XX", help="Of words or names, as in en [default: detected].")
    ] = None,
    all_languages: Annotated[
        bool, typer.Option("--all-languages", help="Find names of the map in every language.")
    ] = False,
    limit: Annotated[
        float | None, typer.Option(metavar="X", help="Relevance that separates pages [default: by the map].")
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="W,W,W[,W]",
            help="Of focus, classes next to it, others next to it, rest [default: 1,0.8,0.5].",
        ),
    ] = None,
    idf: Annotated[
        Idf | None, typer.Option(metavar="|".join(Idf), help="How rare names are [default: background].")
    ] = None,
    hierarchy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TYPE=ROLE", help="An association type that means subclass; ROLE is above. Repeatable."
        ),
    ] = None,
    combine: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="A topic to combine. Give two or more.")
    ] = None,
    rule: Annotated[
        Rule | None, typer.Option(metavar="|".join(Rule), help="How they are combined [default: mean].")
    ] = None,
    recording: Recording = None,
    contact: Contact = None,
    assignments: Assignments = None,
    force: Force = False,
) -> None:
    """Make a topic of words, of a name and examples, of an ontology, or of other topics.

    Give --words for words to look for; --name with --words or --example for a topic that is told from all others
    of the built-in taxonomy; --ontology with --focus, or without it to see what is in the map; or --combine twice
    or more.
    """
    web = Web(recording, contact, assignments)
    options: dict[str, Any] = {
        "--words": words,
        "--expand": expand,
        "--meaning": meaning,
        "--vectors": vectors,
        "--name": name,
        "--example": example,
        "--under": under,
        "--ontology": ontology,
        "--focus": focus,
        "--language": language,
        "--all-languages": all_languages,
        "--limit": limit,
        "--weights": weights,
        "--idf": idf,
        "--hierarchy": hierarchy,
        "--combine": combine,
        "--rule": rule,
        "--recording": recording,
        "--contact": contact,
        "--set": assignments,
    }
    given = {option: value for option, value in options.items() if value not in (None, False, [])}
    way = _way(given)
    if way == "--ontology" and "--focus" not in given:
        print_candidates(file, given[way], given.get("--language", ""))
        return
    check_is_new(file, force)
    save(file, _made(way, given, web))


def _way(given: Mapping[str, Any]) -> str:
    way = next((way for way in _WAYS if way in given), "")
    if not way:
        raise SettingsError(
            "nothing to make a topic of; give --words, --name with --words or --example, "
            "--ontology with --focus, or --combine (or see `honeyguide topic train`)"
        )
    if foreign := [option for option in given if option != way and option not in _WAYS[way]]:
        raise SettingsError(f"{foreign[0]} does not go with {way}; make two topics and --combine them")
    return way


def _made(way: str, given: Mapping[str, Any], web: Web) -> TopicModel:
    if way == "--combine":
        return _combined(given[way], given.get("--rule", Rule.MEAN))
    if way == "--ontology":
        return _ontology(given)
    if way == "--name":
        return _in_taxonomy(given, web)
    return _of_words(given, web)


def _of_words(given: Mapping[str, Any], web: Web) -> KeywordTopic | MeaningTopic:
    from honeyguide.topics.expansion import expanded
    from honeyguide.topics.keywords import KeywordTopic
    from honeyguide.topics.meaning.similarity import NoMeaning
    from honeyguide.topics.meaning.topic import MeaningTopic
    from honeyguide.topics.phrase import check_phrase
    from honeyguide.topics.phrase_language import language_code

    text, language = given["--words"], language_code(given.get("--language", ""))
    check_phrase(text, language)
    if places := given.get("--expand"):
        longer = expanded(text, read_given(places, web), language)
        terminal.say(
            f"words added: {longer.removeprefix(f'{text} {text}').strip() or 'none, they share none'}"
        )
        text = longer
    language = language or _guessed_language(text)
    tell_of_words(given["--words"], language)
    if "--meaning" not in given and "--vectors" not in given:
        return KeywordTopic(text, language)
    folder = given.get("--vectors")
    try:
        return MeaningTopic(text, language, str(folder.resolve()) if folder else "")
    except NoMeaning:
        topic = KeywordTopic(text, language)  # which has more to say of a phrase without any words
        terminal.note("none of the words has a meaning that is known, so that they alone are looked for")
        return topic


def _guessed_language(text: str) -> str:
    from honeyguide.topics.phrase_language import phrase_language

    language = phrase_language(text)
    terminal.note(f"the words are taken for the language {language!r}; --language sets another")
    return language


def _in_taxonomy(given: Mapping[str, Any], web: Web) -> TaxonomyTopic:
    from honeyguide.topics.taxonomy.backbone import topic_from_examples

    examples = read_given(given.get("--example", ()), web)
    topic = topic_from_examples(given["--name"], examples, given.get("--words", ""), given.get("--under", ""))
    warn_of_languages(examples, topic.taxonomy.documents.language)
    tree = topic.taxonomy.tree
    (path,) = map(tree.path, tree.good)
    number = len(topic.taxonomy.examples_of(path))
    elsewhere = "" if "--under" in given else "; --under puts it elsewhere"
    terminal.say(
        f"{path}: {wording.count(number, 'example')}, told from {len(tree) - 2} other topics{elsewhere}"
    )
    return topic


def _ontology(given: Mapping[str, Any]) -> OntologyTopic:
    from honeyguide.topics.ontology import OntologyTopic

    names = ("--language", "--limit", "--all-languages")
    chosen: dict[str, Any] = {
        name.removeprefix("--").replace("-", "_"): given[name] for name in names if name in given
    }
    topic = OntologyTopic(
        given["--ontology"],
        given["--focus"],
        idf=given.get("--idf", Idf.BACKGROUND).value,
        hierarchy=_hierarchy(given.get("--hierarchy", ())),
        **_weights(given.get("--weights", "")),
        **chosen,
    )
    for message in topic.map.notes:
        terminal.warn(message)
    print_weights(topic)
    return topic


def _hierarchy(pairs: Sequence[str]) -> dict[str, str]:
    split = [pair.rpartition("=") if "=" in pair else (pair, "", "") for pair in pairs]
    return {type_: role for type_, _, role in split}


def _weights(text: str) -> dict[str, Any]:
    """Weights of the classes in their order; what is not given is chosen."""
    names = ("focal_weight", "hierarchy_weight", "other_weight", "rest_weight")
    try:
        numbers = [float(number) for number in text.split(",")] if text else []
    except ValueError:
        numbers = [0.0]
    if text and not 3 <= len(numbers) <= len(names):
        raise SettingsError(f"--weights: {text!r} should be three or four numbers, as in 1,0.8,0.5,0.1")
    return dict(zip(names, numbers, strict=False))


def _combined(paths: Sequence[Path], rule: Rule) -> CombinedTopic:
    from honeyguide.topics.combined import CombinedTopic
    from honeyguide.topics.topic_file import read_topic

    members = [read_topic(path) for path in paths]
    for path, member in zip(paths, members, strict=True):
        if isinstance(member, CombinedTopic):
            raise SettingsError(f"{path} is combined already; combine the topics it was made of")
    listed = [f"{path} ({member.name})" for path, member in zip(paths, members, strict=True)]
    terminal.say(f"{rule.value} of {', '.join(listed)}")
    return CombinedTopic(members, rule.value)
