import asyncio
import base64
import gzip
import json
import re
import time
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import AddressForbidden
from honeyguide.fetch.robots import MAX_BYTES, Robots, parse_robots, robots_directives
from tests.conftest import REPOSITORY
from tests.fetch.polite_server import Answer, PlainClient, serving

URL = "http://example.org/robots.txt"
DENY_ALL = b"User-agent: *\nDisallow: /\n"
DAY = 86_400.0
NOW = 1_000_000.0
# An unknown line ends the list of names: not so by RFC 9309, 2.2.4, nor in `g-020`, which protego disputes alone.
AGAINST_THE_RFC = {"p-240", "p-241", "p-242", "r-007"}
LINES = (
    *(
        "User-agent: *",
        "User-agent: honeyguide",
        "User agent h",
        "Disallow: /a*b$",
        "Disallow /",
        "Disallow:",
    ),
    *("Allow: /%zz", "Crawl-delay: 1e5", "Request-rate: 1/1d", "Sitemap: x", "junk", "a: b"),
)


def rules_of(body: bytes, agent: str = "honeyguide"):
    return parse_robots(body, URL, NOW + DAY, agent)


def allows(body: bytes, path: str, agent: str = "honeyguide") -> bool:
    return rules_of(body, agent).allows(f"http://example.org{path}")


class TestConformance:
    """The cases of Google, crawler-commons, protego and reppy."""

    def test_every_verdict_that_is_not_disputed(self, shared):
        wrong = [case["id"] for case in _cases(shared) if not _is_disputed(case) and not _is_met(case)]
        assert wrong == []

    def test_the_disputed_are_listed_with_our_answers(self, shared):
        listed = dict(re.findall(r"^\| `([\w-]+)` \|.*\| (\w+) \|$", _docs(), re.MULTILINE))
        disputed = [case for case in _cases(shared) if _is_disputed(case)]
        answers = {case["id"]: "allow" if case["allowed"] is _is_met(case) else "deny" for case in disputed}
        assert listed == answers

    def test_delays_and_sitemaps(self, shared):
        for case in json.loads((shared / "fixtures/robots/robots_properties.json").read_text("utf-8")):
            rules = _rules(case)
            facts = {
                "crawl_delay_seconds": rules.delay_seconds,
                "request_rate": rules.delay_seconds,
                "request_rate.seconds": rules.delay_seconds,
                "number_of_sitemaps": len(rules.sitemaps),
                "has_sitemaps": bool(rules.sitemaps),
                "sitemaps": list(rules.sitemaps),
                "sitemap[0]": rules.sitemaps[0] if rules.sitemaps else None,
            }
            if case["property"] in facts:
                assert facts[case["property"]] == case["expected"], case["id"]

    def test_real_files_are_read(self, shared):
        """None fails, and what concerns us is found faster than a host could answer."""
        started, count = time.process_time(), 0
        with gzip.open(shared / "fixtures/robots/realworld_robots.jsonl.gz") as lines:
            for line in lines:
                rules_of(_body(json.loads(line), "body")).allows("http://example.org/a/b?c")
                count += 1
        assert count == 2514
        assert (time.process_time() - started) / count < 0.02


def _cases(shared):
    return json.loads((shared / "fixtures/robots/robots_cases.json").read_text("utf-8"))


def _is_disputed(case) -> bool:
    return "disputed_by" in case or case["id"] in AGAINST_THE_RFC


def _body(case, name="robots_txt") -> bytes:
    return case[name].encode() if name in case else base64.b64decode(case[f"{name}_base64"])


def _rules(case):
    agent = case["user_agent"]
    if not isinstance(agent, str):
        agent = agent[0] if agent else "anybot"
    return rules_of(_body(case), agent)


def _is_met(case) -> bool:
    return _rules(case).allows(case["url"]) is case["allowed"]


def _docs() -> str:
    return (REPOSITORY / "docs" / "robots.md").read_text("utf-8")


