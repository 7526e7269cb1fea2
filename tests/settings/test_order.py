import runpy
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import SettingsError
from honeyguide.settings import CrawlOrder, all_settings, parse_assignments, sections
from honeyguide.settings.order import MAX_FILE_BYTES
from honeyguide.urls import DROPPED_PARAMETERS

REPOSITORY = Path(__file__).parents[2]
LARGEST = 2**63 - 1


def problems(toml: str) -> list[str]:
    """What is wrong with an order, one line a problem, without the name of the file."""
    with pytest.raises(SettingsError) as raised:
        CrawlOrder.from_toml(toml, "bees.toml")
    lines = str(raised.value).splitlines()
    assert all(line.startswith("bees.toml") for line in lines)
    return [line.partition(": ")[2] for line in lines]


def test_defaults_need_no_file() -> None:
    order = CrawlOrder()
    assert order == CrawlOrder.from_toml("", "empty")
    assert (order.topic.model, order.strategy.name, order.limits.max_pages) == (
        "keywords",
        "honeyguide",
        1000,
    )
    assert order.scope.dropped_parameters == DROPPED_PARAMETERS
    assert order.scope.max_depth is None


def test_a_file_sets_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "bees.toml"
    path.write_text('[topic]\ntext = "bees"\n[limits]\nmax_pages = 7\nmax_seconds = 3\n')
    order = CrawlOrder.read(path)
    assert order.topic.text == "bees"
    assert (order.limits.max_pages, order.limits.max_seconds, order.limits.max_queue) == (7, 3.0, 0)


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("[limits]\nmax_pagse = 1", "limits.max_pagse: unknown setting; did you mean limits.max_pages?"),
        ("[seeds]\nurl = []", "seeds.url: unknown setting; did you mean seeds.urls?"),
        ("[limit]\nmax_pages = 1", "limit: unknown setting; did you mean limits?"),
        ("[crawl]\nmax_pages = 1", "crawl.max_pages: unknown setting; did you mean limits.max_pages?"),
        ("max_pages = 1", "max_pages: unknown setting; did you mean limits.max_pages?"),
        ("[qqq]", "qqq: unknown setting; `honeyguide settings` lists all that exist"),
        ("[limits.pages]\nzzz = 1", "limits.pages: unknown setting; did you mean limits.max_pages?"),
        ("limits = 5", "limits: is a section; write its settings below a line [limits]"),
    ],
)
def test_an_unknown_key_is_named_with_the_nearest_valid_one(toml: str, expected: str) -> None:
    assert problems(toml) == [expected]


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ('[limits]\nmax_pages = "ten"', 'limits.max_pages: should be a whole number, not "ten"'),
        ("[limits]\nmax_pages = true", "limits.max_pages: should be a whole number, not true"),
        ("[limits]\nmax_pages = 1.5", "limits.max_pages: should be a whole number, not 1.5"),
        ("[scope]\nmax_depth = 'x'", 'scope.max_depth: should be a whole number, not "x"'),
        ("[topic]\nmodel = 3", "topic.model: should be text, not 3"),
        ("[output]\narchive = 1", "output.archive: should be true or false, not 1"),
        ("[politeness]\ndelay_seconds = 'x'", 'politeness.delay_seconds: should be a number, not "x"'),
        ("[seeds]\nurls = 'a.org'", 'seeds.urls: should be a list, not "a.org"'),
        ("[seeds]\nurls = ['a.org', 3]", "seeds.urls[1]: should be text, not 3"),
        ("[topic]\nweights = {a = 1}", "topic.weights: should be text, a number, true, false or a list"),
        ("[topic]\nsince = 2020-01-01", "topic.since: should be text, a number, true, false or a list"),
        (
            '[crawl]\nkeep_fresh = "never"',
            'crawl.keep_fresh: should be true, "relevant" or "off", not "never"',
        ),
        ("[topic]\nk = nan", "topic.k: should be text, a number, true, false or a list"),
    ],
)
def test_a_wrong_type_is_told_with_the_right_one(toml: str, expected: str) -> None:
    [problem] = problems(toml)
    assert problem.startswith(expected)


