import asyncio
import time
from contextlib import asynccontextmanager, suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide import __version__
from honeyguide.errors import FetchError, HostUnreachable, HttpStatusError, RobotsDenied, SettingsError
from honeyguide.fetch.identity import check_contact, user_agent
from honeyguide.fetch.live import LiveFetcher
from honeyguide.fetch.politeness import Politeness
from honeyguide.settings.sections import PolitenessSettings
from tests.fetch.polite_server import Answer, PlainClient, serving
from tests.fetch.raw_server import client


class Clock:
    """The time of day, which a test may turn forward."""

    def __init__(self) -> None:
        self.offset = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset


@asynccontextmanager
async def fetching(clock: Clock | None = None, **settings):
    """A server and a fetcher for it."""
    async with serving() as server:
        fetcher = live_fetcher(clock, **settings)
        try:
            yield server, fetcher
        finally:
            await fetcher.close()


def live_fetcher(clock: Clock | None = None, **settings) -> LiveFetcher:
    politeness = Politeness(PolitenessSettings(**{"delay_seconds": 0.0, "slowdown": 0.0} | settings))
    return LiveFetcher(PlainClient(), politeness, clock or Clock())


def run(test) -> None:
    async def bounded():
        async with asyncio.timeout(20.0):
            await test()

    asyncio.run(bounded())


def test_robots_txt_is_asked_first_and_once():
    async def test():
        async with fetching() as (server, fetcher):
            server.answers["/robots.txt"] = [Answer(200, b"User-agent: *\nDisallow: /secret")]
            for path in ("/a", "/b"):
                assert (await fetcher.fetch(server.origin + path)).body == b"a page"
            with pytest.raises(RobotsDenied, match="forbids"):
                await fetcher.fetch(server.origin + "/secret/c")
            assert server.paths() == ["/robots.txt", "/a", "/b"]

    run(test)


def test_no_gap_is_shorter_than_the_delay_and_nothing_runs_in_parallel():
    """Even when a caller asks for everything at once."""

    async def test():
        async with fetching(delay_seconds=0.1) as (server, fetcher):
            server.answers["/1"] = [Answer(404)]
            server.answers["/2"] = [Answer(301, b"", {"Location": "/3"}, 0.1)]
            urls = [f"{server.origin}/{n}" for n in range(6)]
            done = await asyncio.gather(*(fetcher.fetch(url) for url in urls), return_exceptions=True)
            assert isinstance(done[1], HttpStatusError)
            assert done[2].redirect == "/3"
            assert server.paths()[0] == "/robots.txt"
            assert len(server.log) == 7
            assert min(server.gaps()) >= 0.1
            assert server.most_under_way == 1

    run(test)


def test_hosts_of_one_address_are_asked_one_after_the_other_from_the_first_request_on():
    async def test():
        async with fetching(delay_seconds=0.1, one_request_per="address") as (server, fetcher):
            port = server.origin.rpartition(":")[2]
            hosts = ("localhost", "127.0.0.1")
            await asyncio.gather(*(fetcher.fetch(f"http://{host}:{port}/a") for host in hosts))
            assert server.paths().count("/robots.txt") == 2
            assert min(server.gaps()) >= 0.1
            assert server.most_under_way == 1

    run(test)


def test_an_address_that_could_not_be_looked_up_is_looked_up_again():
    async def test():
        async with serving() as server:
            client, found = PlainClient(), ["127.0.0.1", ""]

            async def address_of(host: str) -> str:
                return found.pop() if found else "127.0.0.1"

            client.address_of = address_of
            rests = Politeness(PolitenessSettings(delay_seconds=0.0, one_request_per="address"))
            fetcher = LiveFetcher(client, rests, Clock())
            await fetcher.fetch(server.origin + "/a")
            await fetcher.close()
            assert found == []
            assert rests.group_of(server.origin.removeprefix("http://")) == "127.0.0.1"

    run(test)


def test_the_delay_of_robots_txt_holds_for_the_very_next_request():
    async def test():
        async with fetching() as (server, fetcher):
            server.answers["/robots.txt"] = [Answer(200, b"User-agent: *\nCrawl-delay: 0.2")]
            for path in ("/a", "/b"):
                await fetcher.fetch(server.origin + path)
            assert min(server.gaps()) >= 0.2

    run(test)


