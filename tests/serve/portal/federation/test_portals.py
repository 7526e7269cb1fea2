"""The file that names other portals."""

import re
from pathlib import Path

import pytest

from honeyguide.errors import SettingsError
from honeyguide.serve.portal.federation.portals import FILE, Portal, read_portals


def test_portals_are_named_by_the_address_people_use(tmp_path):
    (tmp_path / FILE).write_text(
        '[[portal]]\nname = "Bees of the north"\nurl = "https://north.example/find/c/bees/search"\ntoken = "hg-x"\n'
        '[[portal]]\nurl = "http://127.0.0.1:8765/c/wasps"\n'
    )
    assert read_portals(tmp_path) == [
        Portal(
            "Bees of the north",
            "https://north.example/find/c/bees/search",
            "https://north.example/find/api/v1/crawls/bees/search",
            "hg-x",
        ),
        Portal(
            "wasps",
            "http://127.0.0.1:8765/c/wasps/search",
            "http://127.0.0.1:8765/api/v1/crawls/wasps/search",
        ),
    ]


def test_the_example_in_the_docs_is_read(tmp_path):
    page = (Path(__file__).parents[4] / "docs" / "portal.md").read_text(encoding="utf-8")
    (tmp_path / FILE).write_text(re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1])
    assert [portal.name for portal in read_portals(tmp_path)] == ["Bees of the north", "Wasps"]


def test_without_the_file_nobody_else_is_asked(tmp_path):
    assert read_portals(tmp_path) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[portal]", "is no TOML"),
        ("\xff", "is no TOML"),
        ("[portal]\nurl = 'https://a.example/c/x'", r"tables \[\[portal\]\]"),
        ("[[portals]]\nurl = 'https://a.example/c/x'", r"tables \[\[portal\]\]"),
        ("[[portal]]\nname = 'a'", "portal 1: the url is the address of a collection"),
        ("[[portal]]\nurl = 'https://a.example/'", "the url is the address of a collection"),
        ("[[portal]]\nurl = 'javascript:alert(1)/c/x'", "the url is the address of a collection"),
        ("[[portal]]\nurl = 3", "are texts"),
        ("[[portal]]\nurl = 'https://a.example/c/x'\nsecret = 'y'", "and nothing else"),
        ("[[portal]]\nurl = 'https://a.example/c/x'\ntoken = \"a\\nb\"", "token has characters"),
        ("[[portal]]\nurl = 'https://a.example/c/x'\n" * 21, "up to 20"),
        ("#" * 200_000, "larger than"),
    ],
)
def test_mistakes_are_told_with_what_to_do(tmp_path, text, told):
    (tmp_path / FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match=told):
        read_portals(tmp_path)
