"""The REST API, one file for each kind of thing there is."""

PARTS = {
    "session": "anybody",
    "search": "reader",
    "crawls": "operator",
    "control": "operator",
    "queue": "operator",
    "visits": "operator",
    "sites": "operator",
    "changes": "operator",
    "pages": "operator",
    "sql": "operator",
    "teaching": "operator",
    "glances": "operator",
    "numbers": "operator",
    "exports": "operator",
    "tables": "operator",
    "topics": "operator",
    "sketches": "operator",
    "topic_maps": "operator",
    "topic_work": "operator",
    "lab": "operator",
    "measuring": "operator",
    "jobs": "operator",
    "catalog": "operator",
    "reference": "operator",
}
"""The files, and who may use what is in them."""

FIRST = ("session", "search", "crawls", "numbers", "visits")
"""Files that are read at the start: what the first views of the console and the portal ask for.

The others follow a moment later, or when they are asked for.
"""