@pytest.mark.parametrize(
    ("given", "kept"), [("off", False), ("false", False), ("true", True), ("relevant", "relevant")]
)
def test_a_switch_with_a_third_way_takes_each_by_its_name(given: str, kept: object) -> None:
    assert CrawlOrder().with_overrides({"crawl.keep_fresh": given}).crawl.keep_fresh == kept


@pytest.mark.parametrize("key", [setting.key for setting in all_settings() if "number" in setting.type])
def test_negative_and_absurd_numbers_are_refused_everywhere(key: str) -> None:
    with pytest.raises(
        SettingsError, match=rf"{key}: should be greater than (or equal to )?[01]\b.*, not -1"
    ):
        CrawlOrder().with_overrides({key: -1})
    for absurd in (float("inf"), float("nan")):
        with pytest.raises(SettingsError, match=key):
            CrawlOrder().with_overrides({key: absurd})


@pytest.mark.parametrize(
    "key",
    [
        "crawl.batch",
        "limits.max_page_bytes",
        "output.harvest_every",
        "scope.max_links_per_page",
        "scope.max_url_chars",
    ],
)
def test_what_cannot_be_none_is_at_least_one(key: str) -> None:
    with pytest.raises(SettingsError, match="should be greater than or equal to 1, not 0"):
        CrawlOrder().with_overrides({key: 0})


@pytest.mark.parametrize("host", ["https://example.org/", "*.example.org", "", "a b", "me@example.org"])
def test_a_url_is_no_host(host: str) -> None:
    with pytest.raises(
        SettingsError, match=r"scope\.allow_hosts\[0\]: should be a host name such as example\.org"
    ):
        CrawlOrder().with_overrides({"scope.allow_hosts": [host]})


def test_relevance_is_a_share() -> None:
    with pytest.raises(
        SettingsError, match=r"topic\.relevant_above: should be less than or equal to 1, not 1\.5"
    ):
        CrawlOrder().with_overrides({"topic.relevant_above": 1.5})


def test_all_problems_of_a_file_are_told_together() -> None:
    told = problems("[limits]\nmax_pagse = 1\nmax_queue = -1\n[crawl]\nbatch = 'x'\n[sedes]\n")
    assert sorted(line.partition(":")[0] for line in told) == [
        "crawl.batch",
        "limits.max_pagse",
        "limits.max_queue",
        "sedes",
    ]


def test_a_file_of_unknown_keys_is_told_shortly() -> None:
    told = problems("".join(f"x{number} = 1\n" for number in range(50_000)))
    assert len(told) == 21
    assert told[-1] == "and more"


def test_nothing_a_terminal_obeys_gets_into_a_message() -> None:
    told = problems('"a\\u001B[31m\\u202E" = 1\n[limits]\nmax_pages = "\\u0007"\n[topic]\n"k\\n" = {}')
    assert all(line.isprintable() for line in told)


@pytest.mark.parametrize(
    ("toml", "expected"),
    [
        ("[topic]\ntext = bees", "bees.toml, line 2: not valid TOML: Invalid value"),
        ("[topic]\n\n\ntext = ", "bees.toml, line 4: not valid TOML: Invalid value"),
        ("[topic]\n[topic]", "bees.toml, line 2: not valid TOML: Cannot declare"),
        ("a = " + "[" * 5000, "bees.toml: brackets are nested too deeply"),
        ("a = 1" + "0" * 5000, "bees.toml: not valid TOML: Exceeds the limit"),
        ("[limits]\nmax_pages = 0x" + "f" * 5000, "bees.toml: limits.max_pages: should be less than"),
    ],
)
def test_bad_toml_is_told_with_file_and_line(toml: str, expected: str) -> None:
    with pytest.raises(SettingsError) as raised:
        CrawlOrder.from_toml(toml, "bees.toml")
    assert str(raised.value).startswith(expected)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    latin, large = tmp_path / "latin.toml", tmp_path / "large.toml"
    latin.write_bytes(b"[topic]\ntext = '\xe9'\n")
    large.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    for path, reason in [
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "a\0b", "null byte"),
        (latin, "line 2: not UTF-8"),
        (large, "larger than 1,000,000 bytes"),
    ]:
        with pytest.raises(SettingsError, match=reason) as raised:
            CrawlOrder.read(path)
        assert str(raised.value).startswith(str(path))


