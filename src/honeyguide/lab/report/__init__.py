"""Experiments as documents: tables, figures, pages."""
