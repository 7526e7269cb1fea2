"""A topic and what was learned since from pages that somebody has labelled."""

from honeyguide.topics.revised.topic import Origin, RevisedTopic
from honeyguide.topics.revised.training import Labelled, Revised, RevisionReport, revise

__all__ = ["Labelled", "Origin", "Revised", "RevisedTopic", "RevisionReport", "revise"]