def test_an_editor_may_add_a_byte_order_mark_and_carriage_returns(tmp_path: Path) -> None:
    path = tmp_path / "bees.toml"
    path.write_bytes(b'\xef\xbb\xbf[topic]\r\ntext = "bees"\r\n')
    assert CrawlOrder.read(path).topic.text == "bees"


def test_files_named_in_a_file_lie_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, here = tmp_path / "orders" / "bees.toml", tmp_path / "here"
    path.parent.mkdir()
    here.mkdir()
    path.write_text('[seeds]\nfile = "seeds.txt"\n')
    monkeypatch.chdir(here)
    order = CrawlOrder.read(path).with_overrides({"web.recording": "web.warc"})
    assert order.seeds.file == str(path.parent / "seeds.txt")
    assert order.web.recording == str(here / "web.warc")
    assert order.output.folder == ""


def texts() -> st.SearchStrategy[str]:
    return st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def extra_keys(declared: Sequence[str]) -> st.SearchStrategy[dict[str, object]]:
    scalars = st.one_of(
        texts(),
        st.booleans(),
        st.integers(-LARGEST, LARGEST),
        st.floats(allow_nan=False, allow_infinity=False),
    )
    keys = texts().filter(lambda key: key not in declared)
    return st.dictionaries(keys, st.one_of(scalars, st.lists(scalars, max_size=3)), max_size=3)


@st.composite
def orders(draw: st.DrawFn) -> CrawlOrder:
    counts, seconds = st.integers(0, LARGEST), st.floats(0, allow_infinity=False)
    topic = {"model": draw(texts()), "text": draw(texts())} | draw(
        extra_keys(["model", "text", "relevant_above"])
    )
    if draw(st.booleans()):
        topic["relevant_above"] = draw(st.floats(0, 1))
    return CrawlOrder.from_mapping(
        {
            "topic": topic,
            "seeds": {"urls": draw(st.lists(texts(), max_size=3)), "file": draw(texts())},
            "strategy": {"name": draw(texts())} | draw(extra_keys(["name"])),
            "scope": {"max_depth": draw(st.none() | counts), "dropped_parameters": draw(st.lists(texts()))},
            "limits": {"max_pages": draw(counts), "max_seconds": draw(seconds)},
            "output": {"folder": draw(texts()), "archive": draw(st.booleans())},
        },
        "drawn",
    )


@given(orders())
def test_a_written_order_reads_back_equal(order: CrawlOrder) -> None:
    written = order.to_toml()
    again = CrawlOrder.from_toml(written, "written")
    assert again == order
    assert again.to_toml() == written  # also tells 1 from true, which are equal


def test_a_written_order_explains_every_setting() -> None:
    written = CrawlOrder().to_toml()
    for setting in all_settings():
        assert f"# {setting.help}" in written
        assert (
            f"{setting.name} is unset" in written or f"\n{setting.name} = {setting.default_text}\n" in written
        )


def test_a_crawl_needs_a_topic_and_a_seed() -> None:
    with pytest.raises(SettingsError, match=r"no topic: give --topic(.|\n)*no seeds: give --seed"):
        CrawlOrder().check_complete()
    topic = CrawlOrder().with_overrides({"topic.text": "bees"})
    with pytest.raises(SettingsError, match=r"^[^\n]*no seeds[^\n]*$"):
        topic.check_complete()
    topic.with_overrides({"seeds.urls": ["https://example.org/"]}).check_complete()
    topic.with_overrides({"seeds.file": "seeds.txt"}).check_complete()
    CrawlOrder.from_mapping(
        {"topic": {"model": "examples", "pages": ["a.html"]}, "seeds": {"urls": ["a.org"]}}, "no words"
    ).check_complete()


