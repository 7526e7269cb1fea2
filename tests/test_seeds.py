from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide import seeds
from honeyguide.errors import SettingsError
from honeyguide.seeds import SeedList, check_seeds, read_seeds
from honeyguide.urls import MAX_LENGTH, UrlPolicy


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "seeds.txt"


def read(file: Path, content: bytes) -> SeedList:
    file.write_bytes(content)
    return read_seeds(file)


def test_one_url_a_line(file: Path) -> None:
    found = read(file, b"https://example.org/\n\n# a comment\n   \n  https://example.com/b # why\n")
    assert found == SeedList(("https://example.org/", "https://example.com/b"), (), 0)


def test_urls_are_canonical_and_listed_once(file: Path) -> None:
    found = read(file, b"http://B.org/\nhttps://a.org:443/x?utm_source=y#z\nhttp://b.org\nhttps://a.org/x\n")
    assert found.urls == ("http://b.org/", "https://a.org/x")


def test_the_crawls_own_url_policy_counts(file: Path) -> None:
    file.write_text("https://a.org/?utm_source=y&z=1")
    assert read_seeds(file, UrlPolicy(("z",))).urls == ("https://a.org/?utm_source=y",)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.org/path", "https://example.org/path"),
        ("Example.ORG", "https://example.org/"),
        ("example.org:8080/x", "https://example.org:8080/x"),
        ("example.org?q=a:b", "https://example.org/?q=a:b"),
        ("127.0.0.1/x", "https://127.0.0.1/x"),
        ("http://localhost:8000/", "http://localhost:8000/"),
        ("HTTP://example.org/#frag", "http://example.org/"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
    ],
)
def test_a_url_without_a_scheme_gets_https(text: str, url: str) -> None:
    assert check_seeds([text]) == SeedList((url,), (), 0)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("mailto:me@example.org", "no usable http or https url"),
        ("ftp://example.org/", "no usable http or https url"),
        ("javascript:alert(1)", "no usable http or https url"),
        ("http://", "no usable http or https url"),
        ("http://exa<mple.org/", "no usable http or https url"),
        ("http://example.org:99999/", "no usable http or https url"),
        ("me@example.org", "no url; write it in full"),
        ("first.last@localhost", "no url; write it in full"),
        ("word", "no url; write it in full"),
        ("localhost:8000", "no url; write it in full"),
        ("/a/path.html", "no url; write it in full"),
        ("//example.org/", "no url; write it in full"),
        ("https://example.org/ https://example.com/", "has a space or control character inside"),
        ("https://example.org/\tlabel", "has a space or control character inside"),
        ("https://example.org/\0", "has a space or control character inside"),
        ("https://example.org/" + "a" * MAX_LENGTH, "longer than 4,096 characters"),
    ],
)
def test_a_bad_line_is_told_with_its_number(line: str, reason: str, file: Path) -> None:
    found = read(file, f"# list\nhttps://example.org/\n{line}\nhttps://example.com/\n".encode())
    assert found.urls == ("https://example.org/", "https://example.com/")
    [problem] = found.problems
    assert problem.line == 3
    assert problem.reason.startswith(reason)
    assert found.bad_lines == 1


def test_a_problem_is_short_and_safe_to_print() -> None:
    [problem] = check_seeds(["\x1b[31m\u202e" + "x" * 5000]).problems
    assert str(problem).startswith("1: longer than 4,096 characters: '\\x1b[31m\\u202e")
    assert str(problem).isprintable()
    assert len(problem.text) < 120


def test_windows_files(file: Path) -> None:
    assert read(file, b"\xef\xbb\xbfhttps://example.org/\r\nhttps://example.com/\r\n").urls == (
        "https://example.org/",
        "https://example.com/",
    )
    with pytest.raises(SettingsError, match="UTF-16; save it as UTF-8"):
        read(file, "https://example.org/\n".encode("utf-16"))


def test_a_latin_1_line_among_utf_8(file: Path) -> None:
    found = read(file, "https://a.org/é\n".encode() + "https://b.org/é\n".encode("latin-1"))
    assert found.urls == ("https://a.org/%C3%A9", "https://b.org/%C3%A9")


def test_a_very_long_line_is_one_bad_line(file: Path) -> None:
    found = read(file, b"x" * 3_000_000 + b"\nhttps://example.org/\n" + b"y" * 100_000)
    assert found.urls == ("https://example.org/",)
    assert [problem.line for problem in found.problems] == [1, 3]
    assert found.is_complete


def test_a_list_that_is_too_long_is_cut_and_said_to_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "MAX_LINES", 3)
    assert read(file, b"a.org\nb.org\nc.org\n").is_complete
    cut = read(file, b"a.org\nb.org\nc.org\nd.org\n")
    assert (len(cut.urls), cut.is_complete) == (3, False)
    monkeypatch.setattr(seeds, "MAX_BYTES", 6)
    cut = read(file, b"a.org\nb.org\n")
    assert (cut.urls, cut.is_complete) == (("https://a.org/",), False)


def test_a_list_of_bad_lines_keeps_the_first_problems(file: Path) -> None:
    found = read(file, b"bad\n" * 5000 + b"a.org\n")
    assert (len(found.problems), found.bad_lines, found.urls) == (1000, 5000, ("https://a.org/",))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.txt", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(SettingsError, match="the seed list cannot be read") as raised:
            read_seeds(path)
        assert str(raised.value).startswith(str(path))


@given(
    st.lists(st.one_of(st.text(), st.from_regex(r"(https?://)?[a-z#. \0-\x1f]{1,9}\.org(/.*)?")), max_size=5)
)
def test_any_lines_give_urls_or_problems(lines: list[str]) -> None:
    found = check_seeds(lines)
    assert found.bad_lines == len(found.problems)
    assert len(found.urls) + found.bad_lines <= len(lines)
    assert check_seeds(found.urls) == SeedList(found.urls, (), 0)


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-seeds.txt"
    path.write_bytes(content)
    try:
        found = read_seeds(path)
    except SettingsError:
        assert content[:2] in (b"\xff\xfe", b"\xfe\xff")
        return
    assert found.is_complete
    assert all(str(problem).isprintable() for problem in found.problems)
