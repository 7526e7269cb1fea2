"""Full text of what a crawl found: an index that follows the crawl, and questions to it."""
