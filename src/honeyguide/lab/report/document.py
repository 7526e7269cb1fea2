"""A report as a list of blocks, and how it becomes one HTML page or a Markdown file.

Every text is escaped: titles and urls come from the Web. The page needs neither network nor scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from honeyguide.lab.report.plots import Picture
from honeyguide.store.disk import write_atomically

FIGURES_NAME = "figures"
PAGE_NAME, MARKDOWN_NAME = "report.html", "report.md"

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 2.2em 0 .6em; } h1 { margin-top: 0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .4em 0; color: #555; }
th, td { padding: .25em .7em; border-bottom: 1px solid #e4e4e4; text-align: right; vertical-align: top; }
th:first-child, td:first-child, .text td, .text th { text-align: left; }
thead th { border-bottom: 1px solid #888; position: sticky; top: 0; background: #fff; }
tr.bound { color: #666; font-style: italic; } td.strong { font-weight: 600; } td { overflow-wrap: anywhere; }
.wide { overflow-x: auto; } figure { margin: 1.5em 0 2.5em; max-width: 46rem; } figure svg { height: auto; }
figcaption { color: #555; font-size: 13px; } pre { background: #f6f6f6; padding: .8em; overflow-x: auto; }
nav li { margin: .1em 0; } @media print { thead th { position: static; } figure, tr { break-inside: avoid; } }
"""

_MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|~#!&$])")
_BOUND = ' class="bound"'
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 2 or 3."""

    text: str
    level: int = 2

    @property
    def anchor(self) -> str:
        """Where links to it lead."""
        return file_name(self.text)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Commands to copy."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of plain text; `strong` names the best cells, `bounds` the rows that are no strategies."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    strong: frozenset[tuple[int, int]] = frozenset()
    bounds: frozenset[int] = frozenset()
    is_text: bool = False  # rather than numbers


Block = Heading | Paragraph | Code | Table | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    blocks: Sequence[Block]


def write_document(document: Document, folder: Path) -> Path:
    """Write the page, the Markdown file and every figure as SVG and PNG; gives the page."""
    figures = folder / FIGURES_NAME
    figures.mkdir(parents=True, exist_ok=True)
    for block in document.blocks:
        if isinstance(block, Picture):
            write_atomically(figures / f"{block.name}.svg", block.svg)
            (figures / f"{block.name}.png").write_bytes(block.png)
    write_atomically(folder / MARKDOWN_NAME, to_markdown(document))
    write_atomically(folder / PAGE_NAME, to_html(document))
    return folder / PAGE_NAME


def file_name(text: str) -> str:
    """A text as a name of a file or anchor.

    >>> file_name("Target recall: WebKB / course")
    'target-recall-webkb-course'
    """
    return _NOT_IN_A_NAME.sub("-", text.lower()).strip("-") or "part"


def to_html(document: Document) -> str:
    """One page with everything inside it."""
    title = escape(document.title)
    links = "".join(
        f'<li><a href="#{block.anchor}">{escape(block.text)}</a></li>'
        for block in document.blocks
        if isinstance(block, Heading) and block.level == Heading("").level
    )
    body = "\n".join(_html(block) for block in document.blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # Whatever a title holds, nothing is fetched and nothing runs.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        f"<nav><ul>{links}</ul></nav>\n{body}\n</body></html>\n"
    )


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f'<h{block.level} id="{block.anchor}">{escape(block.text)}</h{block.level}>'
        case Paragraph():
            return f"<p>{escape(block.text)}</p>"
        case Code():
            return f"<pre><code>{escape(block.text)}</code></pre>"
        case Table():
            return _html_table(block)
        case Picture():
            return f"<figure>{block.inline}<figcaption>{escape(block.caption)}</figcaption></figure>"


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table.head)
    rows = "".join(
        f"<tr{_BOUND if number in table.bounds else ''}>{_html_cells(table, number, row)}</tr>\n"
        for number, row in enumerate(table.rows)
    )
    kind = ' class="text"' if table.is_text else ""
    return (
        f'<div class="wide"><table{kind}><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>"
    )


def _html_cells(table: Table, number: int, row: Sequence[str]) -> str:
    return "".join(
        f'<td class="strong">{escape(cell)}</td>'
        if (number, column) in table.strong
        else f"<td>{escape(cell)}</td>"
        for column, cell in enumerate(row)
    )


def to_markdown(document: Document, figures: str = FIGURES_NAME) -> str:
    """The same as Markdown; figures are files beside it."""
    parts = [f"# {plain(document.title)}", *_markdown_parts(document.blocks, figures)]
    return "\n\n".join(parts) + "\n"


def _markdown_parts(blocks: Iterable[Block], figures: str) -> Iterable[str]:
    for block in blocks:
        match block:
            case Heading():
                yield f"{'#' * block.level} {plain(block.text)}"
            case Paragraph():
                yield plain(block.text)
            case Code():
                yield f"```sh\n{block.text.replace('```', '')}\n```"
            case Table():
                yield markdown_table(block)
            case Picture():
                yield f"![{plain(block.caption)}]({figures}/{block.name}.svg)"


def markdown_table(table: Table) -> str:
    """A table as Markdown, its caption above it."""
    side = "---" if table.is_text else "---:"
    lines = [[plain(cell) for cell in table.head], ["---", *(side for _ in table.head[1:])]]
    for number, row in enumerate(table.rows):
        cells = [plain(cell) for cell in row]
        lines.append(
            [f"**{cell}**" if (number, column) in table.strong else cell for column, cell in enumerate(cells)]
        )
    return f"{plain(table.caption)}\n\n" + "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def plain(text: str) -> str:
    r"""A text that Markdown shows as it is, in one line.

    >>> plain("<b>a|b</b>\n*c*")
    '\\<b\\>a\\|b\\</b\\> \\*c\\*'
    """
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(text.split()))
