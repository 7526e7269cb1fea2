"""Topic models: what the user wants. One file each; register a new one in `TOPIC_MODELS`."""

from honeyguide.topics.base import TopicModel
from honeyguide.topics.keywords import KeywordTopic

TOPIC_MODELS: tuple[type[TopicModel], ...] = (KeywordTopic,)

__all__ = ["TOPIC_MODELS", "TopicModel"]
