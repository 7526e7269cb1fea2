"""A crawl divided among several: which part owns a url, and what the parts tell each other (docs/scale.md)."""