def test_a_host_that_slows_down_rests_longer():
    async def test():
        async with fetching(slowdown=2.0) as (server, fetcher):
            server.answers["/slow"] = [Answer(seconds=0.15)]
            await fetcher.fetch(server.origin + "/slow")
            await fetcher.fetch(server.origin + "/next")
            assert server.gaps()[-1] >= 0.3

    run(test)


def test_a_redirected_robots_txt_is_polite_to_the_other_host():
    async def test():
        async with fetching(delay_seconds=0.2) as (server, fetcher), serving("127.0.0.2") as other:
            server.answers["/robots.txt"] = [Answer(301, b"", {"Location": f"{other.origin}/robots.txt"})]
            other.answers["/robots.txt"] = [Answer(200, b"User-agent: *\nDisallow: /a")]
            with suppress(RobotsDenied):
                await fetcher.fetch(f"{other.origin}/a")
            with pytest.raises(RobotsDenied):
                await fetcher.fetch(f"{server.origin}/a")
            assert other.paths() == ["/robots.txt", "/robots.txt"]
            assert min(other.gaps()) >= 0.2

    run(test)


def test_a_robots_txt_at_a_forbidden_address_is_not_asked_for_again_with_every_url():
    async def test():
        async with serving() as server, client(allow_networks=("127.0.0.1/32",)) as asking:
            server.answers["/robots.txt"] = [Answer(301, b"", {"Location": "http://127.0.0.2/robots.txt"})]
            fetcher = LiveFetcher(asking, Politeness(PolitenessSettings(delay_seconds=0.0)), Clock())
            for path in ("/a", "/b", "/c"):
                with pytest.raises(RobotsDenied, match=r"leads to a forbidden address: 127\.0\.0\.2"):
                    await fetcher.fetch(server.origin + path)
            assert server.paths() == ["/robots.txt"]
            assert fetcher.rest_until(server.origin + "/a", time.time()) > time.time() + 50.0

    run(test)


def test_a_robots_txt_behind_a_password_is_asked_for_without_it():
    async def test():
        async with serving() as server, client() as asking:
            target = server.origin.replace("//", "//joe:secret@") + "/real"
            server.answers["/robots.txt"] = [Answer(301, b"", {"Location": target})]
            server.answers["/real"] = [Answer(200, b"User-agent: *\nDisallow: /a")]
            server.answers["/b"] = [Answer(200, b"a page", {"Content-Type": "text/html"})]
            fetcher = LiveFetcher(asking, Politeness(PolitenessSettings(delay_seconds=0.0)), Clock())
            assert (await fetcher.fetch(server.origin + "/b")).body == b"a page"
            with pytest.raises(RobotsDenied, match="forbids"):
                await fetcher.fetch(server.origin + "/a")

    run(test)


def test_requests_that_wait_for_others_of_their_group_count_as_resting():
    async def test():
        async with fetching(delay_seconds=60.0, one_request_per="site") as (server, fetcher):
            tasks = [asyncio.create_task(fetcher.fetch(f"{server.origin}/{n}")) for n in range(4)]
            async with asyncio.timeout(60.0):
                while fetcher.resting < 4:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            assert fetcher.resting == 0

    run(test)


def test_other_hosts_do_not_wait():
    async def test():
        async with fetching(delay_seconds=60.0) as (server, fetcher), serving("127.0.0.2") as other:
            resting = asyncio.create_task(fetcher.fetch(f"{server.origin}/a"))
            beside = asyncio.create_task(fetcher.fetch(f"{other.origin}/a"))
            async with asyncio.timeout(60.0):
                while not (server.paths() and other.paths()):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
            assert server.paths() == other.paths() == ["/robots.txt"]
            for task in (resting, beside):
                task.cancel()

    run(test)


