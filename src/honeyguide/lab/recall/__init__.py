"""How much of a topic a crawl has found: estimates, and how far they can be trusted."""
