"""Pages that open from a file, and in which nothing from the Web is more than text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.lab.report.document import (
    Code,
    Document,
    Heading,
    Paragraph,
    Table,
    file_name,
    to_html,
    to_markdown,
    write_document,
)
from honeyguide.lab.report.plots import Picture

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>|\n# [a](javascript:alert(3)) `'


class Tags(HTMLParser):
    """Every tag and attribute of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append(tag)
        self.attributes += attributes


def draw_nothing(figure: object) -> None:
    """An empty plot."""


def document(text: str) -> Document:
    table = Table(text, [text, "n"], [[text, "1"], ["x", "2"]], frozenset({(0, 1)}), frozenset({1}))
    picture = Picture("plot", text, draw_nothing, 1.0, 1.0)
    return Document(text, [Heading(text), Paragraph(text), Code(text), table, picture])


@given(st.text(max_size=200))
def test_texts_never_become_tags(text):
    expected = Tags(to_html(document("plain")))
    found = Tags(to_html(document(text)))
    assert found.found == expected.found
    assert not [name for name, _ in found.attributes if name.startswith("on")]


def test_a_page_needs_nothing_else(tmp_path):
    page = write_document(document(HOSTILE), tmp_path)
    tags = Tags(page.read_text())
    assert "script" not in tags.found
    assert "img" not in tags.found
    for name, value in tags.attributes:
        assert name not in ("src", "onerror")
        assert name != "href" or (value or "").startswith("#")


def test_figures_are_files_too(tmp_path):
    write_document(document("plain"), tmp_path)
    assert (tmp_path / "figures" / "plot.svg").read_text().startswith("<?xml")
    assert (tmp_path / "figures" / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert "](figures/plot.svg)" in (tmp_path / "report.md").read_text()


def test_markdown_tables_keep_their_columns():
    lines = to_markdown(document(HOSTILE)).splitlines()
    rows = [line for line in lines if line.startswith("| ")]
    assert len(rows) == 4
    assert all(row.replace("\\|", "").count("|") == 3 for row in rows)
    assert "**1**" in rows[2]


@pytest.mark.parametrize("text", ["", "é", "../../etc/passwd", "A b:C"])
def test_names_of_files_are_harmless(text):
    assert set(file_name(text)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert file_name(text)
