"""Bytes of a page made readable: charset, text, title, links, language."""

from honeyguide.parse.html import parse_page, readable

__all__ = ["parse_page", "readable"]
