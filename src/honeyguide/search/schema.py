"""What the index keeps of a page, and under which names. Another VERSION, and an index is made anew."""

from __future__ import annotations

from pathlib import Path

from honeyguide.search.library import tantivy

VERSION = 1
"""Of the fields and of what stands in them; also to be raised when words are read otherwise."""

WORDS = ("title", "text", "anchors", "url")
"""Fields of words, as `search.words` makes them, in which a query looks."""
PAGE, COPY, STATE = "page", "copy", "state"
"""Kinds of documents: a page, a copy of one that only counts, and the one that says how far the index is."""


def make_schema() -> tantivy.Schema:
    """The fields. A page's url, title and the like are not kept twice: they are in the crawl's store."""
    fields = tantivy.SchemaBuilder()
    for name in WORDS:
        fields.add_text_field(name, tokenizer_name="whitespace")
    fields.add_text_field("spelling", tokenizer_name="whitespace", index_option="basic")  # words as written
    # A document a url, by its id; as text, since the library finds no documents to delete by a number.
    for name in ("kind", "host", "page", "copy_of"):
        fields.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("site", "language", "topic_class"):
        fields.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True, stored=True)
    fields.add_unsigned_field("number", indexed=True, fast=True)  # of the visit
    fields.add_unsigned_field("year", indexed=True, fast=True)
    for name in ("time", "relevance", "weight"):
        fields.add_float_field(name, fast=True)
    for name in ("content", "known"):  # the main text, and what came from elsewhere: anchors, or the state
        fields.add_bytes_field(name, stored=True)
    return fields.build()


def open_index(folder: Path) -> tantivy.Index:
    """Open the index in a folder, or make an empty one. Raises what the library raises: ValueError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    index = tantivy.Index(make_schema(), str(folder))
    spaces = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("whitespace", spaces)
    return index
