"""The loop and what it turns on: state, frontier, scope."""
