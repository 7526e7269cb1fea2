"""Which links may enter a crawl: scope, traps, budgets."""
