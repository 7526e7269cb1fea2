"""`honeyguide serve`: a workspace over HTTP. Needs the extra `serve`; only its verb imports this."""
