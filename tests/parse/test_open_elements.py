"""What is counted as open is never less than what the real parser has open, whatever closes what."""

import random
import sys

import pytest
from selectolax.lexbor import LexborHTMLParser

from honeyguide.parse.flatten import tags_of
from honeyguide.parse.open_elements import OpenElements

REPETITIONS = 60
SOME = 20
NAMES = (
    "div span p li dd dt ul dl table tr td th tbody caption colgroup col b i a font nobr select option optgroup button"
    " svg math g path foreignobject desc title mi annotation-xml template object marquee form h1 h2 br input textarea"
    " script style noscript iframe xmp ruby rt rtc address section dialog summary body html head x-y ins pre hr menu"
)
OTHERS = (
    *(
        "<!--",
        "-->",
        "<?",
        "<!x",
        "</ ",
        ">",
        "<![CDATA[",
        "]]>",
        "text",
        '"',
        "'",
        "<br\xa0>",
        "<li\v>",
        "<lin\u212a>",
    ),
    *(
        "<div a=",
        "<b a='",
        "<script><!--",
        "<script",
        "<title-x>",
        "<p/>",
        "<svg/>",
        "<font size=1>",
        "<!DOCTYPE html>",
    ),
)


def real_depth(markup: str) -> int:
    """Elements around the deepest one in the tree."""
    deepest, left = 0, [(LexborHTMLParser(markup, scripting=True).root, 1)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        child = node.first_child if node is not None else None
        while child is not None:
            if child.is_element_node:
                left.append((child, depth + 1))
            child = child.next
    return deepest


def counted_depth(markup: str) -> int:
    elements = OpenElements()
    tags = tags_of(markup.encode("utf-8", "replace").lower())
    return max(map(elements.steps_after, tags), default=0)


def random_unit(dice: random.Random) -> tuple[str, str]:
    def piece() -> str:
        name = dice.choice(NAMES.split())
        return dice.choice((f"<{name}>",) * 4 + (f"</{name}>",) * 3 + (dice.choice(OTHERS),))

    pieces = [piece() for _ in range(dice.randint(2, 6))]
    beginning, unit = ("".join(dice.choices(pieces, k=dice.randint(1, 7))) for _ in range(2))
    return dice.choice(("", beginning)), unit


# A cell has a row and a part of the table around it that nobody wrote, hence the factor.
def is_enough(counted: int, real: int) -> bool:
    return 2.5 * counted + SOME >= real


def test_random_markup_is_never_deeper_than_counted() -> None:
    dice = random.Random(20)
    for _ in range(1_000):
        beginning, unit = random_unit(dice)
        markup = beginning + REPETITIONS * unit
        assert is_enough(counted_depth(markup), real_depth(markup)), (beginning, unit)


DEEPER_THAN_THEY_LOOK = {
    "items in definitions": "<li><dd>",
    "end tags that do not reach": "<span><div></span></div>",
    "end tags in comments": "<div><?</div>",
    "declarations that look like the start of a tag": "<pre>''<pre><![CDATA[",
    "end tags in values": "<div a='</div>'>",
    "a name that only looks like one without end tag": "<br\xa0>",
    "another": "<lin\u212a>",
    "raw text that is none in svg": "<svg><style><div></style></svg>",
    "markup that ends svg": "<svg><div></svg>",
    "items beyond a list": "<div><ul></div><li><dd></ul></div>",
    "cells in svg": "<svg><td>",
    "options around groups": "<option><optgroup>",
}


@pytest.mark.parametrize("name", DEEPER_THAN_THEY_LOOK)
def test_known_tricks_are_counted(name: str) -> None:
    markup = REPETITIONS * DEEPER_THAN_THEY_LOOK[name]
    assert real_depth(markup) > REPETITIONS
    assert counted_depth(markup) > REPETITIONS / 2.5


@pytest.mark.skipif(sys.version_info < (3, 11, 4), reason="this Python's re cannot tell; see flatten.py")
def test_scripts_end_where_the_parser_ends_them() -> None:
    markup = "<script><!--<script></script><title></script>-->" + REPETITIONS * "<div>"
    assert real_depth(markup) > REPETITIONS
    assert counted_depth(markup) >= REPETITIONS


def test_formatting_elements_beyond_the_reach_of_their_end_tag_stay() -> None:
    unit = "<b id={}>" + 9 * "<div>" + "</b>" + 9 * "</div>"
    markup = "".join(unit.format(number) for number in range(REPETITIONS))
    nodes = len(LexborHTMLParser(markup, scripting=True).css("b"))
    assert nodes > 5 * REPETITIONS  # each is made anew in later ones
    assert counted_depth(markup) > REPETITIONS


def test_tables_closed_by_tables_are_not_open() -> None:
    markup = "<table><table></table>" + "".join(f"<td><b id={number}></td>" for number in range(REPETITIONS))
    assert real_depth(markup) > REPETITIONS
    assert counted_depth(markup) > REPETITIONS


TIDY = {
    "paragraphs": "<p>",
    "items": "<li>x<li>y",
    "lists": "<ul><li>x</li></ul>",
    "definitions": "<dt>x<dd>y",
    "rows": "<table><tr><td>x<td>y<tr><th>z</table>",
    "cells with formatting": "<table><td><font size=1>x</table>",
    "options": "<select><option>x<option>y</select>",
    "crossed": "<b><i>x</b></i>",
    "links": "<a name=x>",
    "icons": "<svg><title>x</title><g><path></path></g></svg>",
    "scripts": "<script>document.write('<div>')</script>",
    "templates": "<template><tr><td></template>",
}


@pytest.mark.parametrize("name", TIDY)
def test_what_is_closed_without_end_tags_does_not_pile_up(name: str) -> None:
    once = counted_depth(TIDY[name])
    assert counted_depth(REPETITIONS * TIDY[name]) <= once + 60, once
