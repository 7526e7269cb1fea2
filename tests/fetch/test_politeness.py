from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from honeyguide.errors import FetchTimeout, HostUnreachable, HttpStatusError, NotText
from honeyguide.fetch.politeness import MARGIN_SECONDS, Politeness, parse_date, retry_after_seconds
from honeyguide.model import Response
from honeyguide.settings.sections import PolitenessSettings

HOST = "example.org"
PAGE = Response("http://example.org/", 200, b"")
BUSY = HttpStatusError(503)
NOW = 1_000_000.0


def politeness(**settings) -> Politeness:
    return Politeness(PolitenessSettings(**{"slowdown": 0.0} | settings))


def rest_after(host_rests: Politeness, outcome, now: float = NOW, seconds: float = 0.1) -> float:
    host_rests.note(HOST, now, seconds, outcome)
    return host_rests.rest_until(HOST, now) - now


def test_an_unknown_host_may_be_asked_now():
    assert politeness().rest_until(HOST, NOW) == NOW


def test_the_delay_counts_from_the_end_of_the_answer():
    rests = politeness(delay_seconds=2.0)
    rests.note(HOST, NOW, 10.0, PAGE)
    assert rests.rest_until(HOST, NOW + 0.5) == NOW + 2.0 + MARGIN_SECONDS
    assert rests.rest_until(HOST, NOW + 9.0) == NOW + 9.0
    assert rests.rest_until("other.example", NOW) == NOW


def test_no_delay_means_no_rest_at_all():
    assert rest_after(politeness(delay_seconds=0.0), PAGE) == 0.0


def test_a_slow_host_rests_longer():
    rests = politeness(delay_seconds=1.0, slowdown=2.0)
    assert rest_after(rests, PAGE, seconds=4.0) == pytest.approx(8.0 + MARGIN_SECONDS)
    assert rest_after(rests, PAGE, seconds=0.1) == pytest.approx(1.0 + MARGIN_SECONDS)


@pytest.mark.parametrize(
    ("longer_delays", "asked", "rest", "is_skipped"),
    [
        ("skip", 20.0, 20.0, False),
        ("skip", 31.0, 30.0, True),
        ("shorten", 31.0, 30.0, False),
        ("obey", 31.0, 31.0, False),
        ("obey", 0.2, 1.0, False),
        ("obey", None, 1.0, False),
    ],
)
def test_the_delay_of_robots_txt(longer_delays, asked, rest, is_skipped):
    rests = politeness(delay_seconds=1.0, max_delay_seconds=30.0, longer_delays=longer_delays)
    rests.note_delay(HOST, asked)
    assert rest_after(rests, PAGE) == pytest.approx(rest + MARGIN_SECONDS)
    assert rests.is_skipped(HOST) is is_skipped


def test_a_robots_txt_may_take_its_delay_back():
    rests = politeness(delay_seconds=1.0, max_delay_seconds=30.0)
    rests.note_delay(HOST, 100.0)
    rests.note_delay(HOST, None)
    assert not rests.is_skipped(HOST)
    assert rest_after(rests, PAGE) == pytest.approx(1.0 + MARGIN_SECONDS)


def test_refusals_double_the_rest_up_to_the_longest():
    rests = politeness(max_backoff_seconds=300.0)
    assert [rest_after(rests, BUSY, NOW + 1000.0 * n) for n in range(5)] == [60.0, 120.0, 240.0, 300.0, 300.0]


def test_answers_forgive_step_by_step():
    rests = politeness(delay_seconds=0.0)
    outcomes = [BUSY, BUSY, BUSY, PAGE, PAGE, BUSY, PAGE, PAGE, BUSY]
    waits = [rest_after(rests, outcome, NOW + 10_000.0 * n) for n, outcome in enumerate(outcomes)]
    assert waits == [60.0, 120.0, 240.0, 0.0, 0.0, 120.0, 0.0, 0.0, 60.0]


@pytest.mark.parametrize("silence", [FetchTimeout("slow"), HostUnreachable("gone"), HttpStatusError(429)])
def test_silence_counts_as_a_refusal(silence):
    assert rest_after(politeness(), silence) == 60.0


@pytest.mark.parametrize("answer", [NotText("pdf"), HttpStatusError(404), HttpStatusError(500), PAGE])
def test_other_outcomes_are_answers(answer):
    assert rest_after(politeness(delay_seconds=1.0), answer) == pytest.approx(1.0 + MARGIN_SECONDS)


def test_retry_after_wins_over_the_doubling():
    rests = politeness(delay_seconds=1.0)
    assert rest_after(rests, HttpStatusError(429, {"retry-after": "7"})) == 7.0
    later = HttpStatusError(503, {"retry-after": "Mon, 12 Jan 1970 14:03:20 GMT"})
    assert rest_after(rests, later, NOW + 100.0) == 900.0


