"""When pages changed (times only), and who would have had them fresh: against round-robin and other schedules."""
