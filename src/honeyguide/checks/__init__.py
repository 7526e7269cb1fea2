"""Conformance checks for strategies, topics, stores and readers, of others too. Each raises AssertionError."""

from honeyguide.checks.reader import check_reader
from honeyguide.checks.store import check_store
from honeyguide.checks.strategy import check_strategy
from honeyguide.checks.topic_model import check_topic_model

__all__ = ["check_reader", "check_store", "check_strategy", "check_topic_model"]