def test_what_robots_txt_failed_to_allow_is_allowed_later():
    async def test():
        clock = Clock()
        async with fetching(clock) as (server, fetcher):
            url = f"{server.origin}/a"
            server.answers["/robots.txt"] = [Answer(500), Answer(404)]
            with pytest.raises(RobotsDenied, match=r"cannot be had.*500") as denied:
                await fetcher.fetch(url)
            assert denied.value.max_retries > 0
            assert fetcher.rest_until(url, clock()) == pytest.approx(clock() + 60.0, abs=1.0)
            with pytest.raises(RobotsDenied):
                await fetcher.fetch(url)
            assert server.paths() == ["/robots.txt"]
            clock.offset += 61.0
            assert (await fetcher.fetch(url)).status == 200
            assert server.paths() == ["/robots.txt", "/robots.txt", "/a"]

    run(test)


def test_an_unreachable_host_is_asked_for_robots_txt_alone():
    async def test():
        async with fetching() as (server, fetcher):
            gone = server.origin.replace("127.0.0.1", "127.0.0.9")
            with pytest.raises(HostUnreachable):
                await fetcher.fetch(f"{gone}/a")
            assert fetcher.rest_until(f"{gone}/a", time.time()) > time.time() + 50.0

    run(test)


def test_a_host_that_wants_to_be_left_alone_is_left_alone():
    async def test():
        clock = Clock()
        async with fetching(clock) as (server, fetcher):
            server.answers["/busy"] = [Answer(429, b"", {"Retry-After": "600"}), Answer()]
            with pytest.raises(HttpStatusError):
                await fetcher.fetch(f"{server.origin}/busy")
            assert fetcher.rest_until(f"{server.origin}/b", clock()) == pytest.approx(clock() + 600, abs=1)
            with pytest.raises(FetchError, match="left alone") as resting:
                await fetcher.fetch(f"{server.origin}/b")
            assert resting.value.max_retries > 0
            clock.offset += 600.0
            await fetcher.fetch(f"{server.origin}/busy")
            assert server.paths() == ["/robots.txt", "/busy", "/busy"]

    run(test)


def test_hosts_that_ask_for_too_long_a_delay_are_skipped_and_say_so():
    async def test():
        async with fetching(max_delay_seconds=10.0) as (server, fetcher):
            server.answers["/robots.txt"] = [Answer(200, b"User-agent: *\nCrawl-delay: 3600")]
            with pytest.raises(RobotsDenied, match=r"3600 seconds.*max_delay_seconds.*longer_delays"):
                await fetcher.fetch(f"{server.origin}/a")
            assert server.paths() == ["/robots.txt"]

    run(test)


def test_rest_and_rules_survive_a_restart():
    async def test():
        async with fetching() as (server, fetcher):
            url = f"{server.origin}/a"
            server.answers["/robots.txt"] = [
                Answer(200, b"User-agent: *\nDisallow: /secret\nCrawl-delay: 0.3")
            ]
            server.answers["/busy"] = [Answer(503)]
            await fetcher.fetch(url)
            records = dict(fetcher.take_host_records())
            assert fetcher.take_host_records() == {}
            restarted = live_fetcher()
            restarted.restore_host_records(records)
            try:
                with pytest.raises(RobotsDenied):
                    await restarted.fetch(f"{server.origin}/secret")
                await restarted.fetch(url)
                assert server.paths() == ["/robots.txt", "/a", "/a"]
                assert min(server.gaps()) >= 0.3
                with pytest.raises(HttpStatusError):
                    await restarted.fetch(f"{server.origin}/busy")
                fetcher.restore_host_records(restarted.take_host_records())
                assert fetcher.rest_until(url, time.time()) > time.time() + 50.0
            finally:
                await restarted.close()

    run(test)


@given(st.dictionaries(st.text(max_size=20) | st.just("http://a.example"), st.text(max_size=50)))
def test_damaged_records_are_ignored(records):
    async def test():
        fetcher = live_fetcher()
        fetcher.restore_host_records(records)
        assert fetcher.rest_until("http://a.example/", 5.0) == 5.0
        await fetcher.close()

    run(test)


def test_a_request_given_up_still_counts():
    async def test():
        async with fetching(delay_seconds=0.0, slowdown=1.0) as (server, fetcher):
            server.answers["/slow"] = [Answer(seconds=60.0)]
            asking = asyncio.create_task(fetcher.fetch(f"{server.origin}/slow"))
            async with asyncio.timeout(60.0):
                while not server.under_way or not server.log:  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
            await asyncio.sleep(0.3)
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)
            now = time.time()
            assert fetcher.rest_until(f"{server.origin}/", now) > now + 0.2

    run(test)


