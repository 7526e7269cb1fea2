"""How often pages change, and what it is worth to ask for one again: pure functions on arrays, in days."""
