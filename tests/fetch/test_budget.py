"""Large pages share a bounded room; small ones, and time, do not suffer from those that wait for it."""

import asyncio
import gzip
import random
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import aiohttp.client_proto
import aiohttp.http_parser
import pytest

from honeyguide.errors import FetchError, FetchTimeout, NotText, TooLarge
from honeyguide.fetch import budget
from honeyguide.fetch.budget import SMALL_BYTES, BytesInFlight
from honeyguide.fetch.http import HttpClient

from .raw_server import Answer, client, page, plays, raw_server

LIMIT_BYTES = 10_000_000
LARGE = b"<p>" * 3_300_000
BIG = page(gzip.compress(LARGE, 9), "Content-Encoding: gzip")
BIG_WHEN_PACKED = page(gzip.compress(random.Random(1).randbytes(len(LARGE)), 0), "Content-Encoding: gzip")


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60.0):
            await test()

    asyncio.run(bounded())


@pytest.fixture
def small_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_BYTES", 1)  # so that it is four times the largest page


@asynccontextmanager
async def hosts(count: int, answer: Answer) -> AsyncIterator[list[str]]:
    async with AsyncExitStack() as stack:
        yield [f"http://{await stack.enter_async_context(raw_server(answer))}/" for _ in range(count)]


def in_flight(asking: HttpClient) -> BytesInFlight:
    return asking._in_flight


def sends(raw: bytes) -> Answer:
    """Send bytes as they are taken: a server that holds them for everybody would use more memory than the client."""

    async def answer(request: bytes, writer: asyncio.StreamWriter) -> None:
        for start in range(0, len(raw), 1 << 16):
            writer.write(raw[start : start + (1 << 16)])
            await writer.drain()

    return answer


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("parser", ["HttpResponseParser", "HttpResponseParserPy"])
@pytest.mark.parametrize(
    ("raw", "count"), [(BIG, 60), (BIG_WHEN_PACKED, 10)], ids=["packed small", "packed large"]
)
def test_many_large_pages_come_in_bounded_memory_and_delay_no_small_ones(
    small_room: None, monkeypatch: pytest.MonkeyPatch, parser: str, raw: bytes, count: int
) -> None:
    monkeypatch.setattr(aiohttp.client_proto, "HttpResponseParser", getattr(aiohttp.http_parser, parser))

    async def test() -> None:
        async with (
            hosts(count, sends(raw)) as urls,
            raw_server(plays(page(b"<p>" * 10_000), closes=False)) as healthy,
            client(max_body_bytes=LIMIT_BYTES) as asking,
        ):
            room = in_flight(asking)
            unread: asyncio.Queue[int | FetchError] = asyncio.Queue()

            async def get(url: str) -> None:
                try:
                    unread.put_nowait(len((await asking.get(url)).body))
                except FetchError as error:
                    unread.put_nowait(error)

            tracemalloc.start()
            requests = [asyncio.create_task(get(url)) for url in urls]
            await until(lambda: room.waiting == count - budget.LARGE_AT_ONCE)
            for _ in range(20):
                assert len((await asking.get(f"http://{healthy}/")).body) == 30_000
            for _ in urls:
                size = await unread.get()
                assert size == len(LARGE)
                assert room.held <= room.max_bytes
                asking.body_done(size)
            await asyncio.gather(*requests)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            # What waits is in memory with its first part, packed and unpacked; and the server is here as well.
            assert peak < room.max_bytes + count * 5 * SMALL_BYTES + 2 * LIMIT_BYTES
            assert (room.held, room.waiting, asking.waiting) == (0, 0, 0)

    run(test)


@pytest.mark.parametrize("size", [SMALL_BYTES, 3_000_000])
def test_small_pages_and_those_that_say_their_size_take_no_more_than_that(
    small_room: None, size: int
) -> None:
    async def test() -> None:
        async with (
            hosts(12, plays(page(b"x" * size), closes=False)) as urls,
            client(max_body_bytes=LIMIT_BYTES) as asking,
        ):
            replies = await asyncio.gather(*(asking.get(url) for url in urls))
            assert in_flight(asking).held == (12 * size if size > SMALL_BYTES else 0)
            for reply in replies:
                asking.body_done(len(reply.body))
            assert in_flight(asking).held == 0

    run(test)


def test_the_time_that_a_page_waits_for_room_is_not_its_own(small_room: None) -> None:
    async def test() -> None:
        async with (
            hosts(budget.LARGE_AT_ONCE + 1, plays(BIG, closes=False)) as urls,
            client(max_body_bytes=LIMIT_BYTES, read_seconds=3.0, total_seconds=3.0) as asking,
        ):
            requests = [asyncio.create_task(asking.get(url)) for url in urls]
            await until(
                lambda: asking.waiting == 1 and sum(map(asyncio.Task.done, requests)) == len(urls) - 1
            )
            await asyncio.sleep(3.3)
            asking.body_done(len(LARGE))
            assert [len((await request).body) for request in requests] == [len(LARGE)] * len(urls)

    run(test)