def test_retry_after_is_capped_and_heeded_on_redirects_and_other_errors():
    rests = politeness(max_backoff_seconds=500.0)
    assert rest_after(rests, HttpStatusError(503, {"retry-after": "999999"})) == 500.0
    moved = Response("http://example.org/", 301, b"", {"location": "/b", "retry-after": "50"})
    assert rest_after(politeness(), moved) == 50.0
    assert rest_after(politeness(), HttpStatusError(413, {"retry-after": "50"})) == 50.0
    assert rest_after(politeness(), Response("http://example.org/", 200, b"", {"retry-after": "50"})) < 2.0


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("120", 120.0),
        (" 120 ", 120.0),
        ("1.5", 1.5),
        ("0", 0.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("1e999", None),
        ("Mon, 12 Jan 1970 13:46:50 GMT", 10.0),
        ("Monday, 12-Jan-70 13:46:50 GMT", 10.0),
        ("Mon Jan 12 13:46:50 1970", 10.0),
        ("Mon, 12 Jan 1970 13:46:30 GMT", 0.0),
        ("Mon, 12 Jan 99999 13:46:30 GMT", None),
    ],
)
def test_retry_after_is_read(text, seconds):
    assert retry_after_seconds({"retry-after": text}, NOW) == seconds


@given(st.text(max_size=300))
def test_no_retry_after_breaks_anything(text):
    seconds = retry_after_seconds({"retry-after": text}, NOW)
    assert seconds is None or seconds >= 0


@given(st.text(max_size=60))
def test_dates_are_read_or_refused(text):
    with suppress(ValueError):
        assert isinstance(parse_date(text), float)


@pytest.mark.parametrize(
    ("settings", "outcome", "rest"),
    [
        ({}, PAGE, 1.0 + MARGIN_SECONDS),
        ({}, BUSY, 60.0),
        ({"max_backoff_seconds": 20.0}, BUSY, 20.0),
    ],
)
def test_a_clock_set_back_between_two_runs_makes_no_host_rest_longer(settings, outcome, rest):
    before = politeness(delay_seconds=1.0)
    before.note(HOST, NOW + 3600.0, 0.1, outcome)
    after = politeness(delay_seconds=1.0, **settings)
    (record,) = before.take_records().values()
    assert after.restore_record(HOST, record, NOW) == 3600.0
    assert after.rest_until(HOST, NOW) == NOW + rest
    (record,) = after.take_records().values()
    assert after.restore_record(HOST, record, NOW + 1.0) == 0.0


def test_after_a_restart_a_host_rests_its_own_delay_as_it_may_have_been_asked_a_moment_ago():
    before = politeness(delay_seconds=1.0, slowdown=2.0)
    before.note(HOST, NOW, 4.0, PAGE)
    after = politeness(delay_seconds=1.0, slowdown=2.0)
    (record,) = before.take_records().values()
    after.restore_record(HOST, record, NOW + 100.0)
    assert after.rest_until(HOST, NOW + 100.0) == NOW + 108.0 + MARGIN_SECONDS
    after.note_delay(HOST, 20.0)
    assert after.rest_until(HOST, NOW + 100.0) == NOW + 120.0 + MARGIN_SECONDS


def test_rests_survive_a_restart():
    before = politeness(delay_seconds=1.0)
    for n in range(3):
        before.note(HOST, NOW + 1000.0 * n, 0.1, BUSY)
    after = politeness(delay_seconds=1.0)
    for group, record in before.take_records().items():
        after.restore_record(group, record, NOW + 2000.0)
    assert before.take_records() == {}
    assert after.rest_until(HOST, NOW + 2000.0) == before.rest_until(HOST, NOW + 2000.0) == NOW + 2240.0
    assert rest_after(after, BUSY, NOW + 5000.0) == 480.0


@given(st.text() | st.from_regex(r'\{"ended":[0-9e-]{1,5},"seconds":(1|null|Infinity)\}', fullmatch=True))
def test_damaged_records_are_ignored(record):
    rests = politeness(delay_seconds=1.0)
    rests.restore_record(HOST, record, NOW)
    assert NOW <= rests.rest_until(HOST, NOW) <= NOW + 5000.0


def test_hosts_of_a_site_rest_together_when_asked_for():
    rests = politeness(delay_seconds=5.0, one_request_per="site")
    rests.note("a.example.org", NOW, 0.1, PAGE)
    assert rests.rest_until("b.example.org", NOW) == NOW + 5.0 + MARGIN_SECONDS
    assert rests.rest_until("example.com", NOW) == NOW
    assert rests.group_of("a.example.org") == rests.group_of("b.example.org")


def test_hosts_of_an_address_rest_together():
    rests = politeness(delay_seconds=5.0, one_request_per="address")
    for host in ("a.example", "b.example"):
        assert rests.needs_address(host)
        rests.note_address(host, "192.0.2.1")
        assert not rests.needs_address(host)
    rests.note("a.example", NOW + 100.0, 0.1, PAGE)
    assert rests.rest_until("b.example", NOW + 100.0) == NOW + 105.0 + MARGIN_SECONDS
    assert rests.rest_until("c.example", NOW + 100.0) == NOW + 100.0


def test_hosts_that_have_rested_are_forgotten(monkeypatch):
    monkeypatch.setattr("honeyguide.fetch.politeness._HOSTS_BEFORE_FORGETTING", 100)
    rests = politeness(delay_seconds=1.0)
    rests.note("busy.example", NOW, 0.1, BUSY)
    for n in range(1000):
        rests.note(f"{n}.example", NOW + n, 0.1, PAGE)
    assert rests.rest_until("999.example", NOW + 999) > NOW + 999
    assert len(rests._rests) < 250
    rests.note("busy.example", NOW + 2000.0, 0.1, BUSY)
    assert rests.rest_until("busy.example", NOW + 2000.0) == NOW + 2120.0