class TestReading:
    @pytest.mark.parametrize(
        "agents",
        [
            "User-agent: honeyguide",
            "user-agent: HoneyGuide/1.0",
            "User-agent honeyguide bot",
            "User-agent: otherbot, honeyguide",
            "User-agent: *\nAllow: /\nUser-agent: honeyguide",
            "User-agent: honeyguide\nCrawl-delay: 2\nUser-agent: otherbot",
            "User-agent: honeyguide\nSitemap: http://example.org/s.xml\nUser-agent: otherbot",
            "User-agent: honeyguide\nClean-param: ref /a\nUser-agent: otherbot",
            "User-agent: honeyguide\nNoindex: /b\nnothing: at all\nUser-agent: otherbot\njunk",
            "User-agent: honeyguide\nAllow: /b\nUser-agent: otherbot\nAllow: /\nUser-agent: honeyguide",
        ],
    )
    def test_a_group_for_us_by_any_spelling(self, agents):
        assert not allows(f"{agents}\nDisallow: /a\n".encode(), "/a")

    @pytest.mark.parametrize("rule", ["Allow: /b", "Disallow:", "dissalow /b", "Disallaw : /b"])
    def test_a_rule_ends_the_list_of_names(self, rule):
        assert allows(f"User-agent: honeyguide\n{rule}\nUser-agent: otherbot\nDisallow: /a\n".encode(), "/a")

    @pytest.mark.parametrize("agent", ["otherbot", "honeyguide-images", "myhoneyguide", "hone yguide", ""])
    def test_a_group_for_others_is_not_for_us(self, agent):
        assert allows(f"User-agent: {agent}\nDisallow: /\n".encode(), "/a")

    def test_a_group_for_us_replaces_that_for_all(self):
        body = b"User-agent: *\nDisallow: /a\nCrawl-delay: 9\n\nUser-agent: honeyguide\nDisallow: /b\n"
        assert allows(body, "/a")
        assert not allows(body, "/b")
        assert rules_of(body).delay_seconds is None

    @pytest.mark.parametrize(
        "body",
        [
            b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a\r\n",
            b"User-agent: *\rDisallow: /a\r",
            b"User-\0agent: *\nDis\0allow: /a\0\n",
            "User-agent: *\nDisallow: /a\n".encode("utf-16"),
            b"\xff\xfe\x80garbage\xc3\n\nUser-agent: *\nDisallow: /a # because\n",
            b"<html>\nUser-agent: *\n<br>\nDisallow: /a\n</html>",
        ],
        ids=["bom", "cr", "nul", "utf-16", "junk", "html"],
    )
    def test_odd_bytes(self, body):
        assert not allows(body, "/a")
        assert allows(body, "/b")

    def test_only_real_line_breaks_end_a_line(self):
        assert allows("User-agent: *\nComment: x\u2028Disallow: /\n".encode(), "/a")

    def test_the_longer_of_both_delays(self):
        assert rules_of(b"User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/10s\n").delay_seconds == 10.0
        assert rules_of(b"User-agent: *\nCrawl-delay: 2\nRequest-rate: 2/1\n").delay_seconds == 2.0
        assert rules_of(b"User-agent: *\nCrawl-delay: -1\nRequest-rate: 0/0\n").delay_seconds is None
        endless = rules_of(b"User-agent: *\nRequest-rate: 1/" + b"9" * 4000 + b"\nCrawl-delay: 1e300")
        assert endless.delay_seconds == 1e9

    @pytest.mark.parametrize(
        ("lines", "seconds"),
        [
            ("User-agent: *\nCrawl-delay: 8\nUser-agent: Googlebot\nCrawl-delay: 1", 8.0),
            ("User-agent: *\nRequest-rate: 1/8s\n\nUser-agent: Googlebot\nRequest-rate: 1/1s", 8.0),
            ("User-agent: *\nCrawl-delay: 8\nCrawl-delay: 1", 8.0),
            ("User-agent: *\nRequest-rate: 1/2m 0600-0845\nRequest-rate: 1/1", 120.0),
            (
                "User-agent: *\nCrawl-delay: 8\nAllow: /\nUser-agent: x\nAllow: /\nUser-agent: *\nCrawl-delay: 1",
                8.0,
            ),
            ("User-agent: *\nCrawl-delay: 1\nAllow: /\n\nUser-agent: Googlebot\nCrawl-delay: 8", 1.0),
            ("User-agent: Googlebot\nCrawl-delay: 8\nUser-agent: *\nDisallow: /a", None),
            (
                "User-agent: *\nCrawl-delay: 2e-1\nCrawl-delay: nan\nCrawl-delay: 1.2.3\nRequest-rate: 0/5",
                0.2,
            ),
        ],
    )
    def test_the_longest_of_all_delays_that_are_for_us(self, lines, seconds):
        assert rules_of(lines.encode()).delay_seconds == seconds

    def test_real_files_with_several_delays(self, shared):
        with gzip.open(shared / "fixtures/robots/realworld_robots.jsonl.gz") as lines:
            files = {case["host"]: case for case in map(json.loads, lines)}
        assert rules_of(_body(files["www.archives.gov"], "body")).delay_seconds == 10.0
        assert rules_of(_body(files["www.monash.edu"], "body")).delay_seconds == 30.0

    def test_sitemaps_are_canonical_and_not_repeated(self):
        body = b"Sitemap: /a.xml\nsitemap: http://Example.org/a.xml\nSitemap: ftp://x/\nSitemap: http://c.example/b"
        assert rules_of(body).sitemaps == ("http://example.org/a.xml", "http://c.example/b")

    def test_the_first_half_megabyte_counts(self):
        padding = b"# filling\n" * (512 * 1024 // 10 - 10)
        assert not allows(padding + DENY_ALL, "/")
        assert allows(padding + b"# filling\n" * 10 + DENY_ALL, "/")

    def test_robots_txt_itself_is_always_allowed(self):
        assert allows(DENY_ALL, "/robots.txt")

    @given(st.binary(max_size=2000), st.text(max_size=100))
    def test_no_bytes_break_it(self, body, path):
        rules = rules_of(body)
        assert rules.allows(f"http://example.org/{path}") in (True, False)
        assert rules.delay_seconds is None or rules.delay_seconds > 0
        assert all(url.startswith("http") for url in rules.sitemaps)

    @given(st.lists(st.sampled_from(LINES), max_size=30))
    def test_what_concerns_us_is_read_the_same_again(self, lines):
        first = rules_of("\n".join(lines).encode())
        again = rules_of(first.text.encode())
        assert (again.text, again.delay_seconds, again.sitemaps) == (
            first.text,
            first.delay_seconds,
            first.sitemaps,
        )

    @pytest.mark.parametrize(
        "line",
        [
            "Disallow: *b*%d\n",
            "User-agent: *\n",
            "Disallow: /%d\n",
            "h %d ",
            "Disallow:/*%d*a*a*a*$\n",
            "a:%d\n",
            "Crawl-delay: %d\n",
        ],
        ids=["stars", "agents", "prefixes", "words", "wildcards", "unknown", "delays"],
    )
    def test_hostile_files_cost_bounded_time(self, line):
        lines = "".join(line % n if "%d" in line else line for n in range(60_000))
        started = time.process_time()
        rules = rules_of(f"User-agent: *\n{lines}"[:MAX_BYTES].encode())
        rules.allows("http://example.org/" + "ab" * 2000)
        assert time.process_time() - started < 5.0


class TestTag:
    @pytest.mark.parametrize(
        ("tag", "directives"),
        [
            ("noindex", {"noindex"}),
            ("NoIndex, NOFOLLOW", {"noindex", "nofollow"}),
            ("none", {"none", "noindex", "nofollow"}),
            ("honeyguide: nofollow", {"nofollow"}),
            ("*: nofollow", {"nofollow"}),
            ("googlebot: noindex, nofollow", set()),
            ("noarchive, googlebot: noindex, honeyguide: nofollow", {"noarchive", "nofollow"}),
            ("unavailable_after: 25 Jun 2010 15:00:00 PST", {"noindex"}),
            ("unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow", {"noindex", "nofollow"}),
            ("unavailable_after: 2010-06-25T15:00:00+00:00", {"noindex"}),
            ("honeyguide: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT", {"noindex"}),
            ("unavailable_after: 25 Jun 2100 15:00:00 GMT", set()),
            ("unavailable_after: some day", set()),
            ("max-snippet: 20, max-image-preview: large", set()),
            ("", set()),
            (",,:,", set()),
        ],
    )
    def test_directives(self, tag, directives):
        assert robots_directives({"x-robots-tag": tag}, 1.7e9) == directives

    def test_no_tag(self):
        assert robots_directives({}, 0.0) == frozenset()

    @given(st.text(max_size=200))
    def test_no_tag_breaks_it(self, tag):
        robots_directives({"x-robots-tag": tag}, 0.0)


@asynccontextmanager
async def asking():
    """A server, and the rules of its robots.txt as they are asked for."""
    client = PlainClient()
    try:
        async with serving() as server:
            yield server, Robots(client.get)
    finally:
        await client.close()


def rules_after(answer: Answer, now: float = NOW):
    async def ask():
        async with asking() as (server, robots):
            server.answers["/robots.txt"] = [answer]
            return await robots.rules(server.origin, now)

    return asyncio.run(ask())


class TestPolicy:
    @pytest.mark.parametrize(
        ("status", "is_final", "is_allowed"),
        [
            (200, True, False),
            *((status, True, True) for status in (204, 300, 401, 403, 404, 410)),
            *((status, False, False) for status in (429, 500, 503, 999)),
        ],
    )
    def test_status(self, status, is_final, is_allowed):
        rules = rules_after(Answer(status, b"" if status == 204 else DENY_ALL))
        assert (rules.is_final, rules.allows("http://example.org/")) == (is_final, is_allowed)

    @pytest.mark.parametrize(
        ("cache_control", "seconds"),
        [
            ("", DAY),
            ("max-age=7200", 7200.0),
            ("public, max-age=99999999", DAY),
            ("max-age=0", 600.0),
            ("no-store", 600.0),
            ("max-age=x", DAY),
        ],
    )
    def test_kept_for_a_day_or_less(self, cache_control, seconds):
        answer = Answer(200, DENY_ALL, {"Cache-Control": cache_control})
        assert rules_after(answer).expires == NOW + seconds

    def test_asked_for_once_by_many_and_again_when_expired(self):
        async def ask():
            async with asking() as (server, robots):
                server.answers["/robots.txt"] = [
                    Answer(200, DENY_ALL, {"Cache-Control": "max-age=1000"}, 0.05)
                ]
                await asyncio.gather(*(robots.rules(server.origin, NOW) for _ in range(20)))
                assert len(server.log) == 1
                await robots.rules(server.origin, NOW + 999.0)
                assert len(server.log) == 1
                await robots.rules(server.origin, NOW + 1000.0)
                assert len(server.log) == 2

        asyncio.run(ask())

    def test_one_asker_giving_up_does_not_hurt_the_others(self):
        async def ask():
            async with asking() as (server, robots):
                server.answers["/robots.txt"] = [Answer(200, DENY_ALL, {}, 0.1)]
                askers = [asyncio.create_task(robots.rules(server.origin, NOW)) for _ in range(3)]
                await asyncio.sleep(0.05)
                askers[0].cancel()
                done = await asyncio.gather(*askers, return_exceptions=True)
                assert isinstance(done[0], asyncio.CancelledError)
                assert [rules.is_final for rules in done[1:]] == [True, True]

        asyncio.run(ask())

    @pytest.mark.parametrize(("redirects", "is_allowed"), [(5, False), (6, True)])
    def test_five_redirects_are_followed(self, redirects, is_allowed):
        async def ask():
            async with asking() as (server, robots):
                for n in range(redirects):
                    path = "/robots.txt" if n == 0 else f"/{n}"
                    server.answers[path] = [Answer(302, DENY_ALL, {"Location": f"/{n + 1}"})]
                server.answers[f"/{redirects}"] = [Answer(200, DENY_ALL)]
                rules = await robots.rules(server.origin, NOW)
                assert len(server.log) == 6
                return rules.allows(f"{server.origin}/a")

        assert asyncio.run(ask()) is is_allowed

    @pytest.mark.parametrize("target", ["/robots.txt", "file:///etc/passwd", "", "http://["])
    def test_redirects_that_lead_nowhere_mean_no_file(self, target):
        rules = rules_after(Answer(301, DENY_ALL, {"Location": target}))
        assert rules.is_final
        assert rules.allows("http://example.org/")

    def test_a_forbidden_address_is_told_as_such_and_for_good(self):
        async def guarded(url, **options):
            raise AddressForbidden(url)

        with pytest.raises(AddressForbidden):
            asyncio.run(Robots(guarded).rules("http://example.org", NOW))

    def test_failures_are_asked_again_later_and_later_until_it_works(self):
        async def ask():
            async with asking() as (server, robots):
                server.answers["/robots.txt"] = [Answer(503)] * 9 + [Answer(200, b"")]
                waits, now = [], NOW
                while not (rules := await robots.rules(server.origin, now)).is_final:
                    assert not rules.allows(f"{server.origin}/a")
                    assert await robots.rules(server.origin, rules.expires - 1.0) is rules
                    waits.append(rules.expires - now)
                    now = rules.expires
                assert waits == [60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 3600.0, 3600.0, 3600.0]
                assert rules.allows(f"{server.origin}/a")
                assert rules.failures == 0
                assert len(server.log) == 10

        asyncio.run(ask())

    def test_an_endless_file_costs_no_more_than_its_first_part(self):
        async def endless(request):
            response = web.StreamResponse()
            await response.prepare(request)
            await response.write(DENY_ALL)
            for _ in range(1000):
                await response.write(b"# for ever\n" * 1000)
            return response

        async def ask():
            async with asking() as (server, robots):
                server.answers["/robots.txt"] = endless
                rules = await robots.rules(server.origin, NOW)
                assert not rules.allows(f"{server.origin}/a")
                assert len(rules.text) < 100

        asyncio.run(ask())

    def test_sitemaps_are_told_once(self):
        async def ask():
            async with asking() as (server, robots):
                server.answers["/robots.txt"] = [Answer(200, b"Sitemap: /s.xml\n")]
                await robots.rules(server.origin, NOW)
                assert robots.take_sitemaps() == [
                    (f"{server.origin}/robots.txt", (f"{server.origin}/s.xml",)),
                ]
                await robots.rules(server.origin, NOW + 1.0)
                assert robots.take_sitemaps() == []

        asyncio.run(ask())


class TestRecords:
    def test_rules_survive_a_restart(self):
        async def ask():
            async with asking() as (server, robots):
                body = b"User-agent: *\nDisallow: /a\nCrawl-delay: 3\nSitemap: http://example.org/s.xml\n"
                server.answers["/robots.txt"] = [Answer(200, body + b"User-agent: x\nDisallow: /\n" * 1000)]
                before = await robots.rules(server.origin, NOW)
                records = robots.take_records()
                assert robots.take_records() == {}
                assert len(records[server.origin]) < 300
                restarted = Robots(PlainClient.get)
                restarted.restore_record(server.origin, records[server.origin], NOW + 1.0)
                assert await restarted.rules(server.origin, NOW + 100.0) == before
                assert restarted.take_records() == {}
                assert len(server.log) == 1

        asyncio.run(ask())

    @settings(max_examples=50)
    @given(st.text(max_size=100) | st.recursive(st.none() | st.floats() | st.text(max_size=5), st.lists))
    def test_damaged_records_are_ignored(self, record):
        robots = Robots(PlainClient.get)
        assert robots.restore_record("http://example.org", json.dumps(record), NOW) is None
        assert robots.restore_record("http://example.org", str(record), NOW) is None
        assert robots.known("http://example.org", NOW) is None

    def test_expired_and_impossible_records_are_asked_for_again(self):
        robots = Robots(PlainClient.get)
        is_set_back = {"expires": NOW + 3660.0, "is_final": False, "failures": 1}
        for wrong in ({"expires": NOW - 1.0}, {"expires": NOW + 10 * DAY}, is_set_back):
            record = {"url": "http://a.example/robots.txt", "text": "", **wrong}
            robots.restore_record("http://a.example", json.dumps(record), NOW)
            assert robots.known("http://a.example", NOW) is None

    def test_what_is_kept_is_bounded(self, monkeypatch):
        monkeypatch.setattr("honeyguide.fetch.robots._KEPT_CHARS", 10_000)
        robots = Robots(PlainClient.get)
        record = json.dumps({"url": "u", "text": "x" * 500, "expires": NOW + 100.0})
        for n in range(100):
            robots.restore_record(f"http://{n}.example", record, NOW)
        known = [n for n in range(100) if robots.known(f"http://{n}.example", NOW)]
        assert known == list(range(90, 100))
