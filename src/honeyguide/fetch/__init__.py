"""How pages are brought: the interface and the recorded web behind it."""
