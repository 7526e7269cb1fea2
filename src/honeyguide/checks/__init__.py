"""Conformance checks for strategies, topic models and stores; for outside packages too. Each raises AssertionError."""

from honeyguide.checks.store import check_store
from honeyguide.checks.strategy import check_strategy
from honeyguide.checks.topic_model import check_topic_model

__all__ = ["check_store", "check_strategy", "check_topic_model"]
