"""A real server on loopback that answers as told and logs what it was asked, and a plain client for it."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

import aiohttp
from aiohttp import web

from honeyguide.errors import FetchTimeout, HostUnreachable, HttpStatusError, TooLarge
from honeyguide.fetch.base import NEVER_SEEN
from honeyguide.model import Response


class Asked(NamedTuple):
    started: float
    ended: float
    path: str


class Answer(NamedTuple):
    status: int = 200
    body: bytes = b"a page"
    headers: Mapping[str, str] = {}
    seconds: float = 0.0


class PoliteServer:
    """Answers each path with the next of its answers, the last one for ever; other paths with a page."""

    def __init__(self) -> None:
        self.log: list[Asked] = []
        self.answers: dict[
            str, list[Answer] | Callable[[web.BaseRequest], Awaitable[web.StreamResponse]]
        ] = {}
        self.under_way = 0
        self.most_under_way = 0
        self.origin = ""

    def paths(self) -> list[str]:
        return [asked.path for asked in self.log]

    def gaps(self) -> list[float]:
        return [after.started - before.ended for before, after in zip(self.log, self.log[1:], strict=False)]

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        started = time.monotonic()
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            answers = self.answers.get(request.raw_path, [Answer()])
            if not isinstance(answers, list):
                return await answers(request)
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            await asyncio.sleep(answer.seconds)
            response = web.Response(status=answer.status, body=answer.body, headers=answer.headers)
            await response.prepare(request)
            await response.write_eof()
            return response
        finally:
            self.under_way -= 1
            self.log.append(Asked(started, time.monotonic(), request.raw_path))


@asynccontextmanager
async def serving(address: str = "127.0.0.1") -> AsyncIterator[PoliteServer]:
    server = PoliteServer()
    runner = web.ServerRunner(web.Server(server.answer), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, address, 0).start()
    server.origin = f"http://{address}:{runner.addresses[0][1]}"
    try:
        yield server
    finally:
        await runner.cleanup()


class PlainClient:
    """What `HttpClient` promises, in few lines."""

    def __init__(self, seconds: float = 60.0) -> None:
        self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds))

    async def get(
        self, url, *, validators=NEVER_SEEN, any_type=False, max_body_bytes=None, cut_body=False, patience=1.0
    ) -> Response:
        try:
            async with self._session.get(url, allow_redirects=False) as reply:
                headers = {name.lower(): value for name, value in reply.headers.items()}
                if reply.status >= 400:
                    raise HttpStatusError(reply.status, headers)
                body = await self._read(reply, max_body_bytes or 1 << 20, cut_body)
                return Response(url, reply.status, body, headers)
        except TimeoutError as error:
            raise FetchTimeout(str(error)) from error
        except (aiohttp.ClientError, OSError) as error:
            raise HostUnreachable(str(error)) from error

    async def _read(self, reply: aiohttp.ClientResponse, limit: int, cut_body: bool) -> bytes:
        body = b""
        while block := await reply.content.readany():
            body += block
            if len(body) > limit:
                reply.close()
                if not cut_body:
                    raise TooLarge(f"more than {limit} bytes")
                return body[:limit]
        return body

    waiting = 0

    def body_done(self, size: int) -> None:
        pass

    async def address_of(self, host: str) -> str:
        return "127.0.0.1"

    async def close(self) -> None:
        await self._session.close()
