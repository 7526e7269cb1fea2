"""Topics by meaning."""
