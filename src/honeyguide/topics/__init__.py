"""Topic models: what the user wants. Register a new one in `TOPIC_MODELS`."""

from honeyguide.topics.base import TopicModel
from honeyguide.topics.classifier.topic import ClassifierTopic
from honeyguide.topics.combined import CombinedTopic
from honeyguide.topics.cosine import CosineTopic
from honeyguide.topics.keywords import KeywordTopic
from honeyguide.topics.meaning.topic import MeaningTopic
from honeyguide.topics.ontology.topic import OntologyTopic
from honeyguide.topics.revised.topic import RevisedTopic
from honeyguide.topics.taxonomy.topic import TaxonomyTopic

TOPIC_MODELS: tuple[type[TopicModel], ...] = (
    KeywordTopic,
    CosineTopic,
    MeaningTopic,
    ClassifierTopic,
    TaxonomyTopic,
    OntologyTopic,
    CombinedTopic,
    RevisedTopic,
)

__all__ = ["TOPIC_MODELS", "TopicModel"]
