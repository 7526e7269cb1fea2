"""Metrics for Prometheus on a loopback port, when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from honeyguide.errors import SettingsError

if TYPE_CHECKING:
    from aiohttp import web

HELP: Mapping[str, str] = {
    "pages": "Pages fetched and judged",
    "relevant": "Of these, relevant ones",
    "failures": "Fetches that failed",
    "queued": "Urls waiting",
    "known": "Urls known",
    "under_way": "Requests under way",
    "harvest_last_50": "Share of relevant pages over the last 50",
    "harvest_last_500": "Share of relevant pages over the last 500",
    "harvest_all": "Share of relevant pages",
    "seconds": "Seconds since the start of this run",
}
COUNTERS = frozenset({"pages", "relevant", "failures"})


def render(numbers: Mapping[str, float]) -> str:
    """The text format of Prometheus."""
    lines = []
    for name, meaning in HELP.items():
        full = f"honeyguide_{name}_total" if name in COUNTERS else f"honeyguide_{name}"
        kind = "counter" if name in COUNTERS else "gauge"
        lines += [f"# HELP {full} {meaning}", f"# TYPE {full} {kind}", f"{full} {numbers[name]:g}"]
    return "\n".join(lines) + "\n"


async def serve_metrics(port: int, numbers: Callable[[], Mapping[str, float]]) -> web.AppRunner:
    """Answer `GET /metrics` on 127.0.0.1; `cleanup` of the returned runner ends it."""
    from aiohttp import web  # slow to import, and few want metrics

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=render(numbers()), content_type="text/plain", charset="utf-8")

    application = web.Application()
    application.router.add_get("/metrics", answer)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", port).start()
    except OSError as error:
        await runner.cleanup()
        raise SettingsError(f"output.metrics_port: port {port} cannot be used: {error.strerror}") from error
    return runner
