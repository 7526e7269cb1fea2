"""Taxonomy topic: a tree of topics with examples, some of them marked good."""

from honeyguide.topics.taxonomy.taxonomy import Taxonomy, Training
from honeyguide.topics.taxonomy.topic import TaxonomyTopic
from honeyguide.topics.taxonomy.tree import TopicTree

__all__ = ["Taxonomy", "TaxonomyTopic", "TopicTree", "Training"]
