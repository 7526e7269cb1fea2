"""The REST API, one file for each kind of thing there is."""

PARTS = {
    "session": "anybody",
    "crawls": "operator",
    "control": "operator",
}
"""The files, and who may use what is in them."""
