"""The views that a question in SQL sees: what each column means, and how each is made of what the store keeps.

The store keeps links packed and columns of urls as a log; they become rows of temporary tables when a question needs
them (`sql_rows`). What is looked up in another table is a query of its own, which SQLite leaves out where nobody asks
for it; it would not leave out a join.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """A table that can be asked."""

    meaning: str
    columns: Mapping[str, str]  # with what each means
    definition: str  # {threshold} is the relevance from which a page counts


STATUSES = ("known", "queued", "in_flight", "fetched", "failed", "moved", "listing", "gone", "foreign")
"""The names of `Status`, in order; most questions need no numbers, and are answered sooner without numpy."""
CHANGING = ("status", "outcome", "tries", "priority", "relevance")
"""What changes of a url; the columns of its state."""

_FETCHED: Mapping[str, str] = {
    "number": "of the visit, from 1",
    "id": "of the url, to join by",
    "url": "",
    "host_id": "",
    "host": "with the port, if that is unusual",
    "time": "seconds since 1970: `datetime(time, 'unixepoch')`",
    "status": "that HTTP gave",
    "relevance": "0 to 1",
    "relevant": "1 if it counts as relevant, else 0; a copy does not",
    "priority": "at the moment it was fetched",
    "depth": "links from a seed",
    "bytes": "",
    "title": "",
    "language": "two letters, or empty",
    "content_type": "",
    "digest": "of the body, unpacked; the archive has that of the bytes it keeps",
    "links": "how many it has",
    "new_urls": "that it was the first to link to",
    "seconds": "it took",
    "copy_of": "the id of the page that it repeats, or NULL",
    "noindex": "1 if it asks not to be kept",
    "is_revisit": "1 if the page had been fetched before",
    "changed": "1 if it said something else than at the visit before, 0 if not, NULL if nobody can tell",
    "revision": "of the topic that judged it",
    "first_relevance": "if it was judged again: what it was judged when it was fetched",
    "topic_class": "where in the topic's taxonomy it belongs; empty if the topic has none",
    "via_id": "",
    "via": "the url that first led to it; empty for a seed",
}
_HOST_OF = "(SELECT host FROM main.urls WHERE id = {0})"
_HOST_NAME_OF = f"(SELECT name FROM main.hosts WHERE id = {_HOST_OF})"
_URL_OF = "(SELECT url FROM main.urls WHERE id = {0})"
_VIA_OF = "(SELECT via FROM main.urls WHERE id = {0})"
_WHERE = f"""
        {_URL_OF.format("url_id")} AS url, {_HOST_OF.format("url_id")} AS host_id,
        {_HOST_NAME_OF.format("url_id")} AS host"""
_SELECT_FETCHED = f"""
    SELECT n AS number, url_id AS id, {_WHERE}, time, status, relevance,
        copy_of IS NULL AND relevance >= {{threshold}} AS relevant, priority, depth, bytes, title, language,
        content_type, digest, links, new_urls, seconds, copy_of, noindex, is_revisit, changed,
        revision,
        first_relevance, topic_class, {_VIA_OF.format("url_id")} AS via_id,
        {_URL_OF.format(_VIA_OF.format("url_id"))} AS via
    FROM main.visits v"""

VIEWS: Mapping[str, View] = {
    "pages": View(
        "One row for each page that was fetched, as of its last visit.",
        _FETCHED,
        f"{_SELECT_FETCHED} WHERE NOT former",
    ),
    "visits": View("The same for each visit: a page may be fetched again.", _FETCHED, _SELECT_FETCHED),
    "links": View(
        "One row for each link that entered the crawl; of a page that was fetched again, the latest.",
        {
            "source_id": "the page that has it; 0 is the list of seeds",
            "source": "its url; empty for the list of seeds",
            "target_id": "",
            "target": "the url it leads to, fetched or not",
            "anchor": "the words one clicks on",
        },
        f"""
    SELECT source_id, {_URL_OF.format("source_id")} AS source, target_id, {_URL_OF.format("target_id")} AS target,
        (SELECT anchor FROM temp.anchor_rows a WHERE a.rowid = l.rowid) AS anchor
    FROM temp.link_rows l""",
    ),
    "urls": View(
        "One row for each url that is known, fetched or not.",
        {
            "id": "",
            "url": "",
            "host_id": "",
            "host": "",
            "depth": "links from a seed",
            "via_id": "",
            "via": "the url that first led to it; empty for a seed",
            "status": ", ".join(STATUSES),
            "outcome": "the status that its last visit left it in; known if there was none",
            "tries": "fetches that failed",
            "priority": "its place in the queue, greatest first; NULL if it was never ranked",
            "relevance": "NULL if it was not fetched",
        },
        f"""
    SELECT id, url, host AS host_id, (SELECT name FROM main.hosts h WHERE h.id = u.host) AS host, depth,
        via AS via_id, {_URL_OF.format("u.via")} AS via,
        {", ".join(f"(SELECT {name} FROM temp.url_rows s WHERE s.id = u.id) AS {name}" for name in CHANGING)}
    FROM main.urls u WHERE id > 0""",
    ),
    "url_values": View(
        "The numbers that the strategy keeps of urls: one row for each url and name.",
        {"id": "of the url", "name": "", "value": ""},
        "SELECT id, name, value FROM temp.value_rows",
    ),
    "hosts": View(
        "One row for each host of which a url is known.",
        {
            "id": "",
            "host": "",
            "site": "the registrable domain",
            "urls": "that are known",
            "pages": "that were fetched",
            "relevant": "of them",
            "mean_relevance": "of them; NULL if there are none",
            "failures": "",
            "fruitless": "requests in a row that gave nothing relevant",
        },
        """
    SELECT h.id, h.name AS host, site_of(h.name) AS site, coalesce(u.urls, 0) AS urls, coalesce(p.pages, 0) AS pages,
        coalesce(p.relevant, 0) AS relevant, p.mean_relevance, coalesce(f.failures, 0) AS failures,
        h.barren AS fruitless
    FROM main.hosts h
        LEFT JOIN (SELECT host, count(*) AS urls FROM main.urls GROUP BY host) u ON u.host = h.id
        LEFT JOIN (SELECT host_id, count(*) AS pages, sum(relevant) AS relevant, avg(relevance) AS mean_relevance
            FROM temp.pages GROUP BY host_id) p ON p.host_id = h.id
        LEFT JOIN (SELECT host_id, count(*) AS failures FROM temp.failures GROUP BY host_id) f ON f.host_id = h.id
    WHERE h.id > 0""",
    ),
    "failures": View(
        "One row for each fetch that failed.",
        {
            "number": "from 1",
            "id": "of the url",
            "url": "",
            "host_id": "",
            "host": "",
            "time": "seconds since 1970",
            "error": "its kind, as `FetchTimeout`",
            "message": "",
            "status": "that HTTP gave, or 0",
            "tries": "so far",
            "final": "1 if no further try will be made",
        },
        f"""
    SELECT n AS number, url_id AS id, {_WHERE}, time, error, message, status, tries, final FROM main.failures""",
    ),
    "labels": View(
        "One row for each url that somebody said something of: the last word.",
        {
            "url": "",
            "id": "NULL if the crawl does not know it",
            "time": "seconds since 1970",
            "relevant": "1, 0, or NULL if one cannot tell",
            "unsure": "1 if one cannot tell",
            "note": "",
            "said_by": "",
            "asked": "in answer to which questions: best, teach, random",
        },
        "SELECT url, id, time, relevant, unsure, note, said_by, asked FROM temp.label_rows",
    ),
    "classes": View(
        "One row for each class of the topic's taxonomy that a page was put into.",
        {
            "topic_class": "a path, as `Science/Animals`",
            "pages": "",
            "relevant": "of them",
            "mean_relevance": "",
        },
        """
    SELECT topic_class, count(*) AS pages, sum(relevant) AS relevant, avg(relevance) AS mean_relevance
    FROM temp.pages WHERE topic_class != '' GROUP BY topic_class""",
    ),
}

TABLES = """
    CREATE TEMP TABLE link_rows (source_id INTEGER NOT NULL, target_id INTEGER NOT NULL);
    CREATE TEMP TABLE anchor_rows (anchor TEXT NOT NULL);
    CREATE TEMP TABLE url_rows (
        id INTEGER PRIMARY KEY, status TEXT, outcome TEXT, tries INTEGER, priority REAL, relevance REAL
    );
    CREATE TEMP TABLE value_rows (id INTEGER NOT NULL, name TEXT NOT NULL, value REAL);
    CREATE TEMP TABLE label_rows (
        url TEXT PRIMARY KEY, id INTEGER, time REAL, relevant INTEGER, unsure INTEGER, note TEXT,
        said_by TEXT, asked TEXT
    );
"""
"""What the views need beside the store's own tables; filled by `sql_rows`."""

UNPACKED = {"link_rows": "links", "url_rows": "urls", "value_rows": "url_values", "label_rows": "labels"}
"""The views that are made of these."""

READ_BY_VIEWS = frozenset(
    {
        *(("main", table) for table in ("visits", "urls", "hosts", "failures")),
        *(("temp", table) for table in ("anchor_rows", *UNPACKED)),
    }
)

FUNCTIONS = frozenset(
    """
    abs acos acosh asin asinh atan atan2 atanh avg ceil ceiling char coalesce cos cosh count cume_dist date datetime
    degrees dense_rank exp first_value floor format glob group_concat hex ifnull iif instr julianday lag last_value
    lead length like ln log log10 log2 lower ltrim max min mod nth_value ntile nullif percent_rank pi pow power printf
    quote radians random rank replace round row_number rtrim sign sin sinh site_of sqrt strftime substr substring sum
    tan tanh time total trim trunc typeof unicode unixepoch upper
    """.split()  # noqa: SIM905 - a list of words reads better
)
"""All that a question may call; `site_of(host)` is ours."""
