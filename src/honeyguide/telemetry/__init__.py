"""What a crawl tells while it runs: progress, harvest, logs, alarms, metrics."""
