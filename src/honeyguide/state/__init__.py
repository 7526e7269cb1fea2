"""What is known of every url, as columns; the store is its durable copy."""
