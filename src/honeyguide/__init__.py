"""honeyguide: a focused web crawler. Give it a topic and some starting pages; the pages on the topic come first."""

__version__ = "0.1.0"
