"""A web made up by a seed: topics, hosts, traps, and a server that plays it on loopback."""
