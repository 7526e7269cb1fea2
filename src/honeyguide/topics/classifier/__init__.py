"""The classifier topic: learns what is on the topic from examples that are and examples that are not."""

from honeyguide.topics.classifier.topic import ClassifierTopic
from honeyguide.topics.classifier.training import Trained, TrainingReport, train_classifier

__all__ = ["ClassifierTopic", "Trained", "TrainingReport", "train_classifier"]
