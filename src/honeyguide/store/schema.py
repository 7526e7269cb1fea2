"""The SQLite schema and its history."""

from __future__ import annotations

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE hosts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, ready_at REAL NOT NULL DEFAULT 0);
    CREATE TABLE urls (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, fingerprint INTEGER NOT NULL,
        host INTEGER NOT NULL, depth INTEGER NOT NULL, via INTEGER NOT NULL
    );
    -- Row n is the n-th page fetched; row 0 does not exist, the root is nobody's visit.
    CREATE TABLE visits (
        n INTEGER PRIMARY KEY, url_id INTEGER NOT NULL, time REAL NOT NULL, status INTEGER NOT NULL,
        relevance REAL NOT NULL, priority REAL, depth INTEGER NOT NULL, bytes INTEGER NOT NULL,
        title TEXT NOT NULL, language TEXT NOT NULL, content_type TEXT NOT NULL, digest TEXT NOT NULL,
        links INTEGER NOT NULL, archive_file TEXT, archive_offset INTEGER
    );
    CREATE INDEX visits_by_url ON visits (url_id);
    -- One row a page, not a link: targets are packed 32-bit ids, anchors a JSON list of the same length.
    CREATE TABLE links (n INTEGER PRIMARY KEY, page INTEGER NOT NULL, targets BLOB NOT NULL, anchors TEXT NOT NULL);
    CREATE INDEX links_by_page ON links (page);
    CREATE TABLE failures (
        n INTEGER PRIMARY KEY, url_id INTEGER NOT NULL, time REAL NOT NULL, error TEXT NOT NULL,
        message TEXT NOT NULL, tries INTEGER NOT NULL, final INTEGER NOT NULL
    );
    CREATE INDEX failures_by_url ON failures (url_id);
    -- The log of column changes: packed ids and numbers; a row without ids is the whole column up to then.
    CREATE TABLE changes (n INTEGER PRIMARY KEY, name TEXT NOT NULL, ids BLOB, numbers BLOB NOT NULL);
    CREATE INDEX changes_by_name ON changes (name);
    CREATE TABLE counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE archive_end (
        "only" INTEGER PRIMARY KEY CHECK ("only" = 1), file TEXT NOT NULL, "offset" INTEGER NOT NULL
    );
    """,
    """
    ALTER TABLE visits ADD COLUMN etag TEXT NOT NULL DEFAULT '';
    ALTER TABLE visits ADD COLUMN last_modified TEXT NOT NULL DEFAULT '';
    ALTER TABLE visits ADD COLUMN seconds REAL NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN copy_of INTEGER;
    ALTER TABLE visits ADD COLUMN signature INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN new_urls INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX visits_by_digest ON visits (digest);
    -- What a fetcher must remember of a host: robots.txt, delays, blocks.
    CREATE TABLE host_records (name TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    -- What a strategy keeps that is no number of a url: whole arrays, by name. The shape is a JSON list.
    CREATE TABLE arrays (name TEXT PRIMARY KEY, dtype TEXT NOT NULL, shape TEXT NOT NULL, numbers BLOB NOT NULL);
    """,
    """
    -- Fruitless requests in a row, and relevant pages given; earlier crawls did not count them, and begin here.
    ALTER TABLE hosts ADD COLUMN barren INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE hosts ADD COLUMN given INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Whether a host answers. What was ready_at follows from the host records, so it is no longer written.
    ALTER TABLE hosts ADD COLUMN trust INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Columns of a strategy's own tables change as those of urls. What the default strategy knew of hosts and folders
    -- had been kept as if of the urls with the same numbers.
    ALTER TABLE changes ADD COLUMN rows_of TEXT NOT NULL DEFAULT 'urls';
    UPDATE changes SET rows_of = 'hosts', name = 'pages' WHERE name = 'host pages';
    UPDATE changes SET rows_of = 'hosts', name = 'good' WHERE name = 'host good';
    UPDATE changes SET rows_of = 'folders', name = 'key' WHERE name = 'folder key';
    UPDATE changes SET rows_of = 'folders', name = 'pages' WHERE name = 'folder pages';
    UPDATE changes SET rows_of = 'folders', name = 'good' WHERE name = 'folder good';
    """,
    """
    ALTER TABLE visits ADD COLUMN noindex INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE failures ADD COLUMN status INTEGER NOT NULL DEFAULT 0;
    -- The best pages first; a copy is never among them.
    CREATE INDEX visits_by_relevance ON visits (relevance DESC, copy_of) WHERE copy_of IS NULL;
    -- Numbers that would take long to count: see totals.py.
    CREATE TABLE totals (name TEXT PRIMARY KEY, number REAL NOT NULL) WITHOUT ROWID;
    -- Commands, and what the crawl answered; a transient one is meant for the process at work only.
    CREATE TABLE inbox (
        n INTEGER PRIMARY KEY, time REAL NOT NULL, command TEXT NOT NULL, is_transient INTEGER NOT NULL, receipt TEXT
    );
    CREATE INDEX inbox_unanswered ON inbox (n) WHERE receipt IS NULL;
    -- What people said of pages; the last word on a url counts, and may be that nothing is said (NULL).
    CREATE TABLE labels (
        n INTEGER PRIMARY KEY, url TEXT NOT NULL, time REAL NOT NULL, relevant INTEGER, note TEXT NOT NULL
    );
    """,
    """
    -- What is said may also be that somebody is unsure; by whom, and in answer to which questions.
    ALTER TABLE labels ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE labels ADD COLUMN said_by TEXT NOT NULL DEFAULT '';
    ALTER TABLE labels ADD COLUMN asked TEXT NOT NULL DEFAULT '';
    -- Which revision of the topic guided the crawl, and since when; the last row is the one that does.
    CREATE TABLE revisions (n INTEGER PRIMARY KEY, revision INTEGER NOT NULL, time REAL NOT NULL);
    -- A page may be judged again by a later revision. What it was judged by at its time is kept beside.
    ALTER TABLE visits ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN first_relevance REAL;
    ALTER TABLE visits ADD COLUMN first_revision INTEGER;
    """,
    """
    -- What is said may also be of a page as a hub: whether it is worth following what it links to.
    ALTER TABLE labels ADD COLUMN of_hub INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Where in the topic's taxonomy a page belongs; pages that were fetched before have no class.
    ALTER TABLE visits ADD COLUMN topic_class TEXT NOT NULL DEFAULT '';
    """,
    """
    -- What people steer the crawl's queue by. A rule has the number of its command; one that was taken back is kept.
    CREATE TABLE rules (
        n INTEGER PRIMARY KEY, time REAL NOT NULL, action TEXT NOT NULL, pattern TEXT NOT NULL, ended REAL
    );
    """,
    """
    -- A page may be visited again: its former visits and links are history. The root only ever gets more links.
    ALTER TABLE visits ADD COLUMN is_revisit INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN former INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE links ADD COLUMN former INTEGER NOT NULL DEFAULT 0;
    -- What each link brought to its target, as packed 32-bit floats, in crawls that fetch pages again.
    ALTER TABLE links ADD COLUMN contributed BLOB;
    CREATE TEMP TABLE again AS SELECT url_id, min(n) AS first, max(n) AS last FROM visits
        GROUP BY url_id HAVING count(*) > 1;
    UPDATE visits SET is_revisit = n > again.first, former = n < again.last FROM again
        WHERE again.url_id = visits.url_id;
    DROP TABLE again;
    UPDATE links SET former = 1 WHERE page != 0 AND n < (SELECT max(n) FROM links later WHERE later.page = links.page);
    DROP INDEX visits_by_relevance;
    CREATE INDEX visits_by_relevance ON visits (relevance DESC, copy_of, former) WHERE copy_of IS NULL;
    -- In what the numbers of a column are packed. The default strategy keeps its own in single precision now.
    ALTER TABLE changes ADD COLUMN kind TEXT NOT NULL DEFAULT '<f8';
    UPDATE changes SET kind = '|u1' WHERE rows_of = 'urls' AND name IN ('status', 'tries');
    UPDATE changes SET kind = '<u8' WHERE rows_of != 'urls' AND name = 'key';
    -- Counted anew, see sqlite/migration.py: pages, and requests.
    DELETE FROM totals WHERE name != 'paused';
    """,
    """
    -- What a page says, as a number, and whether that is something else than at the visit before.
    ALTER TABLE visits ADD COLUMN content INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN changed INTEGER;
    CREATE INDEX visits_by_time ON visits (time) WHERE changed OR NOT is_revisit;
    -- Pages that were there once and are not, and what HTTP said.
    CREATE TABLE gone (n INTEGER PRIMARY KEY, url_id INTEGER NOT NULL, time REAL NOT NULL, status INTEGER NOT NULL);
    """,
    """
    -- In a crawl that is divided among several: whose row it is. All others are shard 0.
    ALTER TABLE urls ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE visits ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE links ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE failures ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE changes ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- Files of an archive that is not kept in the folder, and where they are; see archived_files.py.
    CREATE TABLE archive_files (
        file TEXT PRIMARY KEY, bytes INTEGER NOT NULL, address TEXT NOT NULL, shard INTEGER NOT NULL DEFAULT 0
    );
    CREATE INDEX archive_files_unsent ON archive_files (shard, file) WHERE address = '';
    """,
)
VERSION = len(MIGRATIONS)

VISIT_COLUMNS = (
    *("url_id", "time", "status", "relevance", "priority", "depth", "bytes", "title", "language"),
    *("content_type", "digest", "links", "etag", "last_modified", "seconds"),
    *(
        "copy_of",
        "signature",
        "new_urls",
        "revision",
        "first_relevance",
        "first_revision",
        "topic_class",
        "noindex",
        "is_revisit",
        "content",
        "changed",
    ),
)
"""Columns of a visit that are fields of `Visit` and written as they are; the texts of urls have their own table."""

FAILURE_COLUMNS = ("url_id", "time", "error", "message", "tries", "final", "status")
"""The same of a failure."""
