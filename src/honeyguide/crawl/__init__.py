"""crawl."""
