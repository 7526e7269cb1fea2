"""What a failed exchange means for the crawl: every error of aiohttp as one of ours. Used by the HTTP client."""

from __future__ import annotations

from aiohttp import (
    ClientConnectorCertificateError,
    ClientError,
    ClientPayloadError,
    ClientResponseError,
    ConnectionTimeoutError,
    InvalidURL,
    ServerDisconnectedError,
    SocketTimeoutError,
)
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

from honeyguide.errors import FetchError, FetchTimeout, HostUnreachable, TooLarge

_MESSAGE_LENGTH = 300


def fetch_error(error: Exception, total_seconds: float) -> FetchError:
    """The error to raise in place of one that an exchange ended with."""
    text = _readable(error)
    if isinstance(error, TimeoutError):
        return FetchTimeout(_timeout_message(error, total_seconds))
    if isinstance(error, ClientConnectorCertificateError):
        return HostUnreachable(f"the host's certificate is not valid: {_readable(error.certificate_error)}")
    if isinstance(error, ClientResponseError | HttpProcessingError):
        if _has_long_headers(error):
            return TooLarge(f"the headers are too long: {text}")
        return FetchError(f"the answer is not proper HTTP: {text}")
    if isinstance(error, InvalidURL):
        return FetchError(f"the url cannot be asked: {text}")
    if isinstance(error, ServerDisconnectedError | ClientPayloadError):
        return HostUnreachable("the connection ended before the answer did")
    if isinstance(error, ClientError | OSError):
        return HostUnreachable(text)
    return FetchError(f"the page could not be had: {type(error).__name__} {text}")


def _timeout_message(error: TimeoutError, total_seconds: float) -> str:
    if isinstance(error, ConnectionTimeoutError):
        return "no connection within fetch.connect_seconds"
    if isinstance(error, SocketTimeoutError):
        return "no further bytes within fetch.read_seconds"
    return f"the page did not come within {total_seconds:g} seconds"


def _has_long_headers(error: BaseException) -> bool:
    """Whether the parser gave up because of a limit; aiohttp wraps its reason twice."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, LineTooLong):
            return True
        cause = cause.__cause__
    return "Too many headers" in str(error)


def _readable(error: BaseException) -> str:
    """The message in one printable line: what a host sent may be part of it."""
    # With its status and url, an aiohttp error would read as if the host had answered "400".
    text = error.message if isinstance(error, ClientResponseError) else str(error)
    words = (text[:_MESSAGE_LENGTH] or type(error).__name__).split()
    return "".join(sign for sign in " ".join(words) if sign.isprintable())
