"""A crawl in a SQLite file of its folder."""
