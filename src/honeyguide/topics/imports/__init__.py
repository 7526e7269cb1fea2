"""Taxonomies made by others: directories, bookmarks, folders. Each importer reads a stream within stated limits."""

from honeyguide.topics.imports.bookmarks import read_bookmarks
from honeyguide.topics.imports.collected import Collected, ImportLimits
from honeyguide.topics.imports.directory_tsv import read_directory_tsv
from honeyguide.topics.imports.dmoz import read_dmoz
from honeyguide.topics.imports.folders import read_folders

__all__ = [
    "Collected",
    "ImportLimits",
    "read_bookmarks",
    "read_directory_tsv",
    "read_dmoz",
    "read_folders",
]