def test_the_folder_is_named_after_the_topic() -> None:
    order = CrawlOrder().with_overrides({"topic.text": "../Solar energy!"})
    assert order.folder == Path("crawls/solar-energy")
    assert CrawlOrder().folder == Path("crawls/crawl")
    assert order.with_overrides({"output.folder": "there"}).folder == Path("there")


@given(texts())
def test_a_topic_never_leads_out_of_the_crawls_folder(text: str) -> None:
    folder = CrawlOrder().with_overrides({"topic.text": text}).folder
    assert folder.parent == Path("crawls")
    assert len(folder.name.encode()) < 256


@pytest.mark.parametrize(
    "key", ["topic.text", "output.folder", "topic.other", "seeds.urls", "topic.bad\udcff"]
)
def test_a_bad_byte_of_the_command_line_is_refused(key: str) -> None:
    with pytest.raises(SettingsError, match=key.partition(".")[0]) as raised:
        CrawlOrder().with_overrides({key: ["a\udcff"] if key == "seeds.urls" else "a\udcff"})
    assert str(raised.value).isprintable()


def test_overrides_change_only_what_they_name() -> None:
    order = CrawlOrder.from_toml("[limits]\nmax_queue = 5\n[strategy]\ndecay = 0.5", "bees.toml")
    changed = order.with_overrides({"limits.max_pages": 200, "strategy.width": 3})
    assert (changed.limits.max_pages, changed.limits.max_queue) == (200, 5)
    assert changed.strategy.keywords == {"decay": 0.5, "width": 3}
    assert order.limits.max_pages == 1000


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("limits.max_pagse", "limits.max_pagse: unknown setting; did you mean limits.max_pages?"),
        ("max_pages", "max_pages: unknown setting; did you mean limits.max_pages?"),
        ("limit.max_pages", "limit: unknown setting; did you mean limits?"),
        ("limits", "limits: is a section; write its settings below a line [limits]"),
    ],
)
def test_a_wrong_override_names_the_option(key: str, expected: str) -> None:
    with pytest.raises(SettingsError) as raised:
        CrawlOrder().with_overrides({key: 5})
    assert str(raised.value) == f"--set KEY=VALUE: {expected}"


def test_an_override_of_a_whole_section_is_told_even_beside_others() -> None:
    with pytest.raises(SettingsError, match="limits: is a section"):
        CrawlOrder().with_overrides({"limits": 5, "limits.max_pages": 7})


def test_assignments_are_toml_or_plain_text() -> None:
    expected = {
        "limits.max_pages=200": 200,
        "topic.text=solar = energy": "solar = energy",
        "topic.model='x'": "x",
        "topic.other=1\nb=1": "1\nb=1",
        "output.archive=false": False,
        "output.folder=2024": "2024",
        "scope.allow_hosts=['a.org']": ["a.org"],
        "strategy.since=2020-01-01": "2020-01-01",
    }
    for text, value in expected.items():
        assert parse_assignments([text]) == {text.partition("=")[0]: value}


@pytest.mark.parametrize("text", ["limits.max_pages", "=5", ""])
def test_an_assignment_without_key_or_value_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="write KEY=VALUE, as in"):
        parse_assignments([text])


@given(st.text())
def test_any_assignment_makes_an_order_or_a_settings_error(value: str) -> None:
    for key in ("topic.text", "topic.other", "limits.max_pages", "seeds.urls", "web"):
        try:
            order = CrawlOrder().with_overrides(parse_assignments([f"{key}={value}"]))
        except SettingsError:
            continue
        assert CrawlOrder.from_toml(order.to_toml(), "written") == order


def test_every_setting_is_described() -> None:
    assert {setting.key.partition(".")[0] for setting in all_settings()} == set(sections())
    for setting in all_settings():
        assert setting.help, setting.key
        assert setting.help[0].islower(), setting.key
        if "number" in setting.type and setting.name != "sample_seed":
            assert setting.unit, setting.key


def test_the_reference_page_is_fresh() -> None:
    script = runpy.run_path(str(REPOSITORY / "scripts" / "write_settings_page.py"))
    written = script["PAGE"].read_text(encoding="utf-8")
    assert written == script["page"](), "stale: run .venv/bin/python scripts/write_settings_page.py"
