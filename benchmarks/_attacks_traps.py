"""Attacks by places without end whose urls show what they are."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks._attack import Attack
from benchmarks._attack_server import Answer, Request, html

ONE_TEXT = " ".join(f"word{number}" for number in range(100))


def calendar(asked: Request) -> str:
    found = re.search(r"(\d+)-(\d+)", asked.path)
    months = int(found[1]) * 12 + int(found[2]) - 1 if found else 2020 * 12
    links = (f"/calendar/{at // 12:04d}-{at % 12 + 1:02d}/" for at in (months - 1, months + 1))
    return f"<p>no events in month {months}</p>" + "".join(f'<a href="{link}">month</a>' for link in links)


def sessions(asked: Request) -> str:
    number = sum(map(ord, asked.path)) * 7_919 + len(asked.path)
    token = f"{number * 0x9E3779B97F4A7C15 % 2**128:032x}"
    return (
        f'<p>welcome {token}</p><a href="/shop?sid={token}">a</a><a href="/shop;jsessionid={token}">b</a>'
        f'<a href="/(S({token[:24]}))/shop">c</a><a href="/shop/sessionid-{token}/">d</a>'
    )


def counter(text: Callable[[int], str]) -> Answer:
    """A page that links to itself, again and again with other parameters."""

    def write(asked: Request) -> str:
        number = int((re.findall(r"\d+", asked.path) or ["0"])[-1])
        links = (f'<a href="/?n={number * 3 + step}">next</a>' for step in (1, 2, 3))
        return f"<p>{text(number)}</p>{''.join(links)}"

    return html(write)


def new_words(number: int) -> str:
    """Words that no language has, spelled without digits, which would end them; none is "bee"."""
    text = " ".join(f"9{number * step % 9973}" for step in range(1, 100))
    return text.translate(str.maketrans("0123456789", "cdfghjklmz"))


def more_parameters(asked: Request) -> str:
    query = asked.path.partition("?")[2]
    number = query.count("=")
    return f'<p>sorted</p><a href="/?{query}{"&" if query else ""}filter{number}=on">one more</a>'


def traps() -> dict[str, Attack]:
    return {
        "infinite calendar": Attack(
            html(calendar),
            "page refused_calendar",
            settings={"scope.starve_host_after": 0, "scope.max_calendar_years": 2, "limits.max_pages": 1000},
        ),
        "session ids": Attack(html(sessions), "page refused_session_id"),
        "infinite path": Attack(
            html(lambda asked: f'{asked.path}<a href="a/b/">deeper</a>'), "page refused_repeated_path"
        ),
        "endless parameters": Attack(html(more_parameters), "page refused_facets"),
        "page that links to itself": Attack(counter(lambda number: ONE_TEXT), "page"),
    }
