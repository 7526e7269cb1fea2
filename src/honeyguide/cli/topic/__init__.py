"""The verbs of `honeyguide topic`: one file each; `app` puts them together."""
