"""The conformance cases of heuer/cxtm: canonical forms byte for byte; invalid files are refused."""

import pytest

from honeyguide.errors import ImportFailed
from honeyguide.topics.ontology.reading import read_topic_map
from tests.topics.ontology.cxtm import Canonical

SUITES = ("xtm1", "xtm2", "xtm21")


@pytest.mark.parametrize("suite", SUITES)
def test_every_map_has_the_expected_canonical_form(shared, suite):
    folder = shared / "fixtures/topicmaps/cxtm" / suite
    wrong = []
    cases = sorted((folder / "baseline").glob("*.cxtm"))
    for expected in cases:
        source = folder / "in" / expected.name.removesuffix(".cxtm")
        try:
            text = Canonical(read_topic_map(source), source.name).text()
        except ImportFailed as error:
            text = str(error)
        if text.strip() != expected.read_text(encoding="utf-8").strip():
            wrong.append(source.name)
    assert len(cases) > 20
    assert wrong == []


@pytest.mark.parametrize("suite", SUITES)
def test_every_invalid_map_is_refused_with_its_name(shared, suite):
    for source in sorted((shared / "fixtures/topicmaps/cxtm" / suite / "invalid").iterdir()):
        with pytest.raises(ImportFailed, match=source.name):
            read_topic_map(source)
