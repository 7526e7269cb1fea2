"""Pages of the archive read as the topic judged them."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from honeyguide.engine.prepare import Preparer
from honeyguide.errors import StoreError
from honeyguide.model import Location, Response
from honeyguide.store import open_reader, open_store
from honeyguide.store.archive import PageArchive
from honeyguide.store.archived_page import archived_page, archived_text
from honeyguide.store.warc_records import PageFacts
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.urls import DEFAULT_POLICY

URL = "http://a.example/"
LONG = f"<title>Пчёлы</title><p>{'bee  hive ' * 1500}</p>".encode("koi8-r")
HEADERS = {"content-type": "text/html; charset=koi8-r"}


class Listening(KeywordTopic):
    """Keeps what it was asked to judge."""

    def judge(self, texts):
        self.heard = texts
        return super().judge(texts)


def test_the_text_is_what_was_judged(tmp_path: Path) -> None:
    response, topic = Response(URL, 200, LONG, HEADERS), Listening("bees")
    open_store(tmp_path).close()
    archive = PageArchive(tmp_path / "archive")
    location = archive.append(response, datetime.now(UTC), PageFacts(0.5))
    archive.flush()
    archive.close()
    Preparer(topic, DEFAULT_POLICY, frozenset(), 100, is_live=True).prepare([response])
    with open_reader(tmp_path) as reader:
        assert [archived_text(reader, location)] == topic.heard
        page = archived_page(reader, location)
    assert (page.title, len(page.text.split())) == ("Пчёлы", 2000)


def test_a_page_that_is_not_there_is_told(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    with open_reader(tmp_path) as reader, pytest.raises(StoreError):
        archived_text(reader, Location("pages-00001.warc.gz", 0))