def test_sitemaps():
    async def test():
        async with fetching() as (server, fetcher):
            server.answers["/robots.txt"] = [Answer(200, b"Sitemap: /s.xml\nUser-agent: *\nDisallow: /t.xml")]
            server.answers["/s.xml"] = [Answer(200, b"<urlset/>", {"Content-Type": "application/xml"})]
            assert (await fetcher.fetch(f"{server.origin}/s.xml")).body == b"<urlset/>"
            assert fetcher.take_sitemaps() == [(f"{server.origin}/robots.txt", (f"{server.origin}/s.xml",))]
            assert fetcher.take_sitemaps() == []
            with pytest.raises(RobotsDenied):
                await fetcher.fetch(f"{server.origin}/t.xml")

    run(test)


def test_errors_of_pages_are_passed_on():
    async def test():
        async with fetching() as (server, fetcher):

            async def reset(request):
                request.transport.abort()
                raise ConnectionResetError

            server.answers["/a"] = reset
            with pytest.raises(HostUnreachable):
                await fetcher.fetch(f"{server.origin}/a")
            assert fetcher.rest_until(f"{server.origin}/a", time.time()) > time.time() + 50.0

    run(test)


def test_strangers_are_waited_for_shorter_the_more_of_them_were_silent():
    async def test():
        async with serving() as server:
            client, patience = PlainClient(), []
            get = client.get

            async def noting(url, **options):
                patience.append(options["patience"])
                return await get(url, **options)

            client.get = noting
            client.address_of = lambda host: asyncio.sleep(0, host.partition(":")[0])
            fetcher = LiveFetcher(
                client, Politeness(PolitenessSettings(delay_seconds=0.0, slowdown=0.0)), Clock()
            )
            await fetcher.fetch(f"{server.origin}/a")
            for n in range(2, 60):
                with pytest.raises(HostUnreachable):
                    await fetcher.fetch(f"{server.origin.replace('127.0.0.1', f'127.0.0.{n}')}/a")
            await fetcher.fetch(f"{server.origin}/b")
            await fetcher.close()
            assert patience[:3] == [1.0, 1.0, 1.0]
            assert all(after < before for before, after in pairwise(patience[2:-1]))
            assert 0.25 < patience[-2] < 0.5
            assert patience[-1] == 1.0  # who has answered is waited for as ever
            contacts = fetcher.take_contacts()
            assert contacts[0] == contacts[-1] == (server.origin.removeprefix("http://"), True)
            assert not any(has_answered for _, has_answered in contacts[2:-1])
            assert fetcher.take_contacts() == []

    run(test)


class TestIdentity:
    def test_user_agent(self):
        assert user_agent("https://example.org/bot") == (
            f"Mozilla/5.0 (compatible; honeyguide/{__version__}; +https://example.org/bot)"
        )
        assert user_agent("") == f"Mozilla/5.0 (compatible; honeyguide/{__version__})"

    @given(st.text(max_size=1000))
    def test_no_contact_breaks_the_header(self, contact):
        header = user_agent(contact)
        assert header.isascii()
        assert header.isprintable()
        assert len(header) < 300
        assert header.count("(") == header.count(")") == 1

    @pytest.mark.parametrize(
        "host", ["127.0.0.1", "127.9.0.1:8080", "localhost", "web.localhost:80", "[::1]", "[::1]:8080"]
    )
    def test_this_machine_needs_no_contact(self, host):
        check_contact("", [host])

    @pytest.mark.parametrize(
        "host", ["example.org", "192.168.0.1", "0.0.0.0", "[2001:db8::1]:80", "localhost.x"]
    )
    @pytest.mark.parametrize("contact", ["", " \n", "()"])
    def test_others_do(self, host, contact):
        with pytest.raises(SettingsError, match=r"politeness\.contact"):
            check_contact(contact, ["127.0.0.1", host])
        check_contact("me@example.org", ["127.0.0.1", host])
