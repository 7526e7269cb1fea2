"""Bytes of a page made readable: charset, text, title, links, language."""

from honeyguide.parse.html import first_words, parse_page, readable, tidied

__all__ = ["first_words", "parse_page", "readable", "tidied"]
