"""WARC records as bytes, well made or not, for tests."""

TEXT = b"<p>The quick brown fox. " * 40


def record(
    block: bytes, kind: str = "response", media_type: str = "application/http", **fields: str
) -> bytes:
    lines = [b"WARC/1.1", f"WARC-Type: {kind}".encode(), f"Content-Type: {media_type}".encode()]
    lines += [f"{name.replace('_', '-')}: {value}".encode() for name, value in fields.items()]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(block), b"", block, b"", b""])


def http(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode() + body
