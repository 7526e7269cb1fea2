"""Bytes of a page made readable: charset, text, title, links, language."""

from honeyguide.parse.html import first_words, readable, tidied
from honeyguide.parse.options import ParseOptions
from honeyguide.parse.registry import parse_page, parse_pages

__all__ = ["ParseOptions", "first_words", "parse_page", "parse_pages", "readable", "tidied"]