async def _stalls(request: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(page(b"x" * 2 * SMALL_BYTES)[: -SMALL_BYTES // 2])
    await writer.drain()


GIVEN_UP: dict[str, tuple[Answer, type[FetchError]]] = {
    "too large": (plays(page(gzip.compress(LARGE * 2), "Content-Encoding: gzip")), TooLarge),
    "damaged": (plays(page(gzip.compress(LARGE)[:-3], "Content-Encoding: gzip")), FetchError),
    "no text": (
        plays(page(gzip.compress(bytes(9_000_000)), "Content-Encoding: gzip", content_type="")),
        NotText,
    ),
    "stalled": (_stalls, FetchTimeout),
}


@pytest.mark.parametrize("reason", list(GIVEN_UP))
def test_a_page_given_up_gives_its_room_back(reason: str) -> None:
    async def test() -> None:
        answer, error = GIVEN_UP[reason]
        patience = {"read_seconds": 0.5} if reason == "stalled" else {}
        async with raw_server(answer) as host, client(max_body_bytes=LIMIT_BYTES, **patience) as asking:
            with pytest.raises(error):
                await asking.get(f"http://{host}/")
            assert in_flight(asking).held == 0

    run(test)


def test_a_robots_txt_holds_no_room_once_it_is_there() -> None:
    async def test() -> None:
        async with (
            raw_server(plays(page(b"x" * 3 * SMALL_BYTES))) as host,
            client(max_body_bytes=LIMIT_BYTES) as asking,
        ):
            reply = await asking.get(f"http://{host}/", max_body_bytes=2 * SMALL_BYTES, cut_body=True)
            assert len(reply.body) == 2 * SMALL_BYTES
            assert in_flight(asking).held == 0

    run(test)


def test_a_host_that_stalls_when_its_turn_has_come_is_given_up_in_time(small_room: None) -> None:
    async def test() -> None:
        async with (
            hosts(budget.LARGE_AT_ONCE, plays(BIG, closes=False)) as urls,
            raw_server(_stalls) as stalling,
            client(max_body_bytes=LIMIT_BYTES, read_seconds=1.5) as asking,
        ):
            await asyncio.gather(*(asking.get(url) for url in urls))
            late = asyncio.create_task(asking.get(f"http://{stalling}/"))
            await until(lambda: asking.waiting == 1)
            await asyncio.sleep(2.0)  # longer than a host may be silent
            assert not late.done()
            asking.body_done(len(LARGE))
            with pytest.raises(FetchTimeout, match="read_seconds"):
                await late

    run(test)


def test_requests_given_up_while_they_wait_leave_nothing_behind(small_room: None) -> None:
    async def test() -> None:
        async with (
            hosts(10, plays(BIG, closes=False)) as urls,
            client(max_body_bytes=LIMIT_BYTES) as asking,
        ):
            requests = [asyncio.create_task(asking.get(url)) for url in urls]
            await until(lambda: asking.waiting == 10 - budget.LARGE_AT_ONCE)
            for request in requests:
                request.cancel()
            done = await asyncio.gather(*requests, return_exceptions=True)
            came = [reply for reply in done if not isinstance(reply, BaseException)]
            assert in_flight(asking).held == sum(len(reply.body) for reply in came)
            assert asking.waiting == 0

    run(test)


class TestRoom:
    def test_it_is_given_out_in_order_of_asking(self) -> None:
        async def test() -> None:
            room = BytesInFlight(1)
            room.max_bytes = 100
            order: list[int] = []

            async def hold(size: int) -> None:
                with room.page() as mine:
                    await mine.take(size)
                    order.append(size)
                    await asyncio.sleep(0)

            await asyncio.gather(*(hold(size) for size in (60, 50, 45, 30, 100, 1)))
            assert order == [60, 50, 45, 30, 100, 1]
            assert room.held == 0

        run(test)

    def test_one_may_always_go_on(self) -> None:
        async def test() -> None:
            room = BytesInFlight(1)
            room.max_bytes = 100
            with room.page() as mine:
                await mine.take(1000)
                assert room.held == 1000

        run(test)

    def test_whoever_is_given_up_lets_those_behind_it_go_on(self) -> None:
        async def test() -> None:
            room = BytesInFlight(1)
            room.max_bytes = 100
            with room.page() as first, room.page() as third:
                await first.take(60)
                waiting = [asyncio.create_task(room.page().take(80)) for _ in range(3)]
                last = asyncio.create_task(third.take(40))
                await asyncio.sleep(0)
                for task in waiting:
                    task.cancel()
                await last
                assert room.held == 100

        run(test)

    def test_a_turn_that_comes_as_its_request_is_given_up_is_passed_on(self) -> None:
        async def test() -> None:
            room = BytesInFlight(1)
            room.max_bytes = 100
            with room.page() as first:
                await first.take(100)
                given_up = asyncio.create_task(room.page().take(100))
                await asyncio.sleep(0)
            given_up.cancel()  # its turn has come, but it has not heard of it
            with suppress(asyncio.CancelledError):
                await given_up
            assert room.held == 0

        run(test)

    def test_more_given_back_than_was_held_does_no_harm(self) -> None:
        room = BytesInFlight(1)
        room.done(10 * SMALL_BYTES)
        assert room.held == 0
