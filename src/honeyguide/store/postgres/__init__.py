"""A crawl in a PostgreSQL database: the same tables as in SQLite, in a schema of its own."""
