"""Who is let in, and with what."""

import socket
import stat

import pytest

from honeyguide.serve.guard import MAX_BODY_BYTES
from honeyguide.serve.security import COOKIE, LOGINS, Keys, Links, Role, Sessions
from tests.serve.conftest import serving

JSON = {"Content-Type": "application/json"}


def test_without_a_token_nothing_is_told(reading):
    with reading.nobody() as client:
        for path in ("/crawls", "/crawls/bees", "/crawls/bees/search", "/topics", "/jobs", "/reference"):
            answer = client.get(path)
            assert answer.status_code == 401, path
            assert answer.headers["content-type"] == "application/problem+json"
            assert "bees" not in answer.text
        assert client.get("/session").json()["role"] == "nobody"
    with reading.client(token="hg-operator-guessed") as client:
        assert client.get("/crawls").status_code == 401


def test_a_reader_searches_and_does_nothing_else(reading):
    with reading.client(reading.reader_token) as client:
        assert client.get("/crawls/bees/search").status_code == 200
        for path in ("/crawls", "/crawls/bees", "/crawls/bees/visits", "/jobs", "/settings"):
            assert client.get(path).status_code == 403, path
        assert client.post("/crawls/bees/run").status_code == 403


def test_where_the_operator_says_so_anybody_searches_but_nothing_else(crawled, tmp_path):
    with serving(crawled, public=True) as served, served.nobody() as client:
        assert client.get("/crawls/bees/search").status_code == 200
        assert client.get("/crawls").status_code == 403
    with serving(crawled, portal_only=True) as served, served.client() as client:
        assert client.get("/crawls/bees/search").status_code == 200
        for path in ("/crawls", "/crawls/bees", "/jobs", "/openapi.json", "/reference"):
            assert client.get(path).status_code == 404, path  # not even for the operator


def test_a_token_is_kept_as_a_hash_where_nobody_else_reads(reading):
    kept = reading.workspace.private / "tokens.json"
    assert reading.token not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(reading.workspace.private.stat().st_mode) == 0o700
    assert Keys(reading.workspace.private).role(reading.token) is Role.OPERATOR
    assert Keys(reading.workspace.private).role(reading.reader_token) is Role.READER


def test_a_token_that_is_made_while_the_server_runs_is_known_at_once(reading):
    later = Keys(reading.workspace.private).make(Role.OPERATOR)
    with reading.client(later) as client:
        assert client.get("/crawls").status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil.example", "[::"]
)
def test_a_name_that_somebody_points_here_is_not_answered(reading, host):
    with reading.client(Host=host) as client:
        assert client.get("/crawls").status_code in (400, 421)


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "LOCALHOST"])
def test_its_own_names_are_answered(reading, host):
    with reading.client(Host=host) as client:
        assert client.get("/crawls").status_code == 200


def test_a_session_is_a_cookie_that_no_script_and_no_other_site_can_use(served):
    with served.nobody() as client:
        answer = client.post("/session", json={"token": served.token})
        assert answer.json()["role"] == "operator"
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        own = {"Origin": served.url}
        assert client.get("/crawls").status_code == 200
        assert client.post("/crawls/bees/learn", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        assert client.post("/crawls/bees/learn", headers={"Sec-Fetch-Site": "same-site"}).status_code == 403
        assert client.get("/crawls", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
        for origin in ("http://evil.example", "null", f"{served.url}.evil.example", "http://127.0.0.1:1"):
            answer = client.post("/crawls/bees/labels", json={}, headers={"Origin": origin})
            assert answer.status_code == 403, origin
        assert client.post("/crawls/bees/labels", json={}).status_code == 403, "nobody says whose page it is"
        assert client.post("/crawls/bees/labels", json={}, headers=own).status_code == 422, "let in"
        assert client.delete("/session", headers=own).status_code == 204
        client.cookies.set(COOKIE, answer.cookies.get(COOKIE, "gone"))
        assert client.get("/crawls").status_code == 401


def test_a_session_outlives_the_server_but_not_its_end(tmp_path):
    cookie = Sessions(tmp_path).begin(Role.OPERATOR)
    again = Sessions(tmp_path)
    assert again.role(cookie) is Role.OPERATOR
    again.end(cookie)
    assert Sessions(tmp_path).role(cookie) is Role.NOBODY


def test_whoever_guesses_tokens_must_wait(served):
    with served.nobody() as client:
        tried = [client.post("/session", json={"token": "x"}).status_code for _ in range(LOGINS + 1)]
        assert tried == [401] * LOGINS + [429]
        late = client.post("/session", json={"token": served.token})
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_forms_of_other_pages_are_not_read(reading, kind):
    with reading.client(**{"Content-Type": kind}) as client:
        assert client.post("/check/crawl", content=b'{"name": "a"}').status_code == 415


def test_what_is_too_large_is_turned_away(reading):
    with reading.client() as client:
        assert (
            client.post("/check/crawl", content=b"[" * (MAX_BODY_BYTES + 1), headers=JSON).status_code == 413
        )
        assert client.get("/crawls/bees/search", params={"q": "x" * 20_000}).status_code == 413
        assert client.get("/crawls/bees/visits", params={"most": 10**6}).status_code == 422
        assert client.post("/check/crawl", content=b"[" * 100_000, headers=JSON).status_code == 400


def test_half_a_character_is_refused(reading):
    with reading.client() as client:
        for body in (
            b'{"name": "a", "topic": "\\ud800"}',
            b'{"name": "a", "settings": {"topic.text": "\\ud800"}}',
        ):
            answer = client.post("/check/crawl", content=body, headers=JSON)
            assert answer.status_code in (200, 422)
            assert b"\\ud800" not in answer.content


def test_every_answer_forbids_what_it_does_not_need(reading):
    with reading.client() as client:
        answers = [client.get(path) for path in ("/crawls", "/nothing", "/reference", "/crawls/bees/dots")]
        answers.append(client.get("/crawls", headers={"Host": "evil.example"}))
    for answer in answers:
        rules = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
        assert rules["require-trusted-types-for"] == "'script'"
        assert rules["frame-ancestors"] == rules["base-uri"] == "'none'"
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_the_reference_is_plain_html_of_its_own(reading):
    with reading.client() as client:
        page = client.get("/reference").text
        assert client.get("/reference.css").headers["content-type"].startswith("text/css")
    assert "POST /api/v1/crawls" in page
    assert "<script" not in page
    assert " style=" not in page
    assert "//" not in page.split("<body>")[0].replace("<!DOCTYPE", "")


def test_a_signed_link_is_good_for_one_thing(monkeypatch):
    links = Links()
    mark = links.sign("bees 3")
    assert links.is_signed("bees 3", mark)
    assert not links.is_signed("bees 4", mark)
    assert not Links().is_signed("bees 3", mark)
    for bad in ("", ".", "9" * 30, "x.y", f"{2**40}.{mark.partition('.')[2]}"):
        assert not links.is_signed("bees 3", bad)
    monkeypatch.setattr("honeyguide.serve.security.time.time", lambda: 4e9)
    assert not links.is_signed("bees 3", mark)


def test_a_request_that_breaks_off_harms_nobody(reading):
    host, port = reading.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as broken:
        broken.sendall(b"POST /api/v1/crawls HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
    with reading.client() as client:
        assert client.get("/crawls").status_code == 200
