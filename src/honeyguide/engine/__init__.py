"""The loop of a crawl: from urls handed out to pages stored."""
