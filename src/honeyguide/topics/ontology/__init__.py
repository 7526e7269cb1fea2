"""Ontology topics: topic maps (XTM) and SKOS, OWL and RDFS as descriptions of what pages should be about."""

from honeyguide.topics.ontology.export_skos import write_skos
from honeyguide.topics.ontology.export_xtm import write_xtm
from honeyguide.topics.ontology.footprint import Comparison, Footprint, compare
from honeyguide.topics.ontology.found_pages import FoundPage
from honeyguide.topics.ontology.reading import read_topic_map
from honeyguide.topics.ontology.topic import OntologySettings, OntologyTopic
from honeyguide.topics.ontology.topic_map import TopicMap
from honeyguide.topics.ontology.weights import WeightClasses

__all__ = [
    "Comparison",
    "Footprint",
    "FoundPage",
    "OntologySettings",
    "OntologyTopic",
    "TopicMap",
    "WeightClasses",
    "compare",
    "read_topic_map",
    "write_skos",
    "write_xtm",
]
