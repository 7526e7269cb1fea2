import shlex

import pytest

from honeyguide.cli.topic import app
from tests.cli.conftest import Cli

VERBS = ["new", "train", "test", "explain", "diff", "import", "tree", "suggest", "export", "footprint"]


def test_help_lists_every_verb(cli: Cli) -> None:
    output = cli("topic", "--help").output
    for verb in VERBS:
        assert f"\n  {verb} " in output
    assert [command.name for command in app.app.registered_commands] == VERBS


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_description_and_examples(verb: str, cli: Cli) -> None:
    result = cli("topic", verb, "--help")
    assert result.exit_code == 0
    assert f"\n  Examples:\n    honeyguide topic {verb} " in result.output
    assert len(result.output.splitlines()[2]) > 20
    assert max(map(len, result.output.splitlines())) < 90


def test_the_examples_name_options_that_exist() -> None:
    for command in app.app.registered_commands:
        assert command.epilog
        assert command.callback
        text = command.epilog.replace("\\\n", " ").partition("\n")[2]
        known = {name.replace("_", "-") for name in command.callback.__annotations__} | {"for", "json"}
        for line in text.splitlines()[1:]:
            words = shlex.split(line.partition("|")[0])
            assert words[:3] == ["honeyguide", "topic", command.name]
            assert {word.removeprefix("--") for word in words if word.startswith("--")} <= known


def test_without_a_verb_the_help_is_shown(cli: Cli) -> None:
    result = cli("topic")
    assert result.exit_code == 2
    assert "Usage: honeyguide topic" in result.stderr


def test_wrong_usage_names_the_verb(cli: Cli) -> None:
    assert cli("topic", "nw").stderr == (
        "error: there is no verb 'nw'; did you mean 'new'? see `honeyguide topic --help`\n"
    )
    assert cli("topic", "new").stderr == "error: FILE is missing; see `honeyguide topic new --help`\n"


@pytest.mark.parametrize("verb", [("test", "x"), ("explain", "--text", "x"), ("tree",), ("suggest",)])
def test_a_file_that_is_no_topic_is_told_in_one_line(verb: tuple[str, ...], cli: Cli, tmp_path) -> None:
    file = tmp_path / "x\x1b[31m.topic"
    file.write_text("no topic")
    name, *options = verb
    result = cli("topic", name, file, *options)
    assert result.exit_code == 2
    assert "no topic of honeyguide, or damaged" in result.stderr
    assert "\x1b" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    missing = cli("topic", name, tmp_path / "none.topic", *options)
    assert missing.stderr.endswith("none.topic: the topic cannot be read: No such file or directory\n")
