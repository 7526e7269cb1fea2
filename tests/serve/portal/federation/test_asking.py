"""Several portals asked at once over HTTP: good, slow, dead and lying ones."""

import asyncio
import gzip
import json
import socket
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from honeyguide.errors import StoreError
from honeyguide.search.results import Hit, Results
from honeyguide.serve.portal.federation.asking import Asker, Collection
from honeyguide.serve.portal.federation.merging import merge
from honeyguide.serve.portal.federation.portals import Portal

GOOD = {"hits": [{"url": "https://bees.example/a", "title": "Bees"}], "total": 41}
HIT = Hit(
    1,
    "http://ours.example/",
    "Ours",
    "ours.example",
    "ours.example",
    "en",
    0.0,
    1.0,
    0.0,
    "",
    None,
    (),
    1.0,
    {},
    0,
)


class Portals:
    """Portals of every kind, at one address."""

    def __init__(self):
        self.asked = []
        self.release = asyncio.Event()

    async def answer(self, request):
        kind = request.match_info["kind"]
        self.asked.append((kind, dict(request.query), request.headers.get("Authorization")))
        if kind == "slow":
            await self.release.wait()
        if kind == "dripping":
            response = web.StreamResponse()
            await response.prepare(request)
            while not self.release.is_set():
                await response.write(b" ")
                await asyncio.sleep(0.05)
            return response
        return self._lie(kind) if kind != "good" else web.json_response(GOOD)

    def _lie(self, kind):
        told = {
            "html": web.Response(text="<html>", content_type="text/html"),
            "empty": web.Response(body=b""),
            "huge": web.Response(body=b'{"hits": [], "x": "' + b"y" * 3_000_000 + b'"}'),
            "bomb": web.Response(
                body=gzip.compress(json.dumps(GOOD).encode()), headers={"Content-Encoding": "gzip"}
            ),
            "elsewhere": web.Response(status=302, headers={"Location": "/good/api/v1/crawls/x/search"}),
            "denied": web.Response(status=401),
            "script": web.json_response(
                {"hits": [{"url": "javascript:alert(1)", "title": "x"}, GOOD["hits"][0]]}
            ),
        }
        return told[kind]


@asynccontextmanager
async def portals():
    made = Portals()
    app = web.Application()
    app.router.add_get("/{kind}/api/v1/crawls/x/search", made.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.base = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        made.release.set()
        await runner.cleanup()


def portal(base, kind, token=""):
    return Portal(kind, f"{base}/{kind}/c/x/search", f"{base}/{kind}/api/v1/crawls/x/search", token)


def dead_address():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_all_are_asked_and_problems_are_answers():
    async def run():
        async with portals() as made:
            kinds = (
                "good",
                "slow",
                "dripping",
                "html",
                "empty",
                "huge",
                "bomb",
                "elsewhere",
                "denied",
                "script",
            )
            asked = [*(portal(made.base, kind) for kind in kinds), portal(dead_address(), "dead")]
            answers = await Asker(seconds=0.5).ask("queen & <rearing>", [], asked)
            return made.asked, {answer.name: answer for answer in answers}

    asked, answers = asyncio.run(run())
    assert answers["good"].hits[0].url == "https://bees.example/a"
    assert (answers["good"].total, answers["good"].problem) == (41, "")
    problems = {name: answer.problem for name, answer in answers.items()}
    assert problems["slow"] == problems["dripping"] == "did not answer within 0.5 seconds"
    assert problems["dead"].startswith("cannot be reached")
    assert "larger than 1,000,000 bytes" in problems["huge"]
    assert problems["elsewhere"] == "sent no usable answer: HTTP status 302"
    assert problems["denied"] == "sent no usable answer: HTTP status 401"
    assert all("no usable answer" in problems[kind] for kind in ("html", "empty", "bomb"))
    assert problems["script"] == "1 result of it could not be used"
    assert [page.hit.url for page in merge([*answers.values()])] == ["https://bees.example/a"]
    assert ("good", {"q": "queen & <rearing>", "most": "20"}, None) in asked
    assert len(asked) == 10  # nobody was led elsewhere


def test_a_token_goes_to_its_portal_alone():
    async def run():
        async with portals() as made:
            await Asker().ask("x", [], [portal(made.base, "good", "hg-secret"), portal(made.base, "denied")])
            return {kind: authorization for kind, _, authorization in made.asked}

    assert asyncio.run(run()) == {"good": "Bearer hg-secret", "denied": None}


def test_who_did_not_answer_is_left_alone_for_a_while():
    async def run():
        async with portals() as made:
            asker = Asker(seconds=0.2)
            asked = [portal(made.base, "slow"), portal(made.base, "good")]
            first = await asker.ask("x", [], asked)
            second = await asker.ask("x", [], asked)
            return [kind for kind, *_ in made.asked], first, second

    asked, first, second = asyncio.run(run())
    assert sorted(asked) == ["good", "good", "slow"]
    assert first[0].problem == "did not answer within 0.2 seconds"
    assert second[0].problem.endswith("not asked again for 30 seconds")
    assert second[1].hits


def test_our_own_collections_are_asked_beside():
    def fails():
        raise StoreError("no index yet")

    async def run():
        found = Results("x", (HIT,), 1)
        asked = [Collection("a", "/c/a", lambda: found), Collection("b", "/c/b", fails)]
        return await Asker().ask("x y", asked, [])

    good, bad = asyncio.run(run())
    assert (good.hits, good.page, good.is_ours) == ((HIT,), "/c/a/search?q=x%20y", True)
    assert (bad.hits, bad.problem) == ((), "no index yet")


@pytest.mark.parametrize("error", [RuntimeError("a fault in an index"), MemoryError()])
def test_a_fault_in_one_collection_is_told_of_that_collection(error):
    def fails():
        raise error

    async def run():
        return await Asker().ask("x", [Collection("a", "/c/a", fails)], [])

    assert asyncio.run(run())[0].problem
